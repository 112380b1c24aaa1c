"""Data sets in Python: `Dataset`, many graphs in one immutable block of the library.

Labels are given back as they came in; `y` are the classes (or the only target), `targets` the reals to be predicted. Pickles hold the
library's binary file. _making.py has the methods that make data sets, _graph.py one graph of a data set.
"""
from __future__ import annotations

import ctypes
import os
import tempfile
from typing import Any, ClassVar, Hashable, Iterator, Mapping, overload

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from . import _values as v
from ._errors import warn
from ._graph import Graph, _array, _word
from ._labels import Ints
from ._library import Handle, Session, lib, options, text_of
from ._making import Making
from ._policy import policy_of, reading_text

Array = npt.NDArray[Any]


class Dataset(Making):
    """Many graphs in one immutable block of memory.

    A sequence: len(), data[3] is a Graph, data[mask], data[indices] and data[2:10] are data sets. `read`, `from_arrays`, `from_networkx`,
    `from_pyg`, `from_igraph`, `from_grakel`, `from_rdkit`, `from_smiles`, `from_graph6`, `generate` and `tudataset` make one.

    Parameters
    ----------
    graphs : iterable of graphs, optional
        Whatever `as_dataset` takes: graphs of networkx, PyG, igraph, GraKeL or RDKit, or SMILES. None: no graphs.
    y : sequence, optional
        Classes, or reals to be predicted.

    Examples
    --------
    >>> import leman
    >>> data = leman.Dataset(["CCO", "c1ccccc1", "CCN"], y=["alcohol", "ring", "amine"])
    >>> data[1].num_vertices, data[data.y != "ring"].names
    (6, ['0', '1'])
    """

    def __init__(self, graphs: Any = None, y: Any = None) -> None:
        from ._convert import as_dataset
        found = as_dataset([] if graphs is None else graphs, y=y)
        self._adopt(found._handle, found._vertex_words, found._edge_words, found._nodes, found._class_values)

    def _adopt(self, handle: Handle, vertex_words: Mapping[int, Hashable], edge_words: Mapping[int, Hashable],
               nodes: list[Any] | None, class_values: list[Any] | None) -> None:
        self._handle = handle
        self._vertex_words = vertex_words
        self._edge_words = edge_words
        self._nodes = nodes
        self._class_values = class_values  # class i is the i-th of these; None: classes are the file's

    @classmethod
    def _made(cls, pointer: Any, vertex_words: Mapping[int, Hashable] = {}, edge_words: Mapping[int, Hashable] = {},
              nodes: list[Any] | None = None, class_values: list[Any] | None = None) -> Dataset:
        made = cls.__new__(cls)
        made._adopt(Handle(pointer, lib.leman_dataset_free), vertex_words, edge_words, nodes, class_values)
        return made

    def _derived(self, pointer: Any, nodes: list[Any] | None) -> Dataset:
        return Dataset._made(pointer, self._vertex_words, self._edge_words, nodes, self._class_values)

    # ---- What it holds ---------------------------------------------------------------------------

    @property
    def _shape(self) -> Any:
        return lib.leman_dataset_shape(self._handle.pointer).contents

    @property
    def columns(self) -> Any:
        """How many columns of each kind there are."""
        return type(self._shape.columns.contents).from_buffer_copy(self._shape.columns.contents)  # the original ends with the data set

    @property
    def name(self) -> str:
        """What the data set is called, by its file or family."""
        return (self._shape.name or b"").decode("utf-8", "replace")

    @property
    def shape(self) -> tuple[int]:
        """(graphs,): what scikit-learn asks for."""
        return (len(self),)

    @property
    def directed(self) -> bool:
        """Whether edges have directions."""
        return bool(self._shape.directed)

    @property
    def reading(self) -> str:
        """How the graphs were read, as options of the program: "--aromatic rdkit --hydrogens implicit ..."; "" where there is nothing
        to say. Models keep it, read SMILES in the same way, and refuse molecules that were read in another one."""
        return reading_text(self.reading_code)

    @property
    def reading_code(self) -> int:
        """The code of the library for `reading`; 0: not known, as of graphs that were made in memory."""
        return int(lib.leman_dataset_reading(self._handle.pointer))

    @property
    def num_vertices(self) -> int:
        """Of all graphs."""
        return int(self._shape.vertices)

    @property
    def num_edges(self) -> int:
        """Of all graphs."""
        return int(self._shape.edges)

    @property
    def classes(self) -> Ints | None:
        """[graphs] the classes as the library has them: numbers, INT64_MIN where one is missing."""
        pointer = lib.leman_dataset_classes(self._handle.pointer)
        return _array(pointer, (len(self),), np.int64) if self.columns.classes else None

    @property
    def targets(self) -> npt.NDArray[np.float64] | None:
        """[graphs, targets]; NaN where one is missing."""
        columns = self.columns.targets
        pointer = lib.leman_dataset_targets(self._handle.pointer)
        return _array(pointer, (len(self), columns), np.float64) if columns else None

    @property
    def target_names(self) -> list[str]:
        """The names of the columns of targets; their numbers where they have none."""
        length = ctypes.c_size_t()
        pointer = self._handle.pointer
        return [text_of(lib.leman_dataset_target_name(pointer, i, ctypes.byref(length)), length.value) or str(i)
                for i in range(self.columns.targets)]

    def _class_values_of(self, labels: Ints) -> Array:
        """Classes as they came in."""
        missing = labels == c.LEMAN_CLASS_MISSING
        if self._class_values is not None:
            values = np.empty(len(self._class_values) + 1, dtype=object)
            values[:-1] = self._class_values
            if not missing.any() and len(self._class_values):
                return np.asarray(v.class_array(self._class_values)[labels])
            return values[np.where(missing, len(self._class_values), labels)]
        length = ctypes.c_size_t()
        words = {value: text_of(lib.leman_dataset_class_name(self._handle.pointer, value, ctypes.byref(length)),
                                length.value) for value in np.unique(labels).tolist()}
        if any(words.values()):
            texts = [words[value] or None for value in labels.tolist()]
            return np.array(texts, dtype=object if None in texts else str)
        if not missing.any():
            return labels
        found = labels.astype(object)
        found[missing] = None
        return found

    @property
    def y(self) -> Array | None:
        """The classes, None where one is missing; without classes the only column of targets, NaN where one is missing;
        otherwise None."""
        labels = self.classes
        if labels is not None:
            return self._class_values_of(labels)
        targets = self.targets
        return targets[:, 0] if targets is not None and targets.shape[1] == 1 else None

    def _graph_name(self, index: int) -> str:
        length = ctypes.c_size_t()
        return text_of(lib.leman_dataset_graph_name(self._handle.pointer, index, ctypes.byref(length)), length.value)

    @property
    def names(self) -> list[str]:
        """The name of each graph; its number where it has none."""
        return [self._graph_name(i) or str(i) for i in range(len(self))]

    @property
    def checksum(self) -> int:
        """Equal for equal data, whatever it was read from."""
        return int(lib.leman_dataset_checksum(self._handle.pointer))

    # ---- A sequence of graphs --------------------------------------------------------------------

    def __len__(self) -> int:
        return int(self._shape.graphs)

    @overload
    def __getitem__(self, key: int) -> Graph: ...
    @overload
    def __getitem__(self, key: Any) -> Any: ...

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple) and len(key) == 2 and key[1] is Ellipsis:  # scikit-learn writes X[rows, ...]
            key = key[0]
        if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
            place = int(key) + len(self) * (key < 0)
            if not 0 <= place < len(self):
                raise IndexError(f"graph {key}: found {len(self)} graphs")
            return Graph(self, place)
        if isinstance(key, slice):
            return self.select(np.arange(len(self))[key])
        return self.select(key)

    def select(self, which: Any) -> Dataset:
        """A new data set of some of the graphs.

        Parameters
        ----------
        which : sequence of int or mask
            Numbers (negative ones from the end, repeats allowed), or a truth value for each graph.

        Returns
        -------
        Dataset

        Examples
        --------
        >>> import leman
        >>> leman.Dataset(["CO", "CN", "CCO"]).select([2, 0])[0].num_vertices
        3
        """
        found = v.array(which, "graphs")
        if found.dtype.kind == "b":
            if found.shape != (len(self),):
                raise IndexError(f"a mask of shape {found.shape}, expected ({len(self)},)")
            found = np.flatnonzero(found)
        if found.size == 0:
            found = found.astype(np.int64)
        if found.ndim != 1 or found.dtype.kind not in "iu":
            raise IndexError(f"found {which!r}, expected numbers of graphs or a mask")
        found = found.astype(np.int64)
        found = np.where(found < 0, found + len(self), found)
        if found.size and not (0 <= found.min() and found.max() < len(self)):
            raise IndexError(f"found graph {found.max() if found.min() >= 0 else found.min()}, expected one of {len(self)}")
        list_ = np.ascontiguousarray(found, dtype=np.uintp)
        out = ctypes.c_void_p()
        with Session(1) as session:
            session.call("leman_dataset_select", self._handle.pointer, len(list_),
                         list_.ctypes.data_as(ctypes.POINTER(ctypes.c_size_t)), ctypes.byref(out))
        nodes = None if self._nodes is None else [self._nodes[i] for i in found.tolist()]
        return self._derived(out, nodes)

    def __iter__(self) -> Iterator[Graph]:
        return (Graph(self, i) for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dataset):
            return NotImplemented
        return self.checksum == other.checksum and len(self) == len(other)

    __hash__: ClassVar[None]  # type: ignore[assignment]
    __hash__ = None

    # ---- Going elsewhere -------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str], *, format: str | None = None) -> None:
        """Writes a file.

        Labels that are no integers are written as their numbers, with a warning; a pickle keeps everything.

        Parameters
        ----------
        path : path
        format : str, optional
            As "tu" or "graph6"; None: by the ending of the name: .leman, .zip (TU), .g6, .s6, .csv, or a TU folder; molecules also .smi and .sdf,
            which has drawn coordinates unless the data have some.
        """
        if self._vertex_words or self._edge_words:
            warn("labels that are no integers are written as numbers; pickle keeps the labels")
        self._write(path, format)

    def _write(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        with Session(1) as session:
            found = ctypes.c_int()
            if format is None:
                session.call("leman_format_for_writing", v.path(path), ctypes.byref(found))
            else:
                found.value = v.choice(session, "leman_format_parse", format, "format")
            if found.value != c.LEMAN_FORMAT_SDF:
                session.call("leman_dataset_write", self._handle.pointer, v.path(path), found)
                return
            placed = ctypes.c_void_p()
            session.call("leman_dataset_lay_out", self._handle.pointer, ctypes.byref(placed))
            with_places = Handle(placed, lib.leman_dataset_free)
            session.call("leman_dataset_write", with_places.pointer, v.path(path), found)

    def to_arrays(self) -> dict[str, Any]:
        """The arguments of from_arrays() that make this data set.

        Returns
        -------
        dict
        """
        from ._arrays import to_arrays
        return to_arrays(self)

    def scaffolds(self) -> Any:
        """The group of each molecule: those with the same Bemis-Murcko scaffold have the same number, those without a ring are one group. For
        scikit-learn's GroupKFold and its kind.

        Returns
        -------
        ndarray of int64, [graphs]

        Examples
        --------
        >>> import leman
        >>> leman.Dataset(["c1ccccc1O", "Cc1ccccc1", "CCO"]).scaffolds().tolist()
        [0, 0, 1]
        """
        groups, count = np.zeros(max(1, len(self)), dtype=np.uint32), ctypes.c_size_t()
        with Session(1) as session:
            session.call("leman_dataset_scaffolds", self._handle.pointer, groups.ctypes.data_as(ctypes.POINTER(ctypes.c_uint32)),
                         ctypes.byref(count))
        return groups[:len(self)].astype(np.int64)

    def to_networkx(self) -> list[Any]:
        """The graphs as networkx.Graph, or DiGraph if they are directed.

        Returns
        -------
        list of networkx.Graph
        """
        return [graph.to_networkx() for graph in self]

    def to_pyg(self) -> list[Any]:
        """The graphs as torch_geometric.data.Data.

        Returns
        -------
        list of torch_geometric.data.Data
        """
        return [graph.to_pyg() for graph in self]

    def __reduce__(self) -> Any:
        with tempfile.TemporaryDirectory(prefix="leman-") as folder:
            path = os.path.join(folder, "data.leman")
            self._write(path)
            with open(path, "rb") as file:
                content = file.read()
        return _unpickle, (content, self.directed, dict(self._vertex_words), dict(self._edge_words), self._nodes, self._class_values)

    # ---- For people ------------------------------------------------------------------------------

    def __repr__(self) -> str:
        shape, columns = self._shape, self.columns
        parts = [f"{shape.graphs:,} {_word(shape.graphs, 'graph', 'graphs')}",
                 f"{shape.vertices:,} {_word(shape.vertices, 'vertex', 'vertices')}", f"{shape.edges:,} {_word(shape.edges, 'edge', 'edges')}"]
        labels = self.classes
        if labels is not None:
            classes = len(np.unique(labels[labels != c.LEMAN_CLASS_MISSING]))
            parts.append(f"{classes} {_word(classes, 'class', 'classes')}")
        for field, one in (("targets", "target"), ("vertex_labels", "vertex label"), ("edge_labels", "edge label"),
                           ("vertex_attributes", "vertex attribute"), ("edge_attributes", "edge attribute")):
            number = getattr(columns, field)
            if number:
                parts.append(f"{number} {one}{'' if number == 1 else 's'}")
        if shape.directed:
            parts.append("directed")
        return f"<leman.Dataset {self.name!r}: {', '.join(parts)}>"

    def _repr_html_(self) -> str:
        from ._draw import html
        return html(self)


def _unpickle(content: bytes, directed: bool, vertex_words: dict[int, Hashable], edge_words: dict[int, Hashable],
              nodes: list[Any] | None, class_values: list[Any] | None) -> Dataset:
    with tempfile.TemporaryDirectory(prefix="leman-") as folder:
        path = os.path.join(folder, "data.leman")
        with open(path, "wb") as file:
            file.write(content)
        chosen, out = options("leman_read_options"), ctypes.c_void_p()
        with Session(1) as session:
            keep = policy_of(session, directed, "self-loops=keep")
            chosen.policy = ctypes.pointer(keep)
            session.call("leman_dataset_read", os.fsencode(path), ctypes.byref(chosen), None, ctypes.byref(out))
    return Dataset._made(out, vertex_words, edge_words, nodes, class_values)


generate = Dataset.generate
