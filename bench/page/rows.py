"""The rows of the benchmarks page: each function makes a case, the same work by Leman and by another tool.

A row names its tool and what the tool needs: modules of Python, and programs ("build/NAME" is one of our build). Its function gets a size, which is 1 for the page
and smaller for --quick, and returns a Case. `agree` compares the two results and returns "" if they are equal, otherwise a sentence.
Data come from LEMAN_DATA where it has them, otherwise they are generated.
"""
from __future__ import annotations

import atexit
import gzip
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from typing import Any, Callable, NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.environ.get("LEMAN_DATA") or os.path.join(ROOT, "..", "shared", "data")
BUILD = os.environ.get("LEMAN_BUILD") or os.path.join(ROOT, "build")


class Case(NamedTuple):
    what: str  # the input: "188 graphs of MUTAG"
    ours: Callable[[], Any]
    theirs: Callable[[], Any]
    agree: Callable[[Any, Any], str]


class Row(NamedTuple):
    name: str
    tool: str
    modules: tuple[str, ...]
    programs: tuple[str, ...]
    make: Callable[[float], Case]


ROWS: list[Row] = []


def row(name: str, tool: str, *modules: str, programs: tuple[str, ...] = ()) -> Callable[[Callable[[float], Case]], Callable[[float], Case]]:
    def add(make: Callable[[float], Case]) -> Callable[[float], Case]:
        ROWS.append(Row(name, tool, modules, programs, make))
        return make
    return add


def program(name: str) -> str:
    """The path of a program, "" where it is missing."""
    path = os.path.join(BUILD, name[len("build/"):]) if name.startswith("build/") else shutil.which(name) or ""
    return path if os.path.exists(path) else ""


def scratch() -> str:
    """A folder that is removed when the process ends."""
    folder = tempfile.mkdtemp(prefix="leman-bench-")
    atexit.register(shutil.rmtree, folder)
    return folder


def missing(one: Row) -> list[str]:
    """What the row needs and this Python does not have."""
    import importlib.util
    return [m for m in one.modules if importlib.util.find_spec(m) is None] + [p for p in one.programs if not program(p)]


def graphs_of(name: str, count: float) -> tuple[Any, str]:
    """Some graphs of a data set, or as many generated ones, and what they are."""
    import leman
    path, count = os.path.join(DATA, f"{name}.zip"), max(4, int(count))
    if os.path.exists(path):
        data = leman.Dataset.read(path)
        kept = range(0, len(data), max(1, len(data) // count))[:count]  # spread over the file, which may be sorted by class
        return data[list(kept)], f"{len(kept):,} graphs of {name}"
    return leman.generate("molecules", graphs=count, seed=1), f"{count:,} generated molecules"


def near(tolerance: float) -> Callable[[Any, Any], str]:
    """Are two matrices equal but for rounding?"""
    def agree(ours: Any, theirs: Any) -> str:
        import numpy as np
        apart = float(np.abs(ours - theirs).max() / np.abs(theirs).max())
        return "" if apart <= tolerance else f"results differ by {apart:.1g}"
    return agree


def expected(reason: str) -> Callable[[Any, Any], str]:
    return lambda ours, theirs: reason


# ---- GraKeL: from lists of [edges, labels] to a Gram matrix ------------------------------------------


def _lists(data: Any, edge_labels: bool, vectors: bool) -> list[Any]:
    """Graphs as GraKeL's users have them; without those that have isolated vertices, which GraKeL loses."""
    import numpy as np
    random, made = np.random.default_rng(1), []
    for graph in data:
        if not (graph.degrees > 0).all():
            continue
        edges = list(map(tuple, graph.edge_index.T.tolist()))
        labels = dict(enumerate(map(tuple, random.normal(size=(len(graph), 3)).tolist()) if vectors else graph.vertex_labels))
        marks = graph.edge_labels or [0] * len(edges)
        made.append([edges, labels, dict(zip(edges, marks))] if edge_labels else [edges, labels])
    return made


def _grakel(kernel: str, name: str, where: str, count: int, how: dict[str, Any], agree: Callable[[Any, Any], str]) -> None:
    @row(name, "GraKeL", "grakel")
    def make(size: float) -> Case:
        import grakel.kernels
        import leman.grakel
        data, what = graphs_of(where, count * size)
        graphs = _lists(data, kernel == "NeighborhoodSubgraphPairwiseDistance", kernel == "GraphHopper")
        return Case(what, lambda: getattr(leman.grakel, kernel)(n_jobs=1, **how).fit_transform(graphs),
                    lambda: getattr(grakel.kernels, kernel)(**how).fit_transform(graphs), agree)


_OTHER = expected("other numbers: docs/python.md says why")
for _case in (("WeisfeilerLehman", "1-WL, 5 rounds", "NCI1", 600, {"n_iter": 5}, near(0)),
              ("WeisfeilerLehmanOptimalAssignment", "WLOA, 5 rounds", "PROTEINS", 80, {"n_iter": 5}, near(0)),
              ("ShortestPath", "shortest paths", "NCI1", 150, {}, near(0)),
              ("NeighborhoodHash", "neighbourhood hash", "PTC_FM", 150, {"random_state": 0}, near(1e-12)),
              ("HadamardCode", "Hadamard codes", "PTC_FM", 150, {}, near(1e-12)),
              ("NeighborhoodSubgraphPairwiseDistance", "NSPD", "MUTAG", 40, {}, _OTHER),
              ("OddSth", "ODD, depth 3", "MUTAG", 100, {"h": 3}, _OTHER),
              ("RandomWalk", "random walks", "MUTAG", 30, {"lamda": 0.01}, near(1e-3)),  # GraKeL's iteration ends at 1e-6
              ("RandomWalkLabeled", "labelled random walks", "MUTAG", 8, {"lamda": 0.01, "method_type": "baseline"}, near(1e-6)),
              ("PyramidMatch", "pyramid match", "MUTAG", 60, {}, _OTHER),
              ("GraphHopper", "GraphHopper, Gaussian", "MUTAG", 20, {"kernel_type": "gaussian"}, near(1e-6))):
    _grakel(*_case)


# ---- networkx, nauty and BLISS: names of graphs --------------------------------------------------------


@row("graph hash, 3 rounds", "networkx", "networkx")
def hashes(size: float) -> Case:
    import leman
    import networkx as nx
    data, what = graphs_of("NCI1", 1000 * size)
    graphs = [nx.Graph(graph.edges.tolist()) for graph in data if len(graph.edges)]

    def classes(texts: list[str]) -> list[int]:
        return [texts.index(text) for text in texts]
    return Case(f"{what}, as networkx has them", lambda: leman.graph_hash(graphs, "1-WL", 3, n_jobs=1),
                lambda: [nx.weisfeiler_lehman_graph_hash(graph, iterations=3) for graph in graphs],
                lambda ours, theirs: "" if classes(ours) == classes(theirs) else "classes of equal hashes differ")


@row("isomorphism", "networkx", "networkx")
def isomorphism(size: float) -> Case:
    import leman
    import networkx as nx
    import numpy as np
    random, pairs = np.random.default_rng(1), []
    for seed in range(max(2, int(30 * size))):
        graph = nx.random_regular_graph(3, 30, seed=seed)
        other = nx.relabel_nodes(graph, dict(enumerate(random.permutation(30).tolist()))) if seed % 2 else nx.random_regular_graph(3, 30, seed=seed + 999)
        pairs.append((graph, other))
    return Case(f"{len(pairs)} pairs of random 3-regular graphs of 30 vertices, as networkx has them",
                lambda: [leman.isomorphic(*pair) for pair in pairs], lambda: [nx.is_isomorphic(*pair) for pair in pairs],
                lambda ours, theirs: "" if list(map(bool, ours)) == theirs else "the answers differ")


def _regular(count: float) -> list[Any]:
    """Random graphs, and every one once more with its vertices shuffled."""
    import networkx as nx
    import numpy as np
    random = np.random.default_rng(1)
    graphs = [nx.random_regular_graph(3, 20, seed=seed) for seed in range(max(2, int(count / 2)))]
    shuffled = [nx.relabel_nodes(graph, dict(enumerate(random.permutation(20).tolist()))) for graph in graphs]
    return [nx.from_edgelist(graph.edges, nx.empty_graph(20)) for graph in graphs + shuffled]


def _lines(command: list[str], path: str) -> list[str]:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(path, encoding="ascii") as file:
        return [line.strip() for line in file if not line.startswith(">")]


def _same_classes(ours: list[Any], theirs: list[Any]) -> str:
    return "" if len(set(ours)) == len(set(theirs)) else f"found {len(set(ours))} classes, the other tool {len(set(theirs))}"


@row("canonical forms of a file", "nauty", "networkx", programs=("nauty-labelg",))
def labelg(size: float) -> Case:
    import networkx as nx
    graphs, folder = _regular(1000 * size), scratch()
    data, ours, theirs = (os.path.join(folder, name) for name in ("data.g6", "ours.g6", "theirs.g6"))
    with open(data, "wb") as file:
        for graph in graphs:
            file.write(nx.to_graph6_bytes(graph, header=False))
    return Case(f"{len(graphs):,} random 3-regular graphs of 20 vertices, both programs with reading and writing",
                lambda: _lines([os.path.join(BUILD, "leman"), "canonical", data, "-t", "1", "--quiet", "-o", ours], ours),
                lambda: _lines([program("nauty-labelg"), "-q", "-g", data, theirs], theirs), _same_classes)


@row("canonical forms in memory", "igraph (BLISS)", "igraph", "networkx")
def bliss(size: float) -> Case:
    import igraph
    import leman
    graphs = _regular(1000 * size)
    theirs = [igraph.Graph(len(graph), list(graph.edges)) for graph in graphs]
    data = leman.Dataset.from_igraph(theirs)
    return Case(f"{len(graphs):,} random 3-regular graphs of 20 vertices, each tool's own objects", lambda: leman.canonical(data),
                lambda: [tuple(sorted(g.permute_vertices(g.canonical_permutation()).get_edgelist())) for g in theirs], _same_classes)


# ---- RDKit -------------------------------------------------------------------------------------------


def _smiles(count: float) -> tuple[list[str], str]:
    """Different SMILES that RDKit reads, and what they are."""
    from rdkit import Chem
    path, count = os.path.join(DATA, "ZINC_full.csv.gz"), max(20, int(count))
    if os.path.exists(path):
        with gzip.open(path, "rt", encoding="ascii") as file:
            next(file)  # names of columns
            texts = [line.split(",", 1)[0] for line in itertools.islice(file, 0, 40 * count, 40)]  # spread over the file
        return texts, f"{len(texts):,} SMILES of ZINC"
    parts = ["C", "CC", "c1ccccc1", "N", "O", "C(=O)", "C1CCCCC1", "S", "c1ccncc1", "C(F)"]
    made = ("".join(parts[int(digit)] for digit in f"{(i * 7919 + 1234) % 100000:05d}") + "C" for i in range(100000))  # each of the numbers of five digits once
    texts = list(itertools.islice((text for text in made if Chem.MolFromSmiles(text) is not None), count))
    return texts, f"{len(texts):,} generated SMILES"


@row("reading SMILES", "RDKit", "rdkit")
def reading(size: float) -> Case:
    import leman
    from rdkit import Chem
    smiles, what = _smiles(5000 * size)
    return Case(f"{what} in a list", lambda: leman.Dataset.from_smiles(smiles), lambda: [Chem.MolFromSmiles(text) for text in smiles],
                lambda ours, theirs: "" if ours.num_vertices == sum(m.GetNumAtoms() for m in theirs) else "numbers of atoms differ")


@row("Tanimoto of ECFP4 counts", "RDKit", "rdkit")
def fingerprints(size: float) -> Case:
    import leman
    import numpy as np
    from rdkit import Chem, DataStructs
    from rdkit.Chem import rdFingerprintGenerator
    smiles, what = _smiles(600 * size)

    def theirs() -> Any:
        generator = rdFingerprintGenerator.GetMorganGenerator(radius=2, includeRedundantEnvironments=True)  # every environment counts
        prints = [generator.GetSparseCountFingerprint(Chem.MolFromSmiles(text)) for text in smiles]
        return np.array([DataStructs.BulkTanimotoSimilarity(one, prints) for one in prints])
    return Case(f"all pairs of {what}",
                lambda: leman.WLKernel("ECFP4", n_jobs=1).fit_transform(leman.Dataset.from_smiles(smiles, atom_labels="ecfp")), theirs, near(1e-9))


# ---- scikit-learn and PyTorch Geometric ----------------------------------------------------------------


@row("SVMs of a grid, 3 matrices, 7 C", "scikit-learn", "sklearn", programs=("build/bench_svm",))
def machines(size: float) -> Case:
    import leman
    import numpy as np
    sys.path.insert(0, os.path.join(ROOT, "bench"))
    import compare_sklearn as protocol
    data, what = graphs_of("PROTEINS", 400 * size)
    labels = np.unique(np.asarray(data.y), return_inverse=True)[1].tolist()
    folds, folder, protocol.ROUNDS = list(protocol.folds_of(len(labels), 2)), scratch(), 3
    for rounds in range(protocol.ROUNDS):
        np.save(os.path.join(folder, f"{rounds}.npy"), leman.WLKernel("1-WL", rounds, normalize=True).fit_transform(data))

    def agree(ours: bytes, theirs: bytes) -> str:
        same = np.mean(np.frombuffer(ours, np.uint8) == np.frombuffer(theirs, np.uint8))
        return "" if same >= 0.99 else f"only {100 * same:.1f} % of the predictions are the same"
    return Case(f"{what}, {len(folds)} folds, with reading the matrices", lambda: protocol.run_leman(BUILD, folder, labels, folds)[1],
                lambda: protocol.run_sklearn(folder, labels, folds)[3], agree)


@row("training GIN-0, 3 epochs", "PyTorch Geometric", "torch", "torch_geometric")
def training(size: float) -> Case:
    import leman
    import numpy as np
    import torch
    from torch_geometric.data import Data
    from torch_geometric.loader import DataLoader
    from torch_geometric.nn import GINConv, global_add_pool
    torch.set_num_threads(1)
    data, what = graphs_of("MUTAG", 188 * size)
    labels = sorted({label for graph in data for label in graph.vertex_labels})
    classes = np.unique(np.asarray(data.y), return_inverse=True)[1]
    graphs = [Data(x=torch.eye(len(labels))[[labels.index(v) for v in graph.vertex_labels]], edge_index=torch.tensor(np.array(graph.edge_index), dtype=torch.long),
                   y=torch.tensor([int(y)])) for graph, y in zip(data, classes)]
    held_out = len(graphs) // 10

    class Network(torch.nn.Module):  # type: ignore[misc]
        """The published GIN, as the network of our preset tu has it."""
        def __init__(self) -> None:
            super().__init__()
            nn = torch.nn
            widths = [len(labels)] + 4 * [64]
            self.layers = nn.ModuleList(GINConv(nn.Sequential(nn.Linear(w, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.BatchNorm1d(64))) for w in widths)
            self.head = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Dropout(0.5), nn.Linear(64, int(classes.max()) + 1))

        def forward(self, batch: Any) -> Any:
            x = batch.x
            for layer in self.layers:
                x = layer(x, batch.edge_index)
            return self.head(global_add_pool(x, batch.batch))

    def theirs() -> int:
        network = Network()
        adam = torch.optim.Adam(network.parameters(), lr=0.01)
        for _ in range(3):
            network.train()
            for batch in DataLoader(graphs[held_out:], batch_size=64, shuffle=True):
                adam.zero_grad()
                torch.nn.functional.cross_entropy(network(batch), batch.y).backward()
                adam.step()
            network.eval()
            with torch.no_grad():
                for batch in DataLoader(graphs[:held_out], batch_size=64):
                    network(batch)
        return sum(p.numel() for p in network.parameters())

    def ours() -> int:
        network = leman.nn.GraphNetwork(model="GIN-0", preset="tu", epochs=3, batch_size=64, learning_rate=0.01, device="cpu", n_jobs=1, random_state=1,
                                        ignore_edge_labels=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return int(network.fit(data, classes).describe()["parameters"])
    return Case(f"{what}, width 64, batches of 64", ours, theirs,
                lambda mine, other: "" if mine == other else f"our network has {mine:,} parameters, the other {other:,}")
