"""The tables moleculeace and moleculenet: kernels on molecules beside fingerprints of RDKit with scikit-learn.

All methods see the same molecules, parts and targets, and select what they select by cross-validation (five folds) or by marginal
likelihood inside the training part. MoleculeACE (van Tilborg, Alenicheva and Grisoni, 2022) has its own parts. MoleculeNet (Wu et al., 2018) is
split for every seed twice: a fifth of the molecules drawn at random tests, or the molecules of scaffolds drawn at random, of which
none is larger than a tenth of the set. Molecules that RDKit refuses are left out for every method.
"""
from __future__ import annotations

import csv
import importlib.util
import io
import math
import os
import time
import warnings
import zipfile
from typing import Any, Callable, NamedTuple

import numpy as np
import numpy.typing as npt

import leman

import finished
import tables
from page import Page
from results import Failure

TABLES = ("moleculeace", "moleculenet")
UNUSED = ("repetitions", "epochs", "precision", "device_memory", "merge", "beside", "offline", "time_limit", "memory")
FOLDS = 5
ATOM_LABELS = ("", "ecfp", "fcfp")
LARGE = 10000  # molecules, above which methods with a matrix of all pairs, and networks, are not run
NETWORK = {"preset": "zinc", "batch_size": 32, "epochs": 100, "schedule": "cosine"}  # a quarter of the published epochs
TASKS = 2  # tasks, above which networks are not run: each task would have a network of its own
_SHARED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "shared", "data")
# The column of SMILES, the columns of targets (none: all others), and whether these are classes.
NET = {
    "ESOL": ("smiles", ["measured log solubility in mols per litre"], False), "FreeSolv": ("smiles", ["expt"], False),
    "Lipophilicity": ("smiles", ["exp"], False), "BACE": ("smiles", ["Class"], True), "BBBP": ("smiles", ["p_np"], True),
    "ClinTox": ("smiles", ["FDA_APPROVED", "CT_TOX"], True), "SIDER": ("smiles", [], True), "Tox21": ("smiles", [], True),
    "HIV": ("smiles", ["HIV_active"], True),
}
Array = npt.NDArray[Any]


class Part(NamedTuple):
    """One split of a set."""
    kind: str  # "given", "scaffold" or "random"
    seed: int
    train: Array
    test: Array


class Molecules:
    """A set: SMILES, targets [molecules, tasks] with NaN where there is none, and what methods make of it once for all parts."""

    def __init__(self, name: str, smiles: list[str], y: Array, classes: bool, left_out: int) -> None:
        self.name, self.smiles, self.y, self.classes, self.left_out = name, smiles, y, classes, left_out
        self.cliffs: Array | None = None
        self.parts: list[Part] = []
        self._graphs: dict[str, leman.Dataset] = {}
        self._bits: Array | None = None

    def graphs(self, labels: str) -> leman.Dataset:
        if labels not in self._graphs:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self._graphs[labels] = leman.Dataset.from_smiles(self.smiles, **({"atom_labels": labels} if labels else {}))
        return self._graphs[labels]

    def prepare(self) -> None:
        """What several methods use is there before the first is timed."""
        for labels in ATOM_LABELS:
            self.graphs(labels)
        self.bits()

    def bits(self) -> Array:
        """ECFP4 of 2048 bits by RDKit."""
        if self._bits is None:
            from rdkit import Chem
            from rdkit.Chem import rdFingerprintGenerator
            made = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=2048)
            self._bits = np.array([made.GetFingerprintAsNumPy(Chem.MolFromSmiles(s)) for s in self.smiles], dtype=np.float32)
        return self._bits


class Task(NamedTuple):
    """One column of one part: a method learns y at the rows train, and answers with a number for each row of test."""
    of: Molecules
    train: Array
    test: Array
    y: Array
    seed: int
    threads: int
    device: str  # of networks


# ---- Methods -------------------------------------------------------------------------------------


def _by_svm(method: str, labels: str = "") -> Callable[[Task], Array]:
    def answer(t: Task) -> Array:
        data = t.of.graphs(labels)
        kind = leman.GraphSVC if t.of.classes else leman.GraphSVR
        model = kind(method, folds=FOLDS, scoring="auc" if t.of.classes else "rmse", random_state=t.seed, n_jobs=t.threads)
        model.fit(data[t.train], t.y.astype(int) if t.of.classes else t.y)
        return model.decision_function(data[t.test]) if t.of.classes else model.predict(data[t.test])
    return answer


def _by_process(method: str, labels: tuple[str, ...]) -> Callable[[Task], Array]:
    """The mean of Gaussian processes on the graphs with each of these labels."""
    def answer(t: Task) -> Array:
        found = [leman.GraphGPR(method, rounds=3, n_jobs=t.threads).fit(t.of.graphs(one)[t.train], t.y).predict(t.of.graphs(one)[t.test])
                 for one in labels]
        return np.mean(found, axis=0)
    return answer


def _by_network(model: str) -> Callable[[Task], Array]:
    """A network of 100 epochs in batches of 32, whose rate follows a cosine; a tenth of the training part selects the epoch."""
    def answer(t: Task) -> Array:
        from leman.nn import GraphNetworkClassifier, GraphNetworkRegressor
        data = t.of.graphs("")
        how: dict[str, Any] = dict(**NETWORK, device=t.device, random_state=t.seed, n_jobs=t.threads)
        if t.of.classes:
            return GraphNetworkClassifier(model, scoring="auc", **how).fit(data[t.train], t.y.astype(int)).decision_function(data[t.test])
        return GraphNetworkRegressor(model, scale_targets=True, **how).fit(data[t.train], t.y).predict(data[t.test])
    return answer


def _searched(t: Task, model: Any, grid: Any, train: Any, test: Any) -> tuple[float, Array]:
    """The model of scikit-learn that cross-validation in the training part selects from the grid: its score there, and its answers."""
    import joblib
    from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
    folds = (StratifiedKFold if t.of.classes else KFold)(FOLDS, shuffle=True, random_state=t.seed)
    search = GridSearchCV(model, grid, scoring="roc_auc" if t.of.classes else "neg_root_mean_squared_error", cv=folds, n_jobs=t.threads)
    with warnings.catch_warnings(), joblib.parallel_backend("threading"):
        warnings.simplefilter("ignore")  # of solvers that stop before convergence, and of folds with one class
        search.fit(train, t.y)
        if not t.of.classes:
            answers = search.predict(test)
        else:
            answers = search.decision_function(test) if hasattr(model, "decision_function") else search.predict_proba(test)[:, 1]
    return float(search.best_score_), np.asarray(answers)


def _bits_by_svm(t: Task) -> Array:
    """The kernel is Tanimoto's, or a Gaussian of one of three widths: the training part selects it, with C."""
    from sklearn.svm import SVC, SVR
    x, rows = t.of.bits(), np.r_[t.train, t.test]
    common, sizes = x[rows] @ x[t.train].T, x.sum(axis=1)
    sums = sizes[rows][:, None] + sizes[t.train][None, :]
    kernels = [common / np.maximum(sums - common, 1), *(np.exp(-gamma * (sums - 2 * common)) for gamma in (0.003, 0.01, 0.03))]
    model = (SVC if t.of.classes else SVR)(kernel="precomputed")
    n = len(t.train)
    return max((_searched(t, model, {"C": [0.3, 1, 3, 10, 30]}, k[:n], k[n:]) for k in kernels), key=lambda found: found[0])[1]


def _bits_by_forest(t: Task) -> Array:
    """Five hundred trees, which see a share of the bits that their out-of-bag predictions select."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    x, best = t.of.bits(), (-math.inf, None)
    for share in ("sqrt", 0.1):
        kind = RandomForestClassifier if t.of.classes else RandomForestRegressor
        model = kind(500, max_features=share, oob_score=True, random_state=t.seed, n_jobs=t.threads).fit(x[t.train], t.y)
        score = _score(t.y, model.oob_decision_function_[:, 1], True) if t.of.classes else -_score(t.y, model.oob_prediction_, False)
        best = max(best, (score, model), key=lambda found: found[0])
    return np.asarray(best[1].predict_proba(x[t.test])[:, 1] if t.of.classes else best[1].predict(x[t.test]))


def _bits_by_boosting(t: Task) -> Array:
    """Trees are added until a tenth of the training part, which is held out, gets no better."""
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    x = t.of.bits()
    model = (HistGradientBoostingClassifier if t.of.classes else HistGradientBoostingRegressor)(
        learning_rate=0.05, max_iter=500, max_bins=3, early_stopping=True, n_iter_no_change=20, random_state=t.seed).fit(x[t.train], t.y)
    return np.asarray(model.decision_function(x[t.test]) if t.of.classes else model.predict(x[t.test]))


def _bits_by_ridge(t: Task) -> Array:
    """Ridge regression, or logistic regression of classes."""
    from sklearn.linear_model import LogisticRegression, Ridge
    x = t.of.bits()
    if t.of.classes:
        return _searched(t, LogisticRegression(max_iter=1000), {"C": [0.003, 0.01, 0.03, 0.1, 0.3, 1]}, x[t.train], x[t.test])[1]
    return _searched(t, Ridge(), {"alpha": [3, 10, 30, 100, 300]}, x[t.train], x[t.test])[1]


class Method(NamedTuple):
    ours: bool
    classes: bool  # learns classes too
    pairs: bool  # keeps a number for each pair of training molecules
    run: Callable[[Task], Array]
    network: bool = False


BASE = "ECFP4 bits by SVM"
METHODS = {
    "1-WL by SVM": Method(True, True, False, _by_svm("1-WL")),
    "WLOA by SVM": Method(True, True, True, _by_svm("WLOA")),
    "delta-2-LWL by SVM": Method(True, True, False, _by_svm("delta-2-LWL")),
    "ECFP4 counts by SVM": Method(True, True, True, _by_svm("ECFP4", "ecfp")),
    "1-WL + SP by SVM": Method(True, True, True, _by_svm("1-WL:minmax + SP:minmax")),
    "1-WL + SP by Gaussian process": Method(True, False, True, _by_process("1-WL:minmax + SP:minmax", ("",))),
    "1-WL + SP by three Gaussian processes": Method(True, False, True, _by_process("1-WL:minmax + SP:minmax", ATOM_LABELS)),
    "Local-2-FGNN": Method(True, True, False, _by_network("Local-2-FGNN"), network=True),
    BASE: Method(False, True, True, _bits_by_svm),
    "ECFP4 bits by random forest": Method(False, True, False, _bits_by_forest),
    "ECFP4 bits by gradient boosting": Method(False, True, False, _bits_by_boosting),
    "ECFP4 bits by ridge": Method(False, True, False, _bits_by_ridge),
}


# ---- Data ----------------------------------------------------------------------------------------


def _files(asked: Any, table: str) -> dict[str, str]:
    """The CSV files of the folder or the zip of this name in --data: name without ending, text."""
    folder = os.path.join(asked.data or _SHARED, table)
    if os.path.isdir(folder):
        found = {}
        for name in sorted(os.listdir(folder)):
            if name.endswith(".csv"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    found[name[:-4]] = file.read()
    elif os.path.exists(folder + ".zip"):
        with zipfile.ZipFile(folder + ".zip") as packed:
            found = {os.path.basename(name)[:-4]: packed.read(name).decode() for name in sorted(packed.namelist()) if name.endswith(".csv")}
    else:
        raise Failure(f"{folder}.zip: no such file, nor a folder {table}; --data FOLDER says where it is ({tables.ABOUT[table]})")
    if not found:
        raise Failure(f"{folder}: found no CSV file")
    return found


def _column(rows: list[dict[str, str]], name: str, where: str) -> list[str]:
    if not rows or name not in rows[0]:
        raise Failure(f"{where}: found no column '{name}', or no rows")
    return [row[name] or "" for row in rows]


def _numbers(texts: list[str], where: str) -> Array:
    try:
        return np.array([float(text) if text.strip() else math.nan for text in texts])
    except ValueError as error:
        raise Failure(f"{where}: found {str(error).rsplit(': ', 1)[-1]}, expected a number") from None


def _valid(smiles: list[str]) -> Array:
    """Which SMILES both RDKit and we can read."""
    from rdkit import Chem, RDLogger
    RDLogger.DisableLog("rdApp.*")
    read = np.array([Chem.MolFromSmiles(s) is not None for s in smiles])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = leman.Dataset.from_smiles(smiles, names=[str(i) for i in range(len(smiles))], on_error="skip")
    return read & np.isin(np.arange(len(smiles)), [int(name) for name in ours.names])


def _molecules(table: str, name: str, text: str) -> Molecules:
    rows = list(csv.DictReader(io.StringIO(text)))
    where = f"{table}/{name}.csv"
    if table == "moleculenet":
        column, targets, classes = NET[name]
        targets = targets or [key for key in rows[0] if key not in ("smiles", "mol_id")]
    else:
        column, targets, classes = "smiles", ["y"], False
    smiles = [s.strip() for s in _column(rows, column, where)]
    y = np.column_stack([_numbers(_column(rows, target, where), where) for target in targets])
    kept = _valid(smiles)
    made = Molecules(name, [s for s, k in zip(smiles, kept) if k], y[kept], classes, int((~kept).sum()))
    if table == "moleculeace":
        part = np.array(_column(rows, "split", where))[kept]
        made.cliffs = _numbers(_column(rows, "cliff_mol", where), where)[kept] == 1
        made.parts = [Part("given", 0, np.flatnonzero(part == "train"), np.flatnonzero(part == "test"))]
    return made


def _by_scaffold(groups: Array, seed: int) -> tuple[Array, Array]:
    """A fifth of the molecules, whole scaffolds drawn at random but those of more than a tenth of the set, against the others."""
    n = len(groups)
    _, number, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    drawn: list[int] = []
    taken = 0
    for one in np.random.default_rng(seed).permutation(len(sizes)):
        if taken < n // 5 and sizes[one] <= max(n // 10, 1) and taken + sizes[one] <= n // 4:
            drawn.append(one)
            taken += sizes[one]
    test = np.isin(number, drawn)
    if not drawn:
        raise Failure(f"a split by scaffold: found {len(sizes)} scaffolds, all of more than a tenth of {n} molecules, expected smaller ones to test on")
    return np.flatnonzero(~test), np.flatnonzero(test)


def _split(of: Molecules, runs: int, seed: int) -> list[Part]:
    groups = np.asarray(of.graphs("").scaffolds())
    made = []
    for s in range(seed, seed + runs):
        order = np.random.default_rng(s).permutation(len(of.smiles))
        fifth = len(order) // 5
        made += [Part("scaffold", s, *_by_scaffold(groups, s)), Part("random", s, np.sort(order[fifth:]), np.sort(order[:fifth]))]
    return made


# ---- Cells ---------------------------------------------------------------------------------------


def _score(y: Array, answers: Array, classes: bool) -> float:
    """Area under the ROC curve, or the root of the mean squared error."""
    if not classes:
        return float(np.sqrt(np.mean((y - answers) ** 2)))
    from sklearn.metrics import roc_auc_score
    return float(roc_auc_score(y, answers))


def _has_both(y: Array, least: int) -> bool:
    return min(int((y == 0).sum()), int((y == 1).sum())) >= least


def _cell(of: Molecules, part: Part, method: Method, asked: Any) -> dict[str, float]:
    """The mean over the tasks that both parts have enough of each class of (FOLDS in training, one in the test)."""
    clock = time.perf_counter if method.network else time.process_time  # a device's work takes no time of the processor
    began, scores, cliffs = clock(), [], math.nan
    for column in of.y.T:
        train, test = (rows[~np.isnan(column[rows])] for rows in (part.train, part.test))
        if of.classes and not (_has_both(column[train], FOLDS) and _has_both(column[test], 1)):
            continue
        answers = method.run(Task(of, train, test, column[train], asked.seed, asked.threads, asked.device or "auto"))
        scores.append(_score(column[test], answers, of.classes))
        if of.cliffs is not None and of.cliffs[test].any():
            at = of.cliffs[test]
            cliffs = _score(column[test][at], answers[at], False)
    values = {"score": float(np.mean(scores)) if scores else math.nan, "tasks": len(scores), "seconds": clock() - began}
    return values if of.cliffs is None else {**values, "cliffs": cliffs}


def _refused(of: Molecules, method: Method) -> str:
    """Why a method is not run on a set, or nothing."""
    if of.classes and not method.classes:
        return "it is for values, not for classes"
    if method.network and of.y.shape[1] > TASKS:
        return f"more than {TASKS} tasks, each of which would have a network of its own"
    if len(of.smiles) > LARGE and (method.pairs or method.network):
        return f"more than {LARGE} molecules" + (", too many for a matrix of all pairs" if method.pairs else "")
    return ""


def _left_out(sets: list[Molecules], method: Method) -> dict[str, list[str]]:
    """The sets that a method is not run on, by the reason."""
    found: dict[str, list[str]] = {}
    for of in sets:
        if why := _refused(of, method):
            found.setdefault(why, []).append(of.name)
    return found


Key = tuple[str, str, str, int]  # set, method, kind and seed of the part
Values = dict[str, float]


def _finished_before(asked: Any, table: str) -> dict[tuple[Key, str, int], Values]:
    """What --resume has, by its key, the checksum of the data and the seed."""
    if not asked.resume or not os.path.exists(asked.resume):
        return {}
    return {((e["set"], e["method"], e["part"], e["part_seed"]), e["data"], e["seed"]): e["values"]
            for e in finished.read(asked.resume) if e["work"] == table}


def _compute(asked: Any, table: str, sets: list[Molecules], methods: list[str], say: Any) -> dict[Key, Values]:
    before, found = _finished_before(asked, table), {}
    for of in sets:
        checksum = f"{of.graphs('').checksum:016x}"
        if not asked.finished:
            of.prepare()
        for part in of.parts:
            for name in (m for m in methods if not _refused(of, METHODS[m])):
                key = (of.name, name, part.kind, part.seed)
                values = before.get((key, checksum, asked.seed))
                if values is None and not asked.finished:
                    values = _cell(of, part, METHODS[name], asked)
                    say(asked, f"{table}, {of.name}, {part.kind} {part.seed}, {name}: {values['score']:.4g}, {values['seconds']:.3g} s")
                    if asked.resume:
                        finished.add(asked.resume, {"work": table, "method": name, "set": of.name, "data": checksum, "seed": asked.seed,
                                                    "part": part.kind, "part_seed": part.seed, "version": leman.__version__, "values": values})
                if values is not None:
                    found[key] = values
    return found


# ---- Pages ---------------------------------------------------------------------------------------


def _p_value(differences: Array) -> str:
    """Of Wilcoxon's signed-rank test, two-sided: that differences are symmetric around 0. Fewer than six cannot reach 0.05."""
    from scipy.stats import wilcoxon
    return f"{wilcoxon(differences).pvalue:.2g}" if len(differences) > 5 and np.any(differences != 0) else ""


def _whose(method: str) -> str:
    return "ours" if METHODS[method].ours else "scikit-learn"


def _row(method: str, cells: list[str]) -> tuple[str, list[str]]:
    return "ours" if METHODS[method].ours else "theirs", [tables.title(method), _whose(method), *cells]


def _published(text: str, names: list[str]) -> dict[str, tuple[Array, Array]]:
    """Errors on these sets, and on their cliffs, of every published method that has them all."""
    rows: dict[str, dict[str, tuple[float, float]]] = {}
    for row in csv.DictReader(io.StringIO(text)):
        name = f"{row['algorithm']} on {row['descriptor']}" + (f", {row['augmentation']} times augmented" if row["augmentation"] not in ("", "0") else "")
        rows.setdefault(name, {})[row["dataset"]] = (float(row["rmse"]), float(row["cliff_rmse"]))
    return {name: tuple(np.array([found[s] for s in names]).T) for name, found in rows.items() if all(s in found for s in names)}  # type: ignore[misc]


def _page_of_cliffs(page: Page, sets: list[Molecules], methods: list[str], found: dict[Key, Values], published: str) -> None:
    """MoleculeACE: means over the sets, and every set."""
    names = [s.name for s in sets]
    done = [m for m in methods if all((s, m, "given", 0) in found for s in names)]
    score = {m: np.array([found[s, m, "given", 0]["score"] for s in names]) for m in done}
    cliffs = {m: np.array([found[s, m, "given", 0]["cliffs"] for s in names]) for m in done}
    rows = []
    for m in done:
        beside = [f"{int((score[m] < score[BASE]).sum())} of {len(names)}", _p_value(score[m] - score[BASE])] if BASE in done and m != BASE else ["", ""]
        seconds = sum(found[s, m, "given", 0]["seconds"] for s in names)
        rows.append(_row(m, [f"{score[m].mean():.3f}", f"{np.nanmean(cliffs[m]):.3f}", *beside, f"{seconds:.0f}"]))
    theirs = sorted(_published(published, names).items(), key=lambda one: float(one[1][0].mean())) if published else []
    rows += [("between", [name, "published", f"{a.mean():.3f}", f"{b.mean():.3f}", "", "", ""]) for name, (a, b) in theirs[:5]]
    page.heading(f"Mean over {len(names)} sets")
    page.paragraph("Root of the mean squared error of all test molecules, and of those with a similar molecule of very different activity (cliffs). Better, p: sets with a "
                   f"smaller error than {BASE}, and Wilcoxon's signed-rank test over the sets. Of the {len(theirs)} published methods the five with the smallest mean.")
    page.table(["method", "", "RMSE", "cliffs", "better", "p", "seconds"], rows)
    page.heading("Every set")
    page.table(["set", "molecules", *map(tables.title, done)],
               [("ours", [s.name, str(len(s.smiles)), *(f"{score[m][i]:.3f}" for m in done)]) for i, s in enumerate(sets)])


def _scores(of: Molecules, method: str, kind: str, found: dict[Key, Values]) -> dict[int, float]:
    """Scores of the runs that there are, by the seed of the split."""
    return {seed: v["score"] for (s, m, k, seed), v in found.items() if (s, m, k) == (of.name, method, kind)}


def _shown(scores: list[float], runs: int) -> str:
    if not scores:
        return ""
    said = f"{np.mean(scores):.3f}" + (f" ±{np.std(scores):.3f}" if len(scores) > 1 else "")
    return said + (f" ×{len(scores)}" if len(scores) < runs else "")


def _page_of_splits(page: Page, sets: list[Molecules], methods: list[str], found: dict[Key, Values]) -> None:
    """MoleculeNet: a table for each kind of split."""
    for kind in ("scaffold", "random"):
        page.heading(f"Split {'by scaffold' if kind == 'scaffold' else 'at random'}")
        page.paragraph("RMSE of targets (smaller is better), area under the ROC curve of classes (AUC, larger is better; the mean over tasks), each with its deviation over the "
                       f"splits; ×N marks a cell of N splits. Better, p: sets with a smaller error than {BASE} on the splits that both have, and Wilcoxon's "
                       "signed-rank test over the sets, of the relative difference of the error, RMSE or 1 - AUC.")
        rows = []
        for m in methods:
            cells, relative = [], []
            for of in sets:
                scores, base = _scores(of, m, kind, found), _scores(of, BASE, kind, found)
                cells.append(_shown(list(scores.values()), sum(part.kind == kind for part in of.parts)))
                both = [seed for seed in scores if seed in base]
                if both:
                    a, b = (abs(of.classes - np.mean([one[seed] for seed in both])) for one in (scores, base))
                    relative.append((a - b) / b)
            seconds = sum(v["seconds"] for (_, method, k, _), v in found.items() if (method, k) == (m, kind))
            beside = ["", ""] if m == BASE or not relative else [f"{sum(r < 0 for r in relative)} of {len(relative)}", _p_value(np.array(relative))]
            if any(cells):
                rows.append(_row(m, [*cells, *beside, f"{seconds:.0f}"]))
        page.table(["method", "", *(f"{of.name} ({'AUC' if of.classes else 'RMSE'})" for of in sets), "better", "p", "seconds"], rows)


def _chosen(asked: Any, table: str, there: list[str]) -> tuple[list[str], list[str]]:
    """Names of sets and of methods. A method is asked for by its name on the page, in any case, with delta or δ."""
    for name in asked.only:
        if name not in there:
            raise Failure(f"option '--only': found '{name}', expected some of {', '.join(there)}", 2)
    known = {tables.title(m).lower(): m for m in METHODS}
    for name in asked.methods:
        if tables.title(name.lower()) not in known:
            raise Failure(f"option '--methods': found '{name}', expected some of {', '.join(METHODS)}", 2)
    methods = [known[tables.title(name.lower())] for name in asked.methods] or list(METHODS)
    kinds = [NET[s][2] for s in asked.only or there] if table == "moleculenet" else [False]
    return [s for s in there if s in asked.only or not asked.only], [m for m in methods if METHODS[m].classes or not all(kinds)]


def reproduce(asked: Any, command: str, say: Any) -> tuple[Page, dict[str, Any]]:
    """Computes one of the two tables. Returns its page, and what --json prints."""
    table = asked.table[0]
    for package in ("rdkit", "sklearn", "scipy"):
        if importlib.util.find_spec(package) is None:
            raise Failure(f"the table {table} needs the Python package {'scikit-learn' if package == 'sklearn' else package}, which was not found")
    files = _files(asked, table)
    names, methods = _chosen(asked, table, [s for s in files if s != "published"] if table == "moleculeace" else [s for s in NET if s in files])
    if table == "moleculeace" and asked.runs:
        raise Failure("option '--runs' has no effect on the table moleculeace, which has one split", 2)
    sets = [_molecules(table, name, files[name]) for name in names]
    for of in sets:
        of.parts = of.parts or _split(of, asked.runs or 3, asked.seed)
    found = _compute(asked, table, sets, methods, say)
    page = Page(tables.TITLES[table], leman.__version__, note="All methods have the same molecules, parts and targets, and select inside the training part.")
    if table == "moleculeace":
        _page_of_cliffs(page, sets, methods, found, files.get("published", ""))
    else:
        _page_of_splits(page, sets, methods, found)
    page.items([(of.name, f"{of.left_out} molecules that RDKit or we refuse are left out") for of in sets if of.left_out]
               + [(tables.title(m), f"not run on {', '.join(names)}: {why}") for m in methods for why, names in _left_out(sets, METHODS[m]).items()])
    page.reproduce(command, [("threads", str(asked.threads)), ("seed", str(asked.seed))], "Seconds are processor time (of networks, by the clock) of training with all selections, and of predictions, without reading molecules and computing fingerprints.")
    cells = [{"set": s, "method": m, "part": kind, "part_seed": seed, "measure": "AUC" if table == "moleculenet" and NET[s][2] else "RMSE",
              **{key: None if isinstance(value, float) and math.isnan(value) else value for key, value in values.items()}}
             for (s, m, kind, seed), values in found.items()]
    return page, {"version": leman.__version__, "threads": asked.threads, "seed": asked.seed, "tables": [{"table": table, "cells": cells}]}
