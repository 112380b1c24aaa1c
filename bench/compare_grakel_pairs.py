"""GraKeL's kernels of pairs and PyramidMatch beside Leman's, in one run on one thread: bench/compare_grakel_pairs.py BUILD [GRAPHS].

End to end from Python objects, lists of [edges, labels or vectors] to a Gram matrix, processor time, on the first graphs of MUTAG and
ENZYMES (LEMAN_DATA). GraKeL's fast sums over walks end at a residual of 1e-6, and its fast labelled walks are not those of its baseline
(docs/python.md), so the largest relative difference is printed beside the ratio.
"""
import os
import sys
import time
import warnings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
BUILD = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build")
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 60
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
DATA = os.environ.get("LEMAN_DATA") or os.path.join(ROOT, "..", "shared", "data")
sys.path.insert(0, os.path.join(BUILD, "python"))
warnings.simplefilter("ignore")


def spent(work):
    began = time.process_time()
    result = work()
    return time.process_time() - began, result


def objects(data, attributes):
    """Graphs as GraKeL's users have them."""
    return [[list(map(tuple, graph.edge_index.T.tolist())),
             dict(enumerate(map(tuple, graph.vertex_attributes.tolist()) if attributes else graph.vertex_labels))] for graph in data]


def main():
    import numpy
    from grakel import kernels
    import leman
    import leman.grakel as ours
    walk = {"lamda": 0.01}
    cases = [("RandomWalk", "MUTAG", walk), ("RandomWalk", "MUTAG", {**walk, "method_type": "baseline", "kernel_type": "exponential"}),
             ("RandomWalk", "MUTAG", {**walk, "method_type": "baseline", "p": 4}),
             ("RandomWalkLabeled", "MUTAG", walk), ("RandomWalkLabeled", "MUTAG", {**walk, "method_type": "baseline"}),
             ("PyramidMatch", "MUTAG", {}), ("PyramidMatch", "MUTAG", {"with_labels": False}),
             ("GraphHopper", "ENZYMES", {"kernel_type": "linear"}), ("GraphHopper", "ENZYMES", {"kernel_type": "gaussian"}),
             ("GraphHopper", "ENZYMES", {"kernel_type": "bridge"})]
    for name, where, how in cases:
        data = leman.Dataset.read(os.path.join(DATA, f"{where}.zip"))
        whole = [graph for graph in data if (graph.degrees > 0).all()][:COUNT]  # GraKeL loses vertices without edges
        graphs = objects(whole, name == "GraphHopper")
        seconds, found = spent(lambda: getattr(ours, name)(n_jobs=1, **how).fit_transform(graphs))
        other, expected = spent(lambda: getattr(kernels, name)(**how).fit_transform(graphs))
        apart = numpy.abs(found - expected).max() / numpy.abs(expected).max()
        print(f"{name} {how} on {len(graphs)} graphs of {where}: leman {seconds:.3f} s, GraKeL {other:.2f} s, {other / seconds:.0f}x, "
              f"{apart:.1g} apart", flush=True)


if __name__ == "__main__":
    main()
