"""Data sets and graphs in Python: `Dataset`, many graphs in one immutable block of the library, and `Graph`, one of them.

A data set is a sequence: len(), ds[3] is a Graph, ds[mask], ds[indices] and ds[2:10] are data sets. Labels are given back as
they came in; `y` are the classes (or the only target), `targets` the reals to be predicted. Pickles hold the library's
binary file. The converters are in _convert.py.
"""
from __future__ import annotations

import ctypes
import os
import tempfile
import warnings
from typing import Any, Hashable, Iterable, Iterator, Mapping, Sequence, overload

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from . import _values as v
from ._errors import ArgumentError, Error, InputError, warn
from ._labels import Ints, decode
from ._library import Handle, Session, lib, options, sized_text, text_of

Array = npt.NDArray[Any]
_CHANGES = {
    "repeated_edges": "{} repeated edge{} removed (policy='repeated-edges=keep' keeps them)",
    "one_way_edges": "{} one-way edge{} made two-way (directed=True keeps directions)",
    "self_loops": "{} self-loop{} removed (policy='self-loops=keep' keeps them)",
    "label_conflicts": "{} edge{} with two different labels got the first",
}


def _warn_of_cleaning(cleaning: Any, policy: Any, name: str, expected: Sequence[str] = ()) -> None:
    """expected: changes that the kind of data asks for, which are not worth a word."""
    found = []
    for field, text in _CHANGES.items():
        number = getattr(cleaning, field)
        kept = {"repeated_edges": policy.repeated_edges == c.LEMAN_ACTION_KEEP, "self_loops": policy.self_loops == c.LEMAN_ACTION_KEEP,
                "one_way_edges": policy.directed or policy.one_way_edges != c.LEMAN_ACTION_REPAIR}
        if number and not kept.get(field, False) and field not in expected:
            found.append(text.format(f"{number:,}", "" if number == 1 else "s"))
    number = cleaning.impossible_molecules
    if number:
        found.append(f"{number:,} molecule{'' if number == 1 else 's'} that cannot exist, left as written (policy='valence=refuse' refuses, "
                     f"'valence=keep' does not check); the first: {cleaning.first_impossible.decode('utf-8', 'replace')}")
    if found:
        warn(f"{name}: " + "; ".join(found))


def _policy(session: Session, directed: bool, text: str | None) -> Any:
    policy = options("leman_policy")
    if text is not None and text != "":
        session.call("leman_policy_parse", v.text(text, "policy", "rules such as 'self-loops=keep'"), ctypes.byref(policy))
    policy.directed = directed
    return policy


def reading_text(reading: int) -> str:
    """A code of the library as options of the program, "--aromatic rdkit --hydrogens implicit ..."; "" if there is nothing to say."""
    return sized_text(lib.leman_reading_text, reading)


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
    """One graph of a data set. Vertices are numbered from 0; an undirected edge is two arcs of `edge_index`."""

    __slots__ = ("dataset", "index", "_view")

    def __init__(self, dataset: Dataset, index: int) -> None:
        self.dataset = dataset
        self.index = index
        self._view = lib.leman_dataset_graph(dataset._handle.pointer, index)

    @property
    def num_vertices(self) -> int:
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
        return self._vertex(self._view.vertex_attribute, self._view.vertex_attributes, np.float64)

    @property
    def edge_attributes(self) -> Array | None:
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
        return self.dataset._graph_name(self.index)

    @property
    def y(self) -> Any:
        data = self.dataset
        if data.columns.classes:
            label = lib.leman_dataset_classes(data._handle.pointer)[self.index]
            return data._class_values_of(np.array([label], dtype=np.int64))[0]
        targets = self.targets
        return targets[0] if targets is not None and len(targets) == 1 else None

    @property
    def targets(self) -> Array | None:
        columns = self.dataset.columns.targets
        if not columns:
            return None
        return _array(_offset(lib.leman_dataset_targets(self.dataset._handle.pointer), self.index * columns), (columns,),
                      np.float64)

    def to_dataset(self) -> Dataset:
        return self.dataset.select([self.index])

    def to_networkx(self) -> Any:
        from ._convert import to_networkx
        return to_networkx(self)

    def to_pyg(self) -> Any:
        from ._convert import to_pyg
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


# The options that only some families have: (True, these families alone) or (False, all families but these).
_FAMILIES: dict[str, tuple[bool, set[str]]] = {
    "vertices": (False, {"cfi", "grid", "petersen", "rook-shrikhande"}), "k": (True, {"cfi"}), "base": (True, {"cfi"}),
    "rows": (True, {"grid"}), "columns": (True, {"grid"}), "degree": (True, {"regular", "power-law"}),
    "probability": (True, {"random", "counts"}), "skips": (True, {"csl"}), "level": (True, {"counts"}),
}


class Dataset:
    """Many graphs in one immutable block of memory. Made by `read`, `from_arrays`, `from_networkx`, `from_pyg`,
    `from_igraph`, `from_grakel`, `from_rdkit`, `from_smiles` or `tudataset`."""

    def __init__(self, graphs: Any = None, y: Any = None) -> None:
        """Dataset(graphs) converts whatever `as_dataset` knows: networkx, PyG, igraph, GraKeL, RDKit, SMILES."""
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

    # ---- Making ----------------------------------------------------------------------------------

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, format: str | None = None, directed: bool = False,
             policy: str | None = None, class_column: str | None = None, positive: str | Sequence[str] | None = None,
             vertex_labels: str | None = None, n_jobs: int | None = None, verbose: bool = False, **molecules: Any) -> Dataset:
        """Reads a file of any format of the program: TU folders and zips, graph6, edge lists, SDF, SMILES, our own .leman.

        Parameters
        ----------
        path : str or path
            The file or folder.
        format : str, optional
            The format, such as "tu" or "pairs"; None: by the ending and the content.
        directed : bool
            Keep the directions of edges.
        policy : str, optional
            What becomes of faults, as "self-loops=keep,valence=refuse".
        class_column : str, optional
            The column of an SDF or a table of molecules, or the target, that holds the classes.
        positive : str or sequence of str, optional
            The words of that column that are class 1, in any case; all others are class 0.
        vertex_labels : str, optional
            A second file, with the labels of the vertices of an edge list.
        n_jobs : int, optional
            Threads; None: all.
        verbose : bool
            Draw a progress bar.
        **molecules
            smiles_column; atom_labels ("element", "charge", "isotope", "radical", "hydrogens", "aromatic", "columns"); hydrogens ("implicit",
            the default, "as-written", "explicit", "labels"); aromatic ("rdkit", the default, "mdl", "as-written", "kekule"); on_error
            ("raise", "skip"); standardize (True, or some of "fragment", "groups" and "charges" with commas); stereo ("none", the default, "labels": docs/molecules.md).

        Returns
        -------
        Dataset

        Examples
        --------
        >>> import leman, pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "alcohols.smi")
        ...     _ = path.write_text("CO methanol\\nCCO ethanol\\n")
        ...     print(leman.Dataset.read(path).names)
        ['methanol', 'ethanol']
        """
        chosen = options("leman_read_options")
        with Session(n_jobs, verbose=verbose) as session:
            rules = _policy(session, directed, policy)
            if format is not None:
                chosen.format = v.choice(session, "leman_format_parse", format, "format")
            chosen.policy = ctypes.pointer(rules)
            if class_column is not None:
                chosen.class_column = v.text(str(class_column), "class_column")
            if positive is not None:
                words = positive if isinstance(positive, str) else ",".join(map(str, positive))
                chosen.positive = v.text(words, "positive")
            if vertex_labels is not None:
                chosen.vertex_labels = v.path(vertex_labels, "vertex_labels")
            if molecules:
                from ._molecules import choose
                choose(session, chosen, **molecules)
            cleaning, out = c.leman_cleaning(), ctypes.c_void_p()
            session.call("leman_dataset_read", v.path(path), ctypes.byref(chosen), ctypes.byref(cleaning),
                         ctypes.byref(out))
        made = cls._made(out)
        _warn_of_cleaning(cleaning, rules, os.fspath(path))
        if molecules.get("standardize"):
            from ._molecules import warn_of_duplicates
            warn_of_duplicates(made)
        return made

    @classmethod
    def generate(cls, family: str, *, graphs: int | None = None, vertices: int | None = None, k: int | None = None,
                 rows: int | None = None, columns: int | None = None, degree: int | None = None, probability: float | None = None,
                 skips: Sequence[int] | None = None, base: Any = None, seed: int = 1, level: str | None = None) -> Dataset:
        """Graphs of a family, as `leman generate` makes them.

        Parameters
        ----------
        family : str
            "cfi", "csl", "rook-shrikhande", "cycles", "path", "cycle", "complete", "grid", "petersen", "random", "regular", "molecules",
            "power-law" or "counts" (docs/generators.md).
        graphs : int, optional
            The number of copies of each graph, or of graphs that are drawn. None, here and below: the default of the family.
        vertices, k, rows, columns, degree : int, optional
            Sizes, of the families that have them.
        probability : float, optional
            For "random", that two vertices are adjacent.
        skips : sequence of int, optional
            For "csl", the lengths of the chords.
        base : graph or graphs of any kind, optional
            For "cfi", each gives a pair, in place of the complete graph with k + 1 vertices.
        seed : int
            Of the families that draw; the same on every machine.
        level : str, optional
            For "counts", "vertex" or "edge" adds the counts through each vertex or edge as its attributes.

        Returns
        -------
        Dataset

        Examples
        --------
        >>> import leman
        >>> data = leman.generate("cycles")
        >>> [graph.num_edges for graph in data]
        [6, 6]
        """
        from ._convert import as_dataset
        chosen, out = options("leman_family_options"), ctypes.c_void_p()
        given_ = dict(vertices=vertices, k=k, rows=rows, columns=columns, degree=degree, probability=probability, skips=skips, base=base,
                      level=level)
        with Session(1) as session:
            kind = v.choice(session, "leman_family_parse", family, "family")
            if level is not None:
                chosen.level = v.choice(session, "leman_level_parse", level, "level")
        for name, value in given_.items():
            if value is not None and (family in _FAMILIES[name][1]) != _FAMILIES[name][0]:
                raise ArgumentError(f"{name}: the family {family} has no such option")
        if base is not None and k is not None:
            raise ArgumentError("found both k and base, expected one of them: k stands for the complete graph with k + 1 vertices")
        graphs_of_base = None if base is None else as_dataset(base)
        if graphs_of_base is not None:
            chosen.base = graphs_of_base._handle.pointer.value
        for name, value in (("graphs", graphs), ("vertices", vertices), ("k", k), ("rows", rows), ("columns", columns),
                            ("degree", degree)):
            if value is not None:
                setattr(chosen, name, v.integer(value, name, 0, 2**32 - 1))
        if probability is not None:
            chosen.probability = v.real(probability, "probability")
        chosen.seed = v.integer(seed, "seed", 0, 2**64 - 1)
        if skips is not None:
            given = v.integers(skips, "skips")
            if given.ndim != 1 or given.size and given.min() < 1:
                raise ArgumentError(f"skips: found {v.shown(skips)}, expected numbers above 0")
            lengths = np.ascontiguousarray(given, dtype=np.uint64)
            chosen.skips, chosen.skip_count = v.pointer(lengths, ctypes.c_size_t), len(lengths)
        with Session(1) as session:
            session.call("leman_dataset_generate", kind, ctypes.byref(chosen), ctypes.byref(out))
        return cls._made(out)

    @classmethod
    def from_graph6(cls, texts: Any, y: Any = None, *, directed: bool = False, policy: str | None = None) -> Dataset:
        """Graphs in graph6 or sparse6: a text with a graph in each line, bytes, or a list of them."""
        from ._learned import with_y
        parts = [texts] if isinstance(texts, (str, bytes)) else v.listed(texts, "texts")
        lines = [v.text(part, "texts") if isinstance(part, str) else part for part in parts]
        for place, line in enumerate(lines):
            if not isinstance(line, bytes):
                raise InputError(f"texts: found {type(line).__name__} in place {place}, expected graph6 or sparse6")
            if not line.strip() and not isinstance(texts, (str, bytes)):
                raise InputError(f"texts: found an empty text in place {place}, expected graph6 or sparse6")
        with tempfile.TemporaryDirectory(prefix="leman-") as folder:
            path = os.path.join(folder, "texts")
            with open(path, "wb") as file:
                file.writelines(line.rstrip(b"\r\n") + b"\n" for line in lines if line.strip())
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                try:
                    made = cls.read(path, format="graph6", directed=directed, policy=policy) if any(map(bytes.strip, lines)) else cls()
                except Error as error:
                    raise type(error)(str(error).replace(path, "texts")) from None
        for warning in caught:
            warn(str(warning.message).replace(path, "texts"), warning.category)
        return with_y(made, y)

    @classmethod
    def from_arrays(cls, edge_index: Any, offsets: Any = None, *, vertex_labels: Any = None, edge_labels: Any = None,
                    vertex_attributes: Any = None, edge_attributes: Any = None, y: Any = None, targets: Any = None,
                    target_names: Sequence[str] | None = None, names: Sequence[str] | None = None,
                    directed: bool = False, policy: str | None = None, name: str = "data") -> Dataset:
        """From flat arrays, as PyG's batches have them. edge_index [2, arcs] numbers vertices over all graphs; graph i has
        the vertices offsets[i] .. offsets[i+1]-1. Labels: integers [items] or [items, columns], or a list of anything
        hashable. y: integers, strings, ... are classes, floats are one column of targets; None or NaN is missing."""
        from ._arrays import from_arrays
        return from_arrays(edge_index, offsets, vertex_labels=vertex_labels, edge_labels=edge_labels,
                           vertex_attributes=vertex_attributes, edge_attributes=edge_attributes, y=y, targets=targets,
                           target_names=target_names, names=names, directed=directed, policy=policy, name=name)

    @classmethod
    def from_networkx(cls, graphs: Iterable[Any], y: Any = None, **how: Any) -> Dataset:
        """Graphs of networkx. Node names come back in to_networkx().

        Parameters
        ----------
        graphs : iterable of networkx graphs
        y : sequence, optional
            Classes, or reals to be predicted.
        **how
            node_label, edge_label: names of attributes (default "label" where graphs have it); node_attributes, edge_attributes: names of
            reals or of vectors of reals (default "attributes" where to_networkx() wrote it, and a warning that names the others); directed, policy: as in `read`.

        Returns
        -------
        Dataset

        Examples
        --------
        >>> import leman, networkx as nx
        >>> data = leman.Dataset.from_networkx([nx.cycle_graph(6), nx.path_graph(4)], y=["ring", "chain"])
        >>> len(data), data.y.tolist()
        (2, ['ring', 'chain'])
        """
        from ._convert import from_networkx
        return from_networkx(graphs, y, **how)

    @classmethod
    def from_pyg(cls, graphs: Iterable[Any], y: Any = None, **how: Any) -> Dataset:
        """PyG `Data` objects, or a `Batch` or several, which are taken apart. Integer x are labels (one column each), and so are the
        last columns of reals where they are one-hot; other reals are attributes. edge_attr likewise. Where x has no labels, z
        has them. vertex_attributes, edge_attributes and pos stand behind the attributes. label_columns: how many columns at the end of x are one-hot labels; without it
        they are looked for in the graphs that are given, so training and new graphs should both say it. y: integers are classes, reals are targets; a graph without y has none."""
        from ._convert import from_pyg
        return from_pyg(graphs, y, **how)

    @classmethod
    def from_igraph(cls, graphs: Iterable[Any], y: Any = None, **how: Any) -> Dataset:
        """python-igraph graphs; vertex and edge attribute "label", or those that node_label and edge_label name."""
        from ._convert import from_igraph
        return from_igraph(graphs, y, **how)

    @classmethod
    def from_grakel(cls, graphs: Iterable[Any], y: Any = None, **how: Any) -> Dataset:
        """What GraKeL's kernels take: grakel.Graph, or [edges, node_labels, edge_labels] with edges as an adjacency
        matrix, a dictionary or a collection of pairs."""
        from ._convert import from_grakel
        return from_grakel(graphs, y, **how)

    @classmethod
    def from_rdkit(cls, molecules: Iterable[Any], y: Any = None, **how: Any) -> Dataset:
        """RDKit molecules: atoms with the labels that SDF files get (docs/formats.md), bonds 1, 2, 3, 4 (aromatic). Hydrogens are
        merged into their neighbours and aromatic rings are found, as in files; "as-written" for hydrogens or aromatic keeps
        what the molecule has. on_error="skip" leaves out None, with its y, and warns."""
        from ._molecules import from_rdkit
        return from_rdkit(molecules, y, **how)

    @classmethod
    def from_smiles(cls, smiles: Iterable[str], y: Any = None, **how: Any) -> Dataset:
        """Molecules from SMILES; atoms have the labels that SDF files get (docs/formats.md).

        Parameters
        ----------
        smiles : iterable of str
            A table of pandas is taken by its column of SMILES; y and names may then name its columns.
        y : sequence, optional
            Classes, or reals to be predicted.
        **how
            on_error: "raise" (an InputError with the place of what cannot be read) or "skip" (left out, with its y, and a warning). names: of the
            molecules. atom_labels, hydrogens, aromatic, standardize, stereo, policy: as in `read`. sanitize=True reads through RDKit, which refuses
            what its sanitisation refuses.

        Returns
        -------
        Dataset

        Examples
        --------
        >>> import leman
        >>> data = leman.Dataset.from_smiles(["CCO", "c1ccccc1O"])
        >>> [graph.num_vertices for graph in data]
        [3, 7]
        """
        from ._molecules import from_smiles
        return from_smiles(smiles, y, **how)

    @classmethod
    def tudataset(cls, name: str, *, offline: bool = False, cache: str | os.PathLike[str] | None = None,
                  verbose: bool = False, **how: Any) -> Dataset:
        """A data set of the TU collection by its name, downloaded once, checked and kept in the cache."""
        chosen = options("leman_download_options")
        chosen.offline = offline
        if cache is not None:
            chosen.cache = v.path(cache, "cache")
        path = ctypes.create_string_buffer(4096)
        with Session(verbose=verbose) as session:
            session.call("leman_dataset_download", v.text(name, "name", "the name of a data set"), ctypes.byref(chosen), path,
                         len(path))
        return cls.read(os.fsdecode(path.value), **how)

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
        return (self._shape.name or b"").decode("utf-8", "replace")

    @property
    def shape(self) -> tuple[int]:
        """(graphs,): what scikit-learn asks for."""
        return (len(self),)

    @property
    def directed(self) -> bool:
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
        return int(self._shape.vertices)

    @property
    def num_edges(self) -> int:
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
        """A new data set of these graphs: numbers (negative ones from the end, repeats allowed) or a mask."""
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

    __hash__ = None  # type: ignore[assignment]

    # ---- Going elsewhere -------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str], *, format: str | None = None) -> None:
        """Writes a file by the ending of its name: .leman, .zip (TU), .g6, .s6, .csv, or a TU folder; molecules also .smi and
        .sdf, which has drawn coordinates unless the data have some. Labels that are no
        integers are written as their numbers, with a warning; a pickle keeps everything."""
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
        """The arguments of from_arrays() that make this data set."""
        from ._arrays import to_arrays
        return to_arrays(self)

    def scaffolds(self) -> Any:
        """The group of each molecule: those with the same Bemis-Murcko scaffold have the same number, those without a ring are
        one group. For scikit-learn's GroupKFold and its kind."""
        groups, count = np.zeros(max(1, len(self)), dtype=np.uint32), ctypes.c_size_t()
        with Session(1) as session:
            session.call("leman_dataset_scaffolds", self._handle.pointer, groups.ctypes.data_as(ctypes.POINTER(ctypes.c_uint32)),
                         ctypes.byref(count))
        return groups[:len(self)].astype(np.int64)

    def to_networkx(self) -> list[Any]:
        return [graph.to_networkx() for graph in self]

    def to_pyg(self) -> list[Any]:
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
            keep = _policy(session, directed, "self-loops=keep")
            chosen.policy = ctypes.pointer(keep)
            session.call("leman_dataset_read", os.fsencode(path), ctypes.byref(chosen), None, ctypes.byref(out))
    return Dataset._made(out, vertex_words, edge_words, nodes, class_values)


generate = Dataset.generate
