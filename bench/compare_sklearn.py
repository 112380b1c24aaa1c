#!/usr/bin/env python3
"""compare_sklearn.py BUILD [DATA.zip ...] [--folds N]: the grid of the protocol by our SVMs and by scikit-learn's SVC.

Both see the same matrices (local, k = 2, normalised, 0 to 5 rounds), the same ten folds (of which N are run; a tenth of
the rest does not train either), and C = 10^-3 ... 10^3, and predict the graphs that did not train for each. Figures are
seconds of processor time on one core. Ours include gathering the training part of the matrix; scikit-learn's do not
include cutting it out, which is printed beside. Without scikit-learn or data it prints a message and exits with 0."""
import os
import random
import subprocess
import sys
import tempfile
import time
import zipfile

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
CS = [10.0**e for e in range(-3, 4)]
ROUNDS = 6


def arguments():
    words, folds = sys.argv[1:], 10
    if "--folds" in words:
        at = words.index("--folds")
        folds = int(words[at + 1])
        del words[at : at + 2]
    build = words[0] if words else os.path.join(ROOT, "build")
    data = os.environ.get("LEMAN_DATA", os.path.join(ROOT, "..", "shared", "data"))
    sets = words[1:] or [os.path.join(data, name + ".zip") for name in ("ENZYMES", "PROTEINS", "NCI1")]
    return build, [path for path in sets if os.path.exists(path)], folds


def classes_of(path):
    with zipfile.ZipFile(path) as archive:
        member = [name for name in archive.namelist() if name.endswith("_graph_labels.txt")][0]
        labels = [int(line) for line in archive.read(member).split()]
    names = sorted(set(labels))
    return [names.index(label) for label in labels]


def folds_of(graphs, count):
    """(training, others) of each fold: a tenth tests, a tenth of the rest validates."""
    order = list(range(graphs))
    random.Random(1).shuffle(order)
    for fold in range(count):
        test = order[fold * graphs // 10 : (fold + 1) * graphs // 10]
        rest = [graph for graph in order if graph not in set(test)]
        random.Random(fold).shuffle(rest)
        validation = -(-len(rest) // 10)
        yield rest[validation:], rest[:validation] + test


def run_leman(build, folder, labels, folds):
    with open(os.path.join(folder, "job"), "w", encoding="ascii") as job:
        print(len(labels), max(labels) + 1, ROUNDS, len(folds), len(CS), *CS, file=job)
        print(*labels, file=job)
        for train, others in folds:
            print(len(train), len(others), *train, *others, file=job)
    run = subprocess.run([os.path.join(build, "bench_svm"), folder], capture_output=True, text=True, check=True)
    with open(os.path.join(folder, "predicted"), "rb") as predicted:
        return [float(word) for word in run.stdout.split()], predicted.read()


def run_sklearn(folder, labels, folds):
    import numpy
    from sklearn.svm import SVC

    label = numpy.array(labels)
    matrices = [numpy.load(os.path.join(folder, f"{r}.npy")) for r in range(ROUNDS)]
    fit = predict = cut = 0.0
    classes = []
    for train, others in folds:
        for matrix in matrices:
            t0 = time.process_time()
            square = numpy.ascontiguousarray(matrix[numpy.ix_(train, train)])
            beside = numpy.ascontiguousarray(matrix[numpy.ix_(others, train)])
            cut += time.process_time() - t0
            for c in CS:
                t0 = time.process_time()
                svc = SVC(C=c, kernel="precomputed", cache_size=1000).fit(square, label[train])
                t1 = time.process_time()
                classes.append(svc.predict(beside))
                fit += t1 - t0
                predict += time.process_time() - t1
    return fit, predict, cut, bytes(numpy.concatenate(classes).astype("uint8"))


def compare(build, path, count):
    labels = classes_of(path)
    folds = list(folds_of(len(labels), count))
    with tempfile.TemporaryDirectory() as folder:
        for r in range(ROUNDS):
            subprocess.run([os.path.join(build, "leman"), "gram", path, "-a", "local", "-k", "2", "-r", str(r),
                            "--normalize", "--quiet", "-o", os.path.join(folder, f"{r}.npy")], check=True)
        (training, deciding), predicted = run_leman(build, folder, labels, folds)
        fit, predict, cut, classes = run_sklearn(folder, labels, folds)
    same = sum(a == b for a, b in zip(predicted, classes)) / len(classes)
    name = os.path.basename(path).removesuffix(".zip")
    print(f"{name}: {count} folds, {ROUNDS} matrices, {len(CS)} C's: ours {training:.3f} s training + {deciding:.3f} s "
          f"deciding, SVC {fit:.3f} s + {predict:.3f} s (and {cut:.3f} s cutting): ratio "
          f"{(fit + predict) / (training + deciding):.1f}; {100 * same:.3f} % of {len(classes)} predictions are the same")


def main():
    build, sets, count = arguments()
    try:
        import sklearn
    except ImportError:
        debian = "/usr/bin/python3"  # for which python3-sklearn is installed
        if sys.executable != debian and os.path.exists(debian) and "LEMAN_AGAIN" not in os.environ:
            os.environ["LEMAN_AGAIN"] = "1"
            os.execv(debian, [debian, *sys.argv])
        print("compare_sklearn: there is no scikit-learn (Debian: python3-sklearn), so there is nothing to compare with")
        return
    if not sets:
        print("compare_sklearn: there is no data (LEMAN_DATA names its folder)")
        return
    print(f"scikit-learn {sklearn.__version__}")
    for path in sets:
        compare(build, path, count)


if __name__ == "__main__":
    main()
