"""GraKeL's converters, and its helpers for matrices that are computed already."""
from __future__ import annotations

import itertools
from typing import Any, Iterable, Sequence

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Bunch, check_random_state
from sklearn.utils.validation import check_is_fitted

from .. import _values as v
from .._convert import from_networkx
from .._pyg import from_pyg
from .._dataset import Dataset
from .._errors import ArgumentError, InputError


class Graph(list[Any]):
    """A graph as GraKeL's lists have it: edges (an adjacency matrix, a dictionary or pairs), labels of vertices and of edges. Every
    kernel takes it."""

    def __init__(self, initialization_object: Any = None, node_labels: Any = None, edge_labels: Any = None,
                 graph_format: str = "auto", construct_labels: bool = False) -> None:
        super().__init__([{} if initialization_object is None else initialization_object, node_labels, edge_labels])
        if construct_labels and node_labels is None:
            self[1] = {node: len(near) for node, near in self._neighbors().items()}

    def _data(self) -> Any:
        from .._convert import from_grakel
        return from_grakel([self])[0]

    def _neighbors(self) -> dict[Any, dict[Any, float]]:
        """{vertex: {neighbour: 1.0}}."""
        graph = self._data()
        names = graph.nodes
        found: dict[Any, dict[Any, float]] = {name: {} for name in names}
        for tail, head in graph.edge_index.T.tolist():
            found[names[tail]][names[head]] = 1.0
        return found

    def get_adjacency_matrix(self) -> Any:
        graph = self._data()
        found = np.zeros((len(graph), len(graph)))
        found[tuple(graph.edge_index)] = 1
        return found

    def get_vertices(self, purpose: str = "any") -> list[Any]:
        return list(range(len(self._data()))) if purpose == "adjacency" else list(self._data().nodes)

    def get_labels(self, label_type: str = "vertex", purpose: str = "any", return_none: bool = False) -> Any:
        """{vertex: label}, or with label_type="edge" {(u, v): label}."""
        found = self[1 if label_type == "vertex" else 2]
        if found is None and not return_none:
            raise ArgumentError(f"label_type: found {label_type!r}, but the graph has no such labels")
        return found


# ---- Converters ----------------------------------------------------------------------------------


def graph_from_networkx(X: Iterable[Any], node_labels_tag: str | None = None, edge_labels_tag: str | None = None,
                        edge_weight_tag: str | None = None, as_Graph: bool = False, val_node_labels: Any = None,
                        val_edge_labels: Any = None) -> Any:
    """networkx graphs as a leman.Dataset, or with as_Graph as a list of Graph; every kernel takes both. val_node_labels and val_edge_labels:
    the label of all vertices or edges where no tag says which they have."""
    graphs: list[Any] = [X] if hasattr(X, "is_directed") else v.listed(X, "X")
    for name, tag, value in (("node", node_labels_tag, val_node_labels), ("edge", edge_labels_tag, val_edge_labels)):
        if value is not None and tag is not None:
            raise ArgumentError(f"val_{name}_labels: found {v.shown(value)} beside {name}_labels_tag, expected one of them")
    if as_Graph:
        return [_graph_of_networkx(graph, node_labels_tag, edge_labels_tag, edge_weight_tag, val_node_labels, val_edge_labels) for graph in graphs]
    for what, value in (("nodes", val_node_labels), ("edges", val_edge_labels)):
        if value is not None:
            graphs = [graph.copy() for graph in graphs]  # with dictionaries of their own
            for graph in graphs:
                for *_, items in getattr(graph, what)(data=True):
                    items[_CONSTANT] = value
    return from_networkx(graphs, node_label=node_labels_tag if val_node_labels is None else _CONSTANT,
                         edge_label=edge_labels_tag if val_edge_labels is None else _CONSTANT,
                         edge_attributes=[edge_weight_tag] if edge_weight_tag else [])


_CONSTANT = "leman.grakel: a label that all have"


def _graph_of_networkx(graph: Any, node_tag: str | None, edge_tag: str | None, weight_tag: str | None, node_label: Any, edge_label: Any) -> Graph:
    """A tag names what a vertex or an edge has; without one all have the label that is given, or none."""
    if graph.is_multigraph():
        raise InputError("X: found a multigraph, expected at most one edge between two vertices with as_Graph=True")

    def values(items: dict[Any, Any], tag: str | None, constant: Any) -> dict[Any, Any] | None:
        if tag is None:
            return None if constant is None else dict.fromkeys(items, constant)
        try:
            return {item: own[tag] for item, own in items.items()}
        except KeyError:
            raise InputError(f"X: found a vertex or an edge without the attribute {tag!r}, expected one of each") from None

    near = {node: dict(ends) for node, ends in graph.adjacency()}
    edges = {(u, w): own for u, ends in near.items() for w, own in ends.items()}
    weights = values(edges, weight_tag, 1.0) or {}
    return Graph({u: {w: weights[u, w] for w in ends} for u, ends in near.items()}, values(dict(graph.nodes(data=True)), node_tag, node_label),
                 values(edges, edge_tag, edge_label))


def graph_from_torch_geometric(data: Any, node_one_hot: bool = False, edge_one_hot: bool = False, ignore_y: bool = False) -> Any:
    """(graphs, y) of PyG's Data, Batch or a list, graphs being a leman.Dataset; graphs alone with ignore_y. One-hot columns are labels
    anyway."""
    found = from_pyg(data if isinstance(data, (list, tuple)) else [data])
    return found if ignore_y else (found, found.y)


def graph_from_pandas(edge_df: tuple[Any, Any, tuple[Any, Any], Any, Any], node_df: tuple[Any, Any, Any] | None = None,
                      directed: bool = False, as_Graph: bool = False) -> dict[Any, Any]:
    """{key of the graph: [edges, labels, edge labels]} from tables: edge_df = (table, column of the graph, (source, destination), column of
    the weight or None, column of the label or None), node_df = (table, column of the graph, column of the label or None), whose
    index has the vertices. A list of columns is a tuple as label."""
    table, of_graph, (source, destination), weight, label = edge_df

    def values(frame: Any, column: Any) -> list[Any]:
        return list(map(tuple, frame[column].to_numpy().tolist())) if isinstance(column, list) else frame[column].tolist()

    found: dict[Any, list[Any]] = {}
    if node_df is not None:
        nodes, key, column = node_df
        labels = [None] * len(nodes) if column is None else values(nodes, column)
        for graph, node, own in zip(nodes[key].tolist(), nodes.index.tolist(), labels):
            edges, on_nodes, _ = found.setdefault(graph, [{}, None if column is None else {}, None])
            edges[node] = {}
            if on_nodes is not None:
                on_nodes[node] = own
    weights = [1.0] * len(table) if weight is None else table[weight].tolist()
    on_edges = [None] * len(table) if label is None else values(table, label)
    for graph, u, w, length, own in zip(table[of_graph].tolist(), table[source].tolist(), table[destination].tolist(), weights, on_edges):
        if node_df is not None and (graph not in found or u not in found[graph][0] or w not in found[graph][0]):
            raise InputError(f"edge_df: found the edge {u!r}, {w!r} of graph {graph!r}, expected vertices of node_df")
        made = found.setdefault(graph, [{}, None, None])
        for tail, head in ((u, w),) if directed else ((u, w), (w, u)):
            made[0].setdefault(tail, {})[head] = length
            made[0].setdefault(head, {})
            if label is not None:
                made[2] = made[2] or {}
                made[2][tail, head] = own
    return {key: Graph(*graph) if as_Graph else graph for key, graph in found.items()}


def graph_from_csv(edge_files: tuple[Iterable[Any], bool, bool | None], node_files: tuple[Iterable[Any], bool | None] | None = None,
                   index_type: Any = str, directed: bool = False, sep: str = ",", as_Graph: bool = False) -> list[list[Any]]:
    """[edges, labels, edge labels] for each file of edges, whose lines are "u,v[,weight][,label or attributes]"; edge_files = (paths, whether
    there is a weight, whether there are attributes (True), a label (False) or neither (None)), node_files = (paths, the same)."""
    def lines(path: Any) -> list[list[str]]:
        with open(path, encoding="utf-8") as file:
            return [[item.strip() for item in line.split(sep)] for line in file if line.strip()]

    def label(items: list[str], attributes: bool) -> Any:
        return tuple(map(float, items)) if attributes else items[0]

    paths, weighted, on_edges = edge_files
    on_nodes = None if node_files is None else list(node_files[0])
    found: list[list[Any]] = []
    for place, path in enumerate(paths):
        edges: dict[Any, dict[Any, float]] = {}
        labels: dict[Any, Any] = {}
        marked: dict[Any, Any] = {}
        for node, *rest in lines(on_nodes[place]) if on_nodes is not None else []:
            edges[index_type(node)] = {}
            if node_files is not None and node_files[1] is not None:
                labels[index_type(node)] = label(rest, node_files[1])
        for u, w, *rest in lines(path):
            length = float(rest.pop(0)) if weighted else 1.0
            first, second = index_type(u), index_type(w)
            for tail, head in ((first, second),) if directed else ((first, second), (second, first)):
                edges.setdefault(tail, {})[head] = length
                edges.setdefault(head, {})
                if on_edges is not None:
                    marked[tail, head] = label(rest, on_edges)
        graph = Graph(edges, labels or None, marked or None)
        found.append(graph if as_Graph else list(graph))
    return found


# ---- Matrices that are computed already ----------------------------------------------------------


class KMTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Rows and columns of a Gram matrix K by the numbers of graphs, for pipelines: KMTransformer(K).fit(train).transform(test)."""

    def __init__(self, K: Any = None) -> None:
        self.K = K

    def _numbers(self, X: Any) -> Any:
        found = v.integers(X, "X")
        size = len(self.K_)
        if found.ndim != 1 or found.size and not (0 <= found.min() and found.max() < size):
            raise ArgumentError(f"X: found {v.shown(X)}, expected numbers of graphs below {size}")
        return found

    def fit(self, X: Any, y: Any = None) -> KMTransformer:
        given = self.K.mat if isinstance(self.K, Bunch) else self.K
        self.K_ = v.array(given.toarray() if hasattr(given, "toarray") else given, "K", "a Gram matrix").astype(np.float64) \
            if given is not None else np.ones((1, 1))
        if self.K_.ndim != 2 or self.K_.shape[0] != self.K_.shape[1]:
            raise ArgumentError(f"K: found an array of shape {self.K_.shape}, expected a square matrix")
        self.X = self._numbers(X)
        return self

    def transform(self, X: Any) -> Any:
        check_is_fitted(self, "X")
        return self.K_[np.ix_(self._numbers(X), self.X)]


def _is_matrix(given: Any) -> bool:
    try:
        return np.ndim(given) == 2
    except ValueError:  # rows of different lengths
        return False


def cross_validate_Kfold_SVM(K: Sequence[Any], y: Any, n_iter: int = 10, n_splits: int = 10, C_grid: Any = None, random_state: Any = None,
                             scoring: Any = "accuracy", fold_reduce: Any = None) -> list[list[float]]:
    """For each element of K, a Gram matrix or a list of them to select from, the mean score of each of n_iter repetitions of n_splits folds.
    A random tenth of the training part selects C and the matrix. leman.evaluate() has intervals and tests as well."""
    from sklearn.model_selection import GridSearchCV, KFold, ShuffleSplit
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import SVC
    y = np.asarray(y)
    grid = (10.0 ** np.arange(-7, 7, 2) / len(y)).tolist() if C_grid is None else np.ravel(C_grid).tolist()
    state, reduce = check_random_state(random_state), np.mean if fold_reduce is None else fold_reduce
    folder = KFold(n_splits=n_splits, random_state=state, shuffle=True)
    repetitions = [list(folder.split(y)) for _ in range(n_iter)]
    found = []
    listed = [[given] if _is_matrix(given) else v.listed(given, "K") for given in v.listed(K, "K")]
    for matrix in itertools.chain.from_iterable(listed):
        if np.shape(matrix) != (len(y), len(y)):
            found_here = f"an element of shape {np.shape(matrix)}" if np.ndim(matrix) else "numbers"
            raise ArgumentError(f"K: found {found_here}, expected a list of Gram matrices of {len(y)} graphs, or of lists of "
                                "such matrices")
    for several in listed:
        parameters = {"svc__C": grid, "kmtransformer__K": [Bunch(mat=matrix) for matrix in several]}
        means = []
        for folds in repetitions:
            scores = []
            for train, test in folds:
                search = GridSearchCV(make_pipeline(KMTransformer(), SVC(kernel="precomputed")), parameters, scoring=scoring,
                                      cv=ShuffleSplit(n_splits=1, test_size=0.1, random_state=state))
                scores.append(search.fit(train, y[train]).score(test, y[test]))
            means.append(float(reduce(scores)))
        found.append(means)
    return found
