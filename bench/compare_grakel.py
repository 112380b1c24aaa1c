"""Leman from Python beside GraKeL, in one run on one thread: bench/compare_grakel.py BUILD [shapes|histograms].

End to end from Python objects to a Gram matrix, processor time; `make bench-page` has the other kernels. 1-WL in each shape that GraKeL takes, as the
least time of several runs. Histograms of labels beside the least that any program does with them: a loop of the interpreter's C through the values of the
dictionaries, and the product of the two tables. Then the same from the arrays of a data set
against the program on its file. What is not installed (pip install grakel==0.1.11) is left out with a sentence. The data sets are those of LEMAN_DATA.
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


def shapes(data):
    """The graphs of a data set in each shape that GraKeL takes, beginning with that of its own fetch_dataset()."""
    import grakel
    import numpy
    edges, labels = [list(map(tuple, graph.edge_index.T.tolist())) for graph in data], [list(graph.vertex_labels) for graph in data]
    first = numpy.concatenate([[1], 1 + numpy.cumsum([len(graph) for graph in data])]).tolist()  # as there: vertices of all graphs together

    def neighbors(pairs, size):
        found = {u: {} for u in range(size)}
        for u, v in pairs:
            found[u][v] = 1.0
        return found

    def matrix(pairs, size):
        found = numpy.zeros((size, size))
        found[tuple(zip(*pairs)) or ([], [])] = 1
        return found

    every = list(zip(edges, labels, first))
    yield "sets of pairs", lambda: [[{(u + f, v + f) for u, v in own}, {v + f: x for v, x in enumerate(on)}, {}] for own, on, f in every]
    yield "lists of pairs", lambda: [[list(own), dict(enumerate(on))] for own, on, _ in every]
    yield "dictionaries", lambda: [[neighbors(own, len(on)), dict(enumerate(on))] for own, on, _ in every]
    yield "NumPy's matrices", lambda: [[matrix(own, len(on)), dict(enumerate(on))] for own, on, _ in every]
    yield "lists of lists", lambda: [[matrix(own, len(on)).tolist(), dict(enumerate(on))] for own, on, _ in every]
    yield "grakel.Graph", lambda: [grakel.Graph(neighbors(own, len(on)), dict(enumerate(on))) for own, on, _ in every]


def shapes_beside_grakel(leman, runs=7):
    """The least time of several runs of both: other work on the machine only adds."""
    import gc
    import grakel
    print("| data set | shape | conversion, ms | Leman, ms | GraKeL, ms | times faster |\n|---|---|---:|---:|---:|---:|")
    for where in ("MUTAG", "ENZYMES", "PROTEINS", "NCI1"):
        path = os.path.join(DATA, f"{where}.zip")
        if not os.path.exists(path):
            print(f"{where}.zip is not here")
            continue
        for name, made in shapes(leman.Dataset.read(path)):
            graphs = made()
            gc.collect()
            least = [min(spent(work)[0] for _ in range(count)) for work, count in (
                (lambda: leman.Dataset.from_grakel(graphs), runs), (lambda: leman.grakel.WeisfeilerLehman(n_iter=5, n_jobs=1).fit_transform(graphs), runs),
                (lambda: grakel.WeisfeilerLehman(n_iter=5).fit_transform(graphs), 2 if where == "NCI1" else 3))]
            print(f"| {where} | {name} | {least[0] * 1e3:.1f} | {least[1] * 1e3:.1f} | {least[2] * 1e3:.0f} | {least[2] / least[1]:.1f} |", flush=True)


def histograms_beside_grakel(leman, runs=60):
    """Least times, runs in turn. `loop` makes lists of the values of all dictionaries; `product` is the matrix from the finished table."""
    import numpy
    from grakel import kernels
    print("| kernel | graphs | labels | GraKeL, ms | Leman, ms | times faster | loop and product, ms | GraKeL / (loop and product) |\n"
          "|---|---|---:|---:|---:|---:|---:|---:|")
    for where, count in (("MUTAG", 188), ("PTC_FM", 349), ("ENZYMES", 300)):
        path = os.path.join(DATA, f"{where}.zip")
        if not os.path.exists(path):
            print(f"{where}.zip is not here")
            continue
        data = leman.Dataset.read(path)[:count]
        graphs = []
        for graph in data:
            arcs = list(map(tuple, graph.edge_index.T.tolist()))
            near = {u: {} for u in range(len(graph))}
            for u, v in arcs:
                near[u][v] = 1.0
            marks = graph.edge_labels or [(u + v) % 3 for u, v in arcs]
            graphs.append([near, dict(enumerate(graph.vertex_labels)), dict(zip(arcs, marks))])
        for name, place in (("VertexHistogram", 1), ("EdgeHistogram", 2)):
            ours, theirs = getattr(leman.grakel, name)(n_jobs=1), getattr(kernels, name)()
            assert numpy.array_equal(ours.fit_transform(graphs), theirs.fit_transform(graphs))
            table = ours.X_.table
            work = [lambda: theirs.fit_transform(graphs), lambda: ours.fit_transform(graphs),
                    lambda: [list(graph[place].values()) for graph in graphs], lambda: table @ numpy.ascontiguousarray(table.T)]
            least = [1e9] * len(work)
            for _ in range(runs):
                least = [min(before, spent(one)[0]) for before, one in zip(least, work)]
            grakel, leman_s, floor = least[0], least[1], least[2] + least[3]
            print(f"| `{name}` | {len(graphs)} of {where} | {sum(len(graph[place]) for graph in graphs):,} | {grakel * 1e3:.2f} | {leman_s * 1e3:.2f} | "
                  f"{grakel / leman_s:.1f} | {floor * 1e3:.2f} | {grakel / floor:.1f} |", flush=True)


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


def main():
    if importlib.util.find_spec("numpy") is None or importlib.util.find_spec("sklearn") is None:
        print("compare_grakel: needs NumPy, SciPy and scikit-learn; left out")
        return
    import leman
    import leman.grakel
    if sys.argv[2:] in (["shapes"], ["histograms"]):
        (shapes_beside_grakel if sys.argv[2] == "shapes" else histograms_beside_grakel)(leman)
        return
    beside_the_program(leman)
    if importlib.util.find_spec("grakel") is None:
        print("compare_grakel: the Python package grakel is not installed; left out")
    else:
        shapes_beside_grakel(leman)
        histograms_beside_grakel(leman)


if __name__ == "__main__":
    main()
