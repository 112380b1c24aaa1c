"""The published tables: what published/NAME.csv holds, and what else is known of their sets and methods.

A line of a CSV file is one printed result: quantity, method, set, value, deviation, note. The value is a number as printed, OOM
(out of memory), OOT (out of time: one day), <1, or empty where the table has nothing. A note says why the line is a misprint.
Rows and columns of a table are its methods and sets in the order of the file.
"""
from __future__ import annotations

import csv
import math
import os
from typing import NamedTuple

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "published")
KERNELS = ("kernels", "overfitting", "times")
NETWORKS = ("zinc", "pair-networks", "qm9", "alchemy", "tu-networks", "mid-scale", "network-times")
PERCENT = ("kernels", "overfitting", "tu-networks", "mid-scale")

TITLES = {
    "kernels": "Test accuracy in percent",
    "overfitting": "Training against test accuracy in percent",
    "times": "Seconds of a Gram matrix",
    "zinc": "ZINC: mean absolute error",
    "pair-networks": "ZINC: mean absolute error of pair networks",
    "qm9": "QM9: mean standardised absolute error",
    "alchemy": "Alchemy: mean standardised absolute error and its logarithm",
    "tu-networks": "Small sets: test accuracy of networks in percent",
    "mid-scale": "Mid-scale sets: test accuracy in percent, seconds of features",
    "network-times": "Seconds of an epoch relative to δ-2-LGNN",
    "brec": "BREC: pairs of graphs that tests tell apart",
    "moleculeace": "MoleculeACE: activities of molecules, by kernels and by fingerprints",
    "moleculenet": "MoleculeNet: properties of molecules, by kernels and by fingerprints",
}
ABOUT = {
    "moleculeace": "the CSV files of molML/MoleculeACE with columns smiles, y, split and cliff_mol, and published.csv with the results of its authors",
    "moleculenet": "ESOL.csv, FreeSolv.csv, Lipophilicity.csv, BACE.csv, BBBP.csv, ClinTox.csv, SIDER.csv, Tox21.csv and HIV.csv, or some of them",
    "brec": "Every test colours until stable. Pairs of graphs that colour refinement does not tell apart, in seven classes "
            "(Wang and Zhang, 2024). 2-FWL is the test that the published table calls 3-WL.",
    "zinc": "Test error of the epoch that validates best, on the parts of the benchmark; the target as it is.",
    "pair-networks": "Test error of the epoch that validates best, on the parts of the benchmark, by networks of 2023 and 2024 with their "
                     "published recipe: batches of 128, the rate halved after more than 20 epochs without a better validation error.",
    "qm9": "Twelve targets by one network, each over its deviation in the training part; a tenth of the graphs validates and a "
           "tenth tests, drawn anew for every run.",
    "alchemy": "Twelve targets by one network, each over its deviation in the training part; the mean of the errors, and of "
               "their natural logarithms.",
    "tu-networks": "Ten folds in every run; a tenth of the training part chooses among 1 to 5 layers of width 32, 64 and 128.",
    "mid-scale": "Ten folds in every run: kernels with rounds 0 to 5 and a linear SVM, networks of two layers of width 64. "
                 "Seconds: features with two rounds, one thread, processor time. Tox21_AHR and Mutagenicity stand in for the "
                 "sets of the paper.",
    "network-times": "Wall time of an epoch with validation, the first one left out, over that of δ-2-LGNN; our seconds below. "
                     "The published ratios come from programs that store lists of neighbouring tuples.",
}

# Why the published results of a method are not those of its definition, and the mark of that sentence.
_ORDER = ("³", "the published figures depend on the order of the graphs in the file and are not what the definition gives: "
               "docs/reproduction.md")
REMARKS = {
    "GR": ("¹", "the program behind the published figures gives a triangle and a path with the same labels one feature; by the "
                "definition they are two: docs/reproduction.md"),
    "SP": ("²", "the program behind the published figures counts every vertex to itself at distance 2; the definition does not: "
                "docs/reproduction.md"),
    "delta-2-LWL+": _ORDER,
    "delta-3-LWL+": _ORDER,
}
# Graphs of the largest class, and all graphs.
_LARGEST = {"ENZYMES": (100, 600), "IMDB-BINARY": (500, 1000), "IMDB-MULTI": (500, 1500), "NCI1": (2057, 4110),
            "NCI109": (2079, 4127), "PTC_FM": (206, 349), "PROTEINS": (663, 1113), "REDDIT-BINARY": (1000, 2000)}
# Sets of regressions: the file or folder, lists of the graphs that train, validate and test (none: drawn for every run), and
# the published limit of epochs.
_LISTS = ("train.index", "val.index", "test.index")
REGRESSIONS = {
    "ZINC_10k": ("ZINC_10k", _LISTS, 500),
    "ZINC_50k": ("ZINC_full", ("split_train_50.index", "split_val_50.index", "test.index"), 500),
    "ZINC_full": ("ZINC_full", _LISTS, 1000),
    "QM9": ("QM9", None, 1000),
    "Alchemy_10k": ("alchemy_full", ("train_al_10.index", "val_al_10.index", "test_al_10.index"), 200),
    "Alchemy_50k": ("alchemy_full", ("train_al_50.index", "val_al_50.index", "test_al_50.index"), 500),
    "Alchemy_full": ("alchemy_full", None, 1000),
}
# The published limits of epochs that differ from those of the other tables.
_PAIR_EPOCHS = {"ZINC_10k": 400, "ZINC_full": 500}
# Names under which the library knows methods that it has by another name than the tables.
_KNOWN = {"MPNN": "mpnn", "1-2-GNN": "gnn12", "1-3-GNN": "gnn13", "1-2-3-GNN": "gnn123", "3-IGN": "ppgn"}


class Published(NamedTuple):
    word: str  # "OOM", "OOT", "<1"; "": a number, or nothing
    value: float  # NaN: no number
    deviation: float  # NaN: none is printed
    note: str  # why it is a misprint; "": it is none


NOTHING = Published("", math.nan, math.nan, "")


class Table:
    """One CSV file: methods, sets and quantities in its order, and its results."""

    def __init__(self, name: str) -> None:
        self.name, self.title = name, TITLES[name]
        self.results: dict[tuple[str, str, str], Published] = {}
        with open(os.path.join(FOLDER, name + ".csv"), encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                word = row["value"] if row["value"] in ("OOM", "OOT", "<1") else ""
                self.results[row["quantity"], row["method"], row["set"]] = Published(
                    word, float(row["value"]) if row["value"] and not word else math.nan,
                    float(row["deviation"]) if row["deviation"] else math.nan, row["note"])
        self.quantities, self.methods, self.sets = (list(dict.fromkeys(key[i] for key in self.results)) for i in range(3))

    def published(self, quantity: str, method: str, set_: str) -> Published:
        return self.results.get((quantity, method, set_), NOTHING)

    def epochs(self, set_: str) -> int:
        """The published limit of epochs; 0: none is published."""
        if self.name == "pair-networks":
            return _PAIR_EPOCHS[set_]
        return REGRESSIONS[set_][2] if set_ in REGRESSIONS else 0

    def is_kernel(self, method: str) -> bool:
        return self.name in KERNELS or self.name == "mid-scale" and not method.startswith("GINE")


def load(names: list[str]) -> list[Table]:
    return [Table(name) for name in (*KERNELS, *NETWORKS) if name in names]


def known(method: str) -> str:
    """The name under which the library has a method."""
    return _KNOWN.get(method, method)


def title(method: str) -> str:
    """The name of a method on pages: "δ-2-LWL"."""
    return method.replace("delta", "δ").replace("eps", "ε")


def file_of(set_: str) -> str:
    """The name of the zip or folder that a set is in."""
    return REGRESSIONS[set_][0] if set_ in REGRESSIONS else set_


def majority(set_: str) -> float:
    """What predicting the largest class always scores, in percent."""
    return 100 * _LARGEST[set_][0] / _LARGEST[set_][1]
