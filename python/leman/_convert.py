"""Graphs of other libraries into data sets and back. Nothing is imported before it is needed: what a graph is, its type says.

Each converter collects flat arrays and calls from_arrays() once. `as_dataset` is what every estimator and function of the
package takes its graphs through.
"""
from __future__ import annotations

import itertools
from typing import Any, Callable, Iterable, Sequence

import numpy as np

from . import _values as v
from ._arrays import from_arrays, to_arrays
from ._collected import Collected, _check_name, _names, _one_direction, _values
from ._dataset import Dataset
from ._errors import InputError, warn
from ._graph import Graph
from ._learned import with_y
from ._pyg import _is_pyg_data, from_pyg
from ._unread import are_arrays, warn_of_names
from ._walk import parts_of, quick, quick_networks


# ---- networkx ------------------------------------------------------------------------------------


def _networkx_arcs(graph: Any, nodes: list[Any]) -> tuple[Any, list[Any]]:
    """Arcs [2, arcs] by number, an undirected edge both ways and a self-loop once; and the data of each."""
    heads: list[Any] = []
    on_edges: list[Any] = []
    degrees = []
    for node, neighbors in graph.adjacency():
        if graph.is_multigraph():
            several = [(head, data) for head, keys in neighbors.items() for data in keys.values()]
            heads += [head for head, _ in several]
            on_edges += [data for _, data in several]
            degrees.append(len(several))
        else:
            heads += neighbors
            on_edges += neighbors.values()
            degrees.append(len(neighbors))
    if nodes != list(range(len(nodes))):
        number = {node: i for i, node in enumerate(nodes)}
        heads = [number[head] for head in heads]
    return np.stack([np.repeat(np.arange(len(nodes)), degrees), np.array(heads, dtype=np.int64)]), on_edges


def _written(items: list[Any], label: str | None, what: str, kind: str, name: str) -> list[str]:
    """The attributes that are read where nobody names them: "attributes", if to_networkx() wrote it. Says which others there are."""
    keys = set().union(*items)
    ours = [key for key in ("attributes",) if key in keys and are_arrays(item.get(key) for item in items)]
    if keys:
        warn_of_names(sorted(map(str, keys)), [label, "label", *ours], what, f"{kind}_label", f"{kind}_attributes", name)
    return ours


def _networkx_graphs(graphs: Sequence[Any], y: Any, more: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """y and the names of graphs that have them."""
    if y is None and graphs and all("y" in graph.graph for graph in graphs):
        y = [graph.graph["y"] for graph in graphs]
    if graphs and all(graph.graph.get("name") for graph in graphs):
        more.setdefault("names", [str(graph.graph["name"]) for graph in graphs])
    return y, more


def from_networkx(graphs: Iterable[Any], y: Any = None, *, node_label: str | None = "label",
                  edge_label: str | None = "label", node_attributes: Sequence[str] | None = None,
                  edge_attributes: Sequence[str] | None = None, directed: bool | None = None, policy: str | None = None, name: str = "data",
                  **more: Any) -> Dataset:
    """See Dataset.from_networkx."""
    graphs = [graphs] if hasattr(graphs, "is_directed") else list(graphs)
    arrays = None if node_attributes or edge_attributes else quick_networks(graphs, node_label, edge_label)
    if arrays is not None and all(name in (None, "label") or arrays[what] is not None
                                  for name, what in ((node_label, "vertex_labels"), (edge_label, "edge_labels"))):
        y, more = _networkx_graphs(graphs, y, more)
        directed = _one_direction(graphs, lambda graph: bool(graph.is_directed()), directed)
        return from_arrays(**arrays, y=y, directed=directed, policy=policy, name=name, **more)
    for place, graph in enumerate(graphs):
        if not (hasattr(graph, "nodes") and hasattr(graph, "edges") and hasattr(graph, "is_directed")):
            raise InputError(f"graph {place}: found {type(graph).__name__}, expected a networkx graph")
    directed = _one_direction(graphs, lambda graph: bool(graph.is_directed()), directed)
    found = Collected()
    collected = []
    for graph in graphs:
        nodes = list(graph)
        arcs, on_edges = _networkx_arcs(graph, nodes)
        found.graph(nodes, arcs)
        collected.append(([data for _, data in graph.nodes(data=True)], on_edges))
    nodes_have = node_label is not None and any(node_label in data for on_nodes, _ in collected for data in on_nodes)
    edges_have = edge_label is not None and any(edge_label in data for _, on_edges in collected for data in on_edges)
    _check_name(node_label, nodes_have, "node_label", graphs)
    _check_name(edge_label, edges_have or not any(on_edges for _, on_edges in collected), "edge_label", graphs)
    if node_attributes is None:
        node_attributes = _written([data for on_nodes, _ in collected for data in on_nodes], node_label, "nodes", "node", name)
    if edge_attributes is None:
        edge_attributes = _written([data for _, on_edges in collected for data in on_edges], edge_label, "edges", "edge", name)
    for place, (on_nodes, on_edges) in enumerate(collected):
        found.vertex_labels.append(_values(on_nodes, str(node_label), "node", place) if nodes_have else None)
        found.edge_labels.append(_values(on_edges, str(edge_label), "edge", place) if edges_have else None)
        for names, items, target, what in ((_names(node_attributes), on_nodes, found.vertex_attributes, "node"),
                                           (_names(edge_attributes), on_edges, found.edge_attributes, "edge")):
            columns = [v.reals(_values(items, column, what, place), f"graph {place}, {what} attribute {column!r}") for column in names]
            target.append(np.hstack(columns) if columns else None)
    y, more = _networkx_graphs(graphs, y, more)
    return found.dataset(y, directed=directed, policy=policy, name=name, **more)


def to_networkx(graph: Graph) -> Any:
    """A networkx graph with the labels as "label", attributes as "attributes", y and targets on the graph."""
    import networkx
    made = networkx.DiGraph() if graph.directed else networkx.Graph()
    nodes, labels, reals = graph.nodes, graph.vertex_labels, graph.vertex_attributes
    for i, node in enumerate(nodes):
        made.add_node(node)
        if labels is not None:
            made.nodes[node]["label"] = labels[i]
        if reals is not None:
            made.nodes[node]["attributes"] = reals[i]
    edge_labels, edge_reals = graph.edge_labels, graph.edge_attributes
    for i, (tail, head) in enumerate(graph.edge_index.T.tolist()):
        if graph.directed or tail <= head:
            data = {} if edge_labels is None else {"label": edge_labels[i]}
            if edge_reals is not None:
                data["attributes"] = edge_reals[i]
            made.add_edge(nodes[tail], nodes[head], **data)
    if graph.y is not None:
        made.graph["y"] = graph.y
    if graph.name:
        made.graph["name"] = graph.name
    return made


# ---- igraph --------------------------------------------------------------------------------------


def from_igraph(graphs: Iterable[Any], y: Any = None, *, node_label: str | None = "label", edge_label: str | None = "label",
                node_attributes: Sequence[str] | None = None, edge_attributes: Sequence[str] | None = None, directed: bool | None = None,
                policy: str | None = None, name: str = "data", **more: Any) -> Dataset:
    """See Dataset.from_igraph."""
    graphs = [graphs] if hasattr(graphs, "get_edgelist") else list(graphs)
    for place, graph in enumerate(graphs):
        if not hasattr(graph, "get_edgelist"):
            raise InputError(f"graph {place}: found {type(graph).__name__}, expected an igraph.Graph")
    directed = _one_direction(graphs, lambda graph: bool(graph.is_directed()), directed)
    on_nodes = any(node_label in graph.vs.attributes() for graph in graphs)
    on_edges = any(edge_label in graph.es.attributes() for graph in graphs)
    _check_name(node_label, on_nodes, "node_label", graphs)
    _check_name(edge_label, on_edges or not any(graph.ecount() for graph in graphs), "edge_label", graphs)
    if node_attributes is None:
        warn_of_names((key for graph in graphs for key in graph.vs.attributes()), [node_label, "label", "name"], "vertices", "node_label",
                      "node_attributes", name)
    if edge_attributes is None:
        warn_of_names((key for graph in graphs for key in graph.es.attributes()), [edge_label, "label"], "edges", "edge_label", "edge_attributes", name)
    found = Collected()
    for place, graph in enumerate(graphs):
        edges = graph.get_edgelist()
        back = [i for i, (u, v) in enumerate(edges) if u != v] if not graph.is_directed() else []
        every = list(range(len(edges))) + back
        ends = edges + [edges[i][::-1] for i in back]
        vertices = graph.vs["name"] if "name" in graph.vs.attributes() else range(graph.vcount())
        found.graph(list(vertices), np.array(ends, dtype=np.int64).reshape(-1, 2).T)
        found.vertex_labels.append(list(graph.vs[node_label]) if on_nodes and node_label in graph.vs.attributes() else None)
        labels = graph.es[edge_label] if on_edges and edge_label in graph.es.attributes() else None
        found.edge_labels.append(None if labels is None else [labels[i] for i in every])
        for names, items, target, what in ((_names(node_attributes or ()), graph.vs, found.vertex_attributes, "vertex"),
                                           (_names(edge_attributes or ()), graph.es, found.edge_attributes, "edge")):
            for column in names:
                if column not in items.attributes():
                    raise InputError(f"graph {place}: no {what} has the attribute {column!r}")
            reals = [v.reals(items[column], f"graph {place}, {what} attribute {column!r}") for column in names]
            target.append(np.hstack(reals)[every if what == "edge" else slice(None)] if reals else None)
    return found.dataset(y, directed=directed, policy=policy, name=name, **more)


# ---- GraKeL --------------------------------------------------------------------------------------


def _any_weight(weights: Any) -> bool:
    """Is one of the numbers not 1? Anything else is no weight."""
    try:
        found = np.asarray(weights)
        return found.dtype.kind in "iuf" and bool(np.any(found != 1))
    except (TypeError, ValueError):
        return False


def _grakel_edges(given: Any, place: int) -> tuple[list[Any], list[tuple[Any, Any]], bool]:
    """The vertices that are named by themselves, the arcs, and whether one has a weight other than 1, of what GraKeL takes as a graph:
    adjacency matrix, dictionaries, collections of pairs."""
    if hasattr(given, "tocoo"):
        matrix = given.tocoo()
        return list(range(matrix.shape[0])), list(zip(matrix.row.tolist(), matrix.col.tolist())), _any_weight(matrix.data)
    if isinstance(given, np.ndarray) or isinstance(given, (list, tuple)) and given and \
            all(isinstance(row, (list, np.ndarray)) and len(row) == len(given) for row in given):
        matrix = v.array(given, f"graph {place}", "an adjacency matrix")
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise InputError(f"graph {place}: found an array of shape {matrix.shape}, expected a square adjacency matrix")
        return list(range(len(matrix))), [(int(u), int(v)) for u, v in np.argwhere(matrix)], _any_weight(matrix[np.nonzero(matrix)])
    nodes: dict[Any, None] = {}
    arcs: list[tuple[Any, Any]] = []
    weights: list[Any] = []
    if isinstance(given, dict):
        for key, value in given.items():
            if isinstance(value, (dict, list, set, frozenset)):  # {u: {v: weight}}, {u: [v, ...]}
                nodes[key] = None
                arcs += [(key, head) for head in value]
                weights += value.values() if isinstance(value, dict) else ()
            elif isinstance(key, tuple) and len(key) == 2:  # {(u, v): weight}
                arcs.append(key)
                weights.append(value)
            else:
                raise InputError(f"graph {place}: found the key {key!r}, expected a pair of vertices")
    else:
        listed: list[Any] = list(given)
        arcs = listed
        if set(map(type, arcs)) - {tuple} or set(map(len, arcs)) - {2}:
            for edge in arcs:
                if not isinstance(edge, (tuple, list)) or len(edge) not in (2, 3):
                    raise InputError(f"graph {place}: found {edge!r}, expected an edge (u, v) or (u, v, weight)")
            weights = [edge[2] for edge in listed if len(edge) == 3]
            arcs = [(edge[0], edge[1]) for edge in arcs]
    return list(nodes), arcs, _any_weight(weights)


def _whole(values: Iterable[Any], count: int) -> Any:
    """Whole numbers as an array; None where one is anything else."""
    listed = list(values)
    if not set(map(type, listed)) <= {int, np.int64, np.int32}:
        return None
    try:
        return np.fromiter(listed, dtype=np.int64, count=count)
    except OverflowError:
        return None


def _plain_grakel(graphs: list[Any]) -> dict[str, Any] | None:
    """The arguments of from_arrays() for graphs as GraKeL's own data sets and most scripts have them: [edges, labels] or [edges,
    labels, edge labels], edges a list or set of pairs, vertices f .. f+n-1 in the order of the labels. A few passes over all graphs at
    once, none of which is a loop of Python over edges; None where a graph is anything else."""
    if set(map(type, graphs)) - {list, tuple} or set(map(len, graphs)) - {2, 3}:
        return None
    edges, named, marked = [graph[0] for graph in graphs], [graph[1] for graph in graphs], [graph[2] for graph in graphs if len(graph) > 2]
    if set(map(type, edges)) - {list, set} or set(map(type, named)) - {dict} or set(map(type, marked)) - {dict, type(None)}:
        return None
    every = list(itertools.chain.from_iterable(edges))
    if set(map(type, every)) - {tuple} or set(map(len, every)) - {2}:
        return None
    arcs, sizes = np.fromiter(map(len, edges), np.int64), np.fromiter(map(len, named), np.int64)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    if offsets[-1] == 0:
        return None
    flat = _whole(itertools.chain.from_iterable(every), 2 * len(every))
    names = _whole(itertools.chain.from_iterable(named), int(offsets[-1]))
    if flat is None or names is None:
        return None
    first = np.zeros(len(graphs), np.int64)
    first[sizes > 0] = names[offsets[:-1][sizes > 0]]
    if not np.array_equal(names, np.arange(offsets[-1]) + np.repeat(first - offsets[:-1], sizes)):
        return None
    pairs = flat.reshape(-1, 2).T - np.repeat(first, arcs)
    if np.any(pairs < 0) or np.any(pairs >= np.repeat(sizes, arcs)):
        return None
    found = {"edge_index": pairs + np.repeat(offsets[:-1], arcs), "offsets": offsets,
             "vertex_labels": list(itertools.chain.from_iterable(map(dict.values, named)))}
    if any(marked):
        if len(marked) < len(graphs):
            return None
        try:
            found["edge_labels"] = [label for own, on in zip(edges, marked) for label in map((on or {}).__getitem__, own)]
        except (KeyError, TypeError):
            return None
    if np.any(first):
        found["nodes"] = [range(start, start + size) for start, size in zip(first.tolist(), sizes.tolist())]
    return found


def _vectors(values: list[Any] | None, place: int) -> Any:
    """Attributes [vertices or edges, columns]: GraKeL's data sets have them in the place of labels, as lists; None for labels."""
    if not values or not isinstance(values[0], (list, np.ndarray)):
        return None
    try:
        found = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.ndim != 2:
        raise InputError(f"graph {place}: found lists in the place of labels that are no vectors of numbers of one length, expected attributes "
                         "or labels")
    return found


def _add_grakel(found: Collected, graph: Any, place: int) -> bool:
    """Whether an edge has a weight other than 1."""
    if hasattr(graph, "get_edge_dictionary"):
        graph = parts_of(graph)
    elif isinstance(graph, (dict, set, frozenset, np.ndarray)) or hasattr(graph, "tocoo"):
        graph = (graph,)
    elif not isinstance(graph, (list, tuple)):
        raise InputError(f"graph {place}: found {type(graph).__name__}, expected a graph as GraKeL takes it")
    edges, labels, edge_labels = (*graph, None, None)[:3]
    nodes, arcs, weighted = _grakel_edges(edges, place)
    if labels is not None and not isinstance(labels, dict):
        labels = dict(enumerate(labels))
    arcs = list(dict.fromkeys(arcs))
    ends: list[Any] = list(itertools.chain.from_iterable(arcs))
    if labels and labels.keys() >= set(ends) and not nodes:
        nodes = list(labels)
    else:
        nodes = list(dict.fromkeys(itertools.chain(labels or (), nodes, ends)))
    plain: Sequence[Any] = range(len(nodes))
    if nodes != list(plain):
        number = {node: i for i, node in enumerate(nodes)}
        ends = [number[end] for end in ends]
        plain = nodes
    found.graph(plain, np.array(ends, dtype=np.int64).reshape(-1, 2).T)
    try:
        on_vertices, on_edges = list(map(labels.__getitem__, nodes)) if labels else None, [edge_labels[arc] for arc in arcs] if edge_labels else None
    except KeyError as error:
        raise InputError(f"graph {place}: found no label of {error.args[0]!r}, expected one of everything") from None
    for values, as_labels, as_attributes in ((on_vertices, found.vertex_labels, found.vertex_attributes),
                                             (on_edges, found.edge_labels, found.edge_attributes)):
        vectors = _vectors(values, place)
        as_labels.append(values if vectors is None else None)
        as_attributes.append(vectors)
    return weighted


def _warn_of_weights(name: str) -> None:
    warn(f"{name}: edge weights are not used; ShortestPath, RandomWalk and PyramidMatch of leman.grakel use them")


def from_grakel(graphs: Iterable[Any], y: Any = None, *, directed: bool = False, policy: str | None = None,
                name: str = "data", **more: Any) -> Dataset:
    """See Dataset.from_grakel."""
    found, graphs = Collected(), v.listed(graphs, "graphs")
    arrays, weighted = None, False
    if graphs and policy is None:
        arrays, weighted = quick(graphs) or (_plain_grakel(graphs), False)
    if arrays is not None and any(isinstance(labels, list) and any(isinstance(label, (list, np.ndarray)) for label in labels)
                                  for labels in (arrays["vertex_labels"], arrays.get("edge_labels"))):
        arrays, weighted = None, False  # attributes, graph by graph
    if weighted:
        _warn_of_weights(name)
    if arrays is not None:
        return from_arrays(**arrays, y=y, directed=directed, name=name, expected=("repeated_edges",), **more)
    for place, graph in enumerate(graphs):
        try:
            weighted |= _add_grakel(found, graph, place)
        except InputError:
            raise
        except (TypeError, ValueError, AttributeError, LookupError, OverflowError):
            raise InputError(f"graph {place}: found {v.shown(graph)}, expected a graph as GraKeL takes it: [edges, node_labels, "
                             "edge_labels]") from None
    if weighted:
        _warn_of_weights(name)
    return found.dataset(y, directed=directed, policy=policy, name=name, **more)


# ---- Anything ------------------------------------------------------------------------------------


def _from_graphs(graphs: Sequence[Graph], y: Any = None) -> Dataset:
    first = graphs[0].dataset
    if all(graph.dataset is first for graph in graphs):
        return with_y(first.select([graph.index for graph in graphs]), y)
    parts = [to_arrays(graph.to_dataset()) for graph in graphs]
    keys = {frozenset(part) - {"y", "names", "targets", "target_names"} for part in parts}
    if len(keys) > 1:
        raise InputError("found graphs of data sets with different columns in one list")
    firsts = np.concatenate([[0], np.cumsum([graph.num_vertices for graph in graphs])])
    joined: dict[str, Any] = {"offsets": firsts, "directed": parts[0]["directed"], "policy": "self-loops=keep",
                              "edge_index": np.hstack([part["edge_index"] + f for part, f in zip(parts, firsts)])}
    for key in ("vertex_labels", "edge_labels"):
        if key in parts[0]:
            joined[key] = [x for part in parts for x in part[key]] if isinstance(parts[0][key], list) else \
                np.concatenate([part[key] for part in parts])
    for key in ("vertex_attributes", "edge_attributes"):
        if key in parts[0]:
            joined[key] = np.concatenate([part[key] for part in parts])
    if len({part["directed"] for part in parts}) > 1:
        raise InputError("found directed and undirected graphs in one list")
    if any("names" in part for part in parts):
        joined["names"] = [part["names"][0] if "names" in part else None for part in parts]
    if y is not None:
        joined["y"] = y
        return from_arrays(**joined)
    if any("y" in part for part in parts):
        joined["y"] = [part["y"][0] if "y" in part else None for part in parts]
    named = {tuple(part["target_names"]) for part in parts if "targets" in part}
    if len(named) > 1:
        raise InputError(f"found graphs with the targets {', '.join(sorted(map(str, named)))} in one list, expected the same "
                         "targets; y= says what is learned")
    for names in named:
        joined["target_names"] = names
        joined["targets"] = np.vstack([part.get("targets", np.full((1, len(names)), np.nan)) for part in parts])
    return from_arrays(**joined)


def _is_graph6(text: Any) -> bool:
    """A text that is graph6: the number of vertices, below 63, and the bits of the pairs, 6 in a character."""
    codes = [ord(letter) - 63 for letter in text] if isinstance(text, str) else []
    return bool(codes) and 0 <= min(codes) and max(codes) < 63 + (len(codes) > 1) and codes[0] < 63 and \
        len(codes) == 1 + (codes[0] * (codes[0] - 1) // 2 + 5) // 6


_NEVER_IN_SMILES = frozenset("?^_`{|}~")


def _from_texts(graphs: Sequence[Any], y: Any = None, reading: int = 0) -> Dataset:
    """SMILES; texts that could all be graph6 as well are not guessed at."""
    from ._molecules import from_smiles
    texts = all(map(_is_graph6, graphs))
    for i, text in enumerate(graphs if texts else graphs[:1]):
        if isinstance(text, str) and (text.startswith((">>graph6<<", ">>sparse6<<", ">>digraph6<<", ":", "~", "&")) or
                                      texts and set(text) & _NEVER_IN_SMILES):
            raise InputError(f"graph {i}: found the text {v.shown(text)}, which is no SMILES; leman.Dataset.from_graph6() reads graph6 and sparse6")
    if texts:
        raise InputError(f"graph 0: found the text {v.shown(graphs[0])}, which could be SMILES or graph6; leman.Dataset.from_smiles() and "
                         "leman.Dataset.from_graph6() say which")
    return from_smiles(graphs, y, reading=reading)


def _kind_of(graph: Any) -> Callable[..., Dataset] | None:
    module = type(graph).__module__.split(".")[0]
    if hasattr(graph, "is_directed") and hasattr(graph, "nodes") and hasattr(graph, "edges"):
        return from_networkx
    if module == "torch_geometric" or hasattr(graph, "edge_index"):
        return from_pyg
    if hasattr(graph, "get_edgelist"):
        return from_igraph
    if module == "rdkit":
        from ._molecules import from_rdkit
        return from_rdkit
    if isinstance(graph, str):
        return _from_texts
    if hasattr(graph, "get_edge_dictionary") or isinstance(graph, (list, tuple, dict, set, frozenset)) or \
            isinstance(graph, np.ndarray) and graph.ndim == 2 or hasattr(graph, "tocoo"):
        return from_grakel
    return None


def as_dataset(graphs: Any, y: Any = None, policy: str | None = None, reading: int = 0) -> Dataset:
    """Whatever stands for graphs as a data set. Every function and estimator of the package takes its graphs through it.

    Parameters
    ----------
    graphs : Dataset, Graph or iterable of graphs
        Graphs of networkx, PyG, igraph, GraKeL or RDKit, or SMILES.
    y : sequence, optional
        Classes, or reals to be predicted.
    policy : str, optional
        What becomes of faults, as "self-loops=keep", for graphs of networkx, PyG and igraph; the others have converters of their own.
    reading : int
        How SMILES and molecules of RDKit are read: the code that a model keeps; 0: the default.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> import leman, networkx as nx
    >>> leman.as_dataset([nx.cycle_graph(6), nx.path_graph(4)])
    <leman.Dataset 'data': 2 graphs, 10 vertices, 9 edges>
    """
    if isinstance(graphs, Dataset):
        return with_y(graphs, y)
    if isinstance(graphs, Graph):
        return with_y(graphs.to_dataset(), y)
    if isinstance(graphs, (str, bytes)):
        raise InputError(f"found the text {graphs!r}, expected graphs; leman.Dataset.read() reads files, and a single "
                         "SMILES stands in a list")
    if isinstance(graphs, np.ndarray) and graphs.ndim == 1 and graphs.dtype.kind == "U":
        graphs = graphs.tolist()
    if isinstance(graphs, np.ndarray) and graphs.dtype != object or hasattr(graphs, "tocoo"):
        raise InputError(f"found an array of shape {graphs.shape}, expected graphs: a leman.Dataset, or a list of graphs "
                         "of networkx, PyG, igraph, GraKeL or RDKit")
    if _is_pyg_data(graphs):
        graphs = [graphs]
    elif _kind_of(graphs) in (from_networkx, from_igraph):
        if not isinstance(graphs, (list, tuple)) and not hasattr(graphs, "__getitem__") or hasattr(graphs, "nodes") or \
                hasattr(graphs, "get_edgelist"):
            graphs = [graphs]
    if hasattr(graphs, "columns") and hasattr(graphs, "iloc"):
        from ._molecules import smiles_of
        graphs = smiles_of(graphs)
    try:
        listed = list(graphs)
    except TypeError:
        raise InputError(f"found {type(graphs).__name__}, expected graphs: a leman.Dataset, or a list of graphs") from None
    if not listed:
        return from_arrays(np.zeros((2, 0), np.int64), [0], y=y)
    if isinstance(listed[0], Graph):
        for place, graph in enumerate(listed):
            if not isinstance(graph, Graph):
                raise InputError(f"graph {place}: found {type(graph).__name__}, expected a leman.Graph as the first is")
        return _from_graphs(listed, y)
    first = next((graph for graph in listed if graph is not None), None)  # a molecule that RDKit cannot read is None
    convert = _kind_of(first)
    if isinstance(first, bytes):
        raise InputError("graph 0: found bytes, expected a graph; leman.Dataset.from_graph6() reads graph6 and sparse6")
    if convert is None:
        raise InputError(f"graph 0: found {type(first).__name__}, expected a graph of leman, networkx, PyG, igraph, "
                         "GraKeL or RDKit, or a SMILES")
    if convert is _from_texts:
        return _from_texts(listed, y, reading)
    if type(first).__module__.split(".")[0] == "rdkit":
        return convert(listed, y, reading=reading)
    return convert(listed, y, policy=policy) if convert in (from_networkx, from_pyg, from_igraph) else convert(listed, y)
