"""Leman from Python beside GraKeL and RDKit, in one run on one thread: bench/compare_grakel.py BUILD.

End to end from Python objects: lists of [edges, labels] to a Gram matrix, processor time. Then the same from the arrays of a data set
against the program on its file, and SMILES to features against RDKit's parsing. What is not installed (pip install grakel==0.1.11 rdkit)
is left out with a sentence. The data sets are those of LEMAN_DATA.
"""
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
import warnings

BUILD = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build")
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
DATA = os.environ.get("LEMAN_DATA") or os.path.join(ROOT, "..", "shared", "data")
sys.path.insert(0, os.path.join(BUILD, "python"))
warnings.simplefilter("ignore")


def spent(work):
    began = time.process_time()
    result = work()
    return time.process_time() - began, result


def objects(data, edge_labels):
    """Graphs as GraKeL's users have them, with edge labels where a kernel wants them."""
    def edges(graph):
        return list(map(tuple, graph.edge_index.T.tolist()))
    return [[edges(graph), dict(enumerate(graph.vertex_labels))] +
            ([dict(zip(edges(graph), graph.edge_labels))] if edge_labels else []) for graph in data]


def beside_grakel(leman):
    import numpy
    from grakel import kernels
    cases = [("1-WL", "NCI1", kernels.WeisfeilerLehman(n_iter=5), leman.WeisfeilerLehman(n_iter=5, n_jobs=1)),
             ("WLOA", "PROTEINS", kernels.WeisfeilerLehmanOptimalAssignment(n_iter=5),
              leman.WeisfeilerLehmanOptimalAssignment(n_iter=5, n_jobs=1)),
             ("WLOA", "ENZYMES", kernels.WeisfeilerLehmanOptimalAssignment(n_iter=5),
              leman.WeisfeilerLehmanOptimalAssignment(n_iter=5, n_jobs=1)),
             ("SP", "NCI1", kernels.ShortestPath(), leman.ShortestPath(n_jobs=1)),
             ("NeighborhoodHash", "PTC_FM", kernels.NeighborhoodHash(random_state=0), leman.grakel.NeighborhoodHash(n_jobs=1, random_state=0)),
             ("NeighborhoodHash, count-sensitive", "PTC_FM", kernels.NeighborhoodHash(nh_type="count_sensitive", random_state=0),
              leman.grakel.NeighborhoodHash(n_jobs=1, nh_type="count_sensitive", random_state=0)),
             ("HadamardCode", "PTC_FM", kernels.HadamardCode(), leman.grakel.HadamardCode(n_jobs=1)),
             ("HadamardCode", "ENZYMES", kernels.HadamardCode(), leman.grakel.HadamardCode(n_jobs=1)),
             ("NSPD", "MUTAG", kernels.NeighborhoodSubgraphPairwiseDistance(), leman.grakel.NeighborhoodSubgraphPairwiseDistance(n_jobs=1)),
             ("OddSth", "MUTAG", kernels.OddSth(h=3), leman.grakel.OddSth(n_jobs=1, h=3))]
    only = sys.argv[2:]
    for name, where, theirs, ours in cases:
        if only and f"{name}:{where}" not in only:
            continue
        path = os.path.join(DATA, f"{where}.zip")
        if not os.path.exists(path):
            print(f"{name} on {where}: {where}.zip is not here")
            continue
        data = leman.Dataset.read(path)
        graphs = objects(data, name == "NSPD")
        seconds, gram = spent(lambda: ours.fit_transform(graphs))
        other, expected = spent(lambda: theirs.fit_transform(graphs))
        whole = numpy.array([bool((graph.degrees > 0).all()) for graph in data])  # GraKeL loses vertices without edges
        same = "the same numbers" if numpy.array_equal(gram, expected) else \
            "the same numbers, but for graphs with isolated vertices" if \
            numpy.array_equal(gram[whole][:, whole], expected[whole][:, whole]) else \
            "other numbers (docs/python.md says why)" if name in ("NSPD", "OddSth") else "other numbers"
        print(f"{name} on {where}: leman {seconds:.2f} s, GraKeL {other:.2f} s, {other / seconds:.1f}x, {same}", flush=True)


def beside_the_program(leman):
    path = os.path.join(DATA, "NCI1.zip")
    if not os.path.exists(path):
        return
    data = leman.Dataset.read(path)
    with tempfile.TemporaryDirectory() as folder:
        file, out = os.path.join(folder, "data.leman"), os.path.join(folder, "K.npy")
        data.save(file)
        command = [os.path.join(BUILD, "leman"), "gram", file, "-a", "delta-2-LWL", "-r", "3", "--normalize", "-t", "1", "-o", out]
        before = os.times()
        subprocess.run(command, check=True, capture_output=True)
        after = os.times()
        program = after.children_user + after.children_system - before.children_user - before.children_system
    arrays = data.to_arrays()
    seconds, _ = spent(lambda: leman.WLKernel("delta-2-LWL", 3, n_jobs=1).fit_transform(leman.Dataset.from_arrays(**arrays)))
    print(f"delta-2-LWL on NCI1: Python from arrays {seconds:.2f} s, the program from its file {program:.2f} s, "
          f"{100 * (seconds / program - 1):+.1f} %")


def beside_rdkit(leman, count=20000):
    from rdkit import Chem
    parts = ["C", "CC", "c1ccccc1", "N", "O", "C(=O)", "C1CCCCC1", "S", "c1ccncc1", "C(F)"]
    smiles = ["".join(parts[(i * 7 + j * j * 3 + i // 11) % 10] for j in range(5)) + "C" for i in range(count)]
    smiles = [s for s in smiles if Chem.MolFromSmiles(s) is not None]
    vectorizer = leman.WLVectorizer("1-WL", rounds=2, hash_bits=20, n_jobs=1)
    ours, _ = spent(lambda: vectorizer.transform(leman.Dataset.from_smiles(smiles)))
    theirs, _ = spent(lambda: [Chem.MolFromSmiles(s) is None for s in smiles])
    print(f"{len(smiles):,} SMILES to features: {ours:.2f} s, of which RDKit parses {theirs:.2f} s, "
          f"{100 * (ours / theirs - 1):+.0f} %")


def main():
    if importlib.util.find_spec("numpy") is None or importlib.util.find_spec("sklearn") is None:
        print("compare_grakel: needs NumPy, SciPy and scikit-learn; left out")
        return
    import leman
    import leman.grakel
    beside_the_program(leman)
    for module, work in (("rdkit", beside_rdkit), ("grakel", beside_grakel)):
        if importlib.util.find_spec(module) is None:
            print(f"compare_grakel: the Python package {module} is not installed; left out")
        else:
            work(leman)


if __name__ == "__main__":
    main()
