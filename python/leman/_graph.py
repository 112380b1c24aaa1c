"""`Graph`, one graph of a data set, and copies of the arrays of the library."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._labels import Ints, decode
from ._library import lib, text_of

if TYPE_CHECKING:
    from ._dataset import Dataset

Array = npt.NDArray[Any]


def _array(pointer: Any, shape: tuple[int, ...], dtype: Any) -> Array:
    """A copy of what a pointer of the library shows; an empty array for nothing."""
    count = int(np.prod(shape))
    if not pointer or not count:
        return np.zeros(shape, dtype=dtype)
    address = ctypes.cast(pointer, ctypes.c_void_p).value
    bytes_ = (ctypes.c_char * (count * np.dtype(dtype).itemsize)).from_address(address or 0)
    return np.array(np.frombuffer(bytes_, dtype=dtype).reshape(shape))


def _offset(pointer: Any, items: int) -> Any:
    """pointer + items, as a pointer of the same type."""
    if not pointer:
        return pointer
    kind = type(pointer)
    address = ctypes.cast(pointer, ctypes.c_void_p).value or 0
    return ctypes.cast(address + items * ctypes.sizeof(kind._type_), kind)


def _word(count: int, one: str, many: str) -> str:
    return one if count == 1 else many


class Graph:
    """One graph of a data set, as data[3] is one. Vertices are numbered from 0; an undirected edge is two arcs of `edge_index`.

    Parameters
    ----------
    dataset : Dataset
    index : int
        The number of the graph in the data set.

    Attributes
    ----------
    dataset : Dataset
        The data set of the graph.
    index : int
        Its number there.

    Examples
    --------
    >>> import leman
    >>> graph = leman.Dataset(["CCO"])[0]
    >>> graph.num_vertices, graph.edges.tolist(), graph.degrees.tolist()
    (3, [[0, 1], [1, 2]], [1, 2, 1])
    """

    __slots__ = ("dataset", "index", "_view")

    def __init__(self, dataset: Dataset, index: int) -> None:
        self.dataset: Dataset = dataset
        self.index: int = index
        self._view = lib.leman_dataset_graph(dataset._handle.pointer, index)

    @property
    def num_vertices(self) -> int:
        """How many vertices there are; num_nodes is another name for it."""
        return int(self._view.vertices)

    num_nodes = num_vertices

    @property
    def num_edges(self) -> int:
        """Undirected edges once each; arcs of a directed graph."""
        if self._view.directed:
            return int(self._view.arcs)
        tail, head = self.edge_index
        return int(np.count_nonzero(tail <= head))

    @property
    def directed(self) -> bool:
        """Whether edges have directions."""
        return bool(self._view.directed)

    @property
    def degrees(self) -> Ints:
        """Leaving arcs of each vertex."""
        return np.diff(self._start()).astype(np.int64)

    def _start(self) -> Array:
        return _array(self._view.start, (self.num_vertices + 1,), np.uint64)

    @property
    def edge_index(self) -> Ints:
        """[2, arcs]: tails and heads, sorted."""
        start = self._start()
        head = _array(_offset(self._view.head, int(start[0])), (int(self._view.arcs),), np.uint32)
        tail = np.repeat(np.arange(self.num_vertices), np.diff(start).astype(np.int64))
        return np.stack([tail, head.astype(np.int64)])

    @property
    def edges(self) -> Ints:
        """[edges, 2], each undirected edge once with the smaller vertex first."""
        found = self.edge_index.T
        return np.asarray(found if self.directed else found[found[:, 0] <= found[:, 1]])

    def _vertex(self, pointer: Any, columns: int, dtype: Any) -> Array | None:
        return _array(pointer, (self.num_vertices, columns), dtype) if columns else None

    def _edge(self, pointer: Any, columns: int, dtype: Any) -> Array | None:
        if not columns:
            return None
        first = int(_array(self._view.start, (1,), np.uint64)[0])
        return _array(_offset(pointer, first * columns), (int(self._view.arcs), columns), dtype)

    @property
    def vertex_labels(self) -> list[Any] | None:
        """One label a vertex as it came in; None where the data has none."""
        found = self._vertex(self._view.vertex_label, self._view.vertex_labels, np.int64)
        return None if found is None else decode(found, self.dataset._vertex_words)

    @property
    def edge_labels(self) -> list[Any] | None:
        """One label for each arc of edge_index."""
        found = self._edge(self._view.edge_label, self._view.edge_labels, np.int64)
        return None if found is None else decode(found, self.dataset._edge_words)

    @property
    def vertex_attributes(self) -> Array | None:
        """[vertices, columns] of reals; None where the data has none."""
        return self._vertex(self._view.vertex_attribute, self._view.vertex_attributes, np.float64)

    @property
    def edge_attributes(self) -> Array | None:
        """[arcs, columns] of reals, in the order of edge_index; None where the data has none."""
        return self._edge(self._view.edge_attribute, self._view.edge_attributes, np.float64)

    @property
    def nodes(self) -> list[Any]:
        """The vertices as the data named them; their numbers where it did not."""
        names = self.dataset._nodes
        if names is not None and names[self.index] is not None:
            return list(names[self.index] or ())
        if self.dataset.columns.vertex_names:
            length = ctypes.c_size_t()
            pointer = self.dataset._handle.pointer
            found = [text_of(lib.leman_dataset_vertex_name(pointer, self.index, u, ctypes.byref(length)), length.value)
                     for u in range(self.num_vertices)]
            if all(found) and len(set(found)) == len(found):
                return found
        return list(range(self.num_vertices))

    @property
    def name(self) -> str:
        """The name of the graph, "" where it has none."""
        return self.dataset._graph_name(self.index)

    @property
    def y(self) -> Any:
        """Its class, or its only target; None where it has neither."""
        data = self.dataset
        if data.columns.classes:
            label = lib.leman_dataset_classes(data._handle.pointer)[self.index]
            return data._class_values_of(np.array([label], dtype=np.int64))[0]
        targets = self.targets
        return targets[0] if targets is not None and len(targets) == 1 else None

    @property
    def targets(self) -> Array | None:
        """[targets], the reals to be predicted; None where there are none."""
        columns = self.dataset.columns.targets
        if not columns:
            return None
        return _array(_offset(lib.leman_dataset_targets(self.dataset._handle.pointer), self.index * columns), (columns,),
                      np.float64)

    def to_dataset(self) -> Dataset:
        """A data set of this graph alone.

        Returns
        -------
        Dataset
        """
        return self.dataset.select([self.index])

    def to_networkx(self) -> Any:
        """The graph as one of networkx.

        Returns
        -------
        networkx.Graph, or networkx.DiGraph if it is directed
        """
        from ._convert import to_networkx
        return to_networkx(self)

    def to_pyg(self) -> Any:
        """The graph as one of PyG.

        Returns
        -------
        torch_geometric.data.Data
        """
        from ._pyg import to_pyg
        return to_pyg(self)

    def __len__(self) -> int:
        return self.num_vertices

    def __reduce__(self) -> Any:
        return _graph_from_dataset, (self.to_dataset(),)

    def __repr__(self) -> str:
        kind = "directed " if self.directed else ""
        vertices, edges = self.num_vertices, self.num_edges
        return f"<leman.Graph: {kind}{vertices} {_word(vertices, 'vertex', 'vertices')}, {edges} {_word(edges, 'edge', 'edges')}>"

    def _repr_svg_(self) -> str:
        from ._draw import svg
        return svg(self)


def _graph_from_dataset(dataset: Dataset) -> Graph:
    return dataset[0]
