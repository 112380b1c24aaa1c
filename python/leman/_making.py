"""How data sets are made: the class methods of `Dataset`, each of which calls a function of a file of its own."""
from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any, Iterable, Sequence

from . import _values as v
from ._library import Session, options

if TYPE_CHECKING:
    from ._dataset import Dataset


class Making:
    """The part of Dataset that makes data sets."""

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
        from ._reading import read
        return read(path, format=format, directed=directed, policy=policy, class_column=class_column, positive=positive,
                    vertex_labels=vertex_labels, n_jobs=n_jobs, verbose=verbose, **molecules)

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
        from ._families import generate
        return generate(family, graphs=graphs, vertices=vertices, k=k, rows=rows, columns=columns, degree=degree, probability=probability,
                        skips=skips, base=base, seed=seed, level=level)

    @classmethod
    def from_graph6(cls, texts: Any, y: Any = None, *, directed: bool = False, policy: str | None = None) -> Dataset:
        """Graphs in graph6 or sparse6.

        Parameters
        ----------
        texts : str, bytes or list of them
            A text with a graph in each line, or a list of texts.
        y : sequence, optional
            Classes, or reals to be predicted.
        directed : bool
            Keep the directions of edges.
        policy : str, optional
            As in `read`.

        Returns
        -------
        Dataset

        Examples
        --------
        >>> import leman
        >>> leman.Dataset.from_graph6(["C~", "Cl"])[0].num_edges
        6
        """
        from ._reading import from_graph6
        return from_graph6(texts, y, directed=directed, policy=policy)

    @classmethod
    def from_arrays(cls, edge_index: Any, offsets: Any = None, *, vertex_labels: Any = None, edge_labels: Any = None,
                    vertex_attributes: Any = None, edge_attributes: Any = None, y: Any = None, targets: Any = None,
                    target_names: Sequence[str] | None = None, names: Sequence[str] | None = None,
                    directed: bool = False, policy: str | None = None, name: str = "data") -> Dataset:
        """From flat arrays, as PyG's batches have them.

        Parameters
        ----------
        edge_index : array of int, [2, arcs]
            Tails and heads; vertices are numbered over all graphs.
        offsets : array of int, [graphs + 1], optional
            Graph i has the vertices offsets[i] .. offsets[i + 1] - 1; None: one graph.
        vertex_labels, edge_labels : sequence, optional
            Integers [items] or [items, columns], or a list of anything hashable.
        vertex_attributes, edge_attributes : array of float, optional
            [items] or [items, columns].
        y : sequence, optional
            Integers, texts, ... are classes, floats are one column of targets; None or NaN is missing.
        targets : array of float, [graphs, columns], optional
            Reals to be predicted.
        target_names, names : list of str, optional
            Of the columns of targets, and of the graphs.
        directed : bool
            Keep the directions of edges.
        policy : str, optional
            As in `read`.
        name : str
            Of the data set.

        Returns
        -------
        Dataset

        Examples
        --------
        >>> import leman
        >>> data = leman.Dataset.from_arrays([[0, 1, 1, 2, 3, 4], [1, 0, 2, 1, 4, 3]], [0, 3, 5], vertex_labels=["C", "C", "O", "C", "N"])
        >>> [graph.vertex_labels for graph in data]
        [['C', 'C', 'O'], ['C', 'N']]
        """
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
        """`Data` objects of PyG, or a `Batch` or several, which are taken apart.

        Integer x are labels (one column each), and so are the last columns of reals where they are one-hot; other reals are attributes; edge_attr
        likewise. Where x has no labels, z has them. vertex_attributes, edge_attributes and pos stand behind the attributes. A graph without y has none.

        Parameters
        ----------
        graphs : iterable of torch_geometric.data.Data
        y : sequence, optional
            Instead of those of the graphs. Integers are classes, reals are targets.
        **how
            label_columns: how many columns at the end of x are one-hot labels; without it they are looked for in the graphs that are given, so training
            and new graphs should both say it. directed, policy: as in `read`.

        Returns
        -------
        Dataset

        Examples
        --------
        >>> import leman, numpy as np
        >>> from types import SimpleNamespace as Data  # a torch_geometric.data.Data has the same members
        >>> leman.Dataset.from_pyg([Data(edge_index=np.array([[0, 1, 1, 2], [1, 0, 2, 1]]), num_nodes=3)])[0].num_edges
        2
        """
        from ._pyg import from_pyg
        return from_pyg(graphs, y, **how)

    @classmethod
    def from_igraph(cls, graphs: Iterable[Any], y: Any = None, **how: Any) -> Dataset:
        """Graphs of python-igraph.

        Parameters
        ----------
        graphs : iterable of igraph.Graph
        y : sequence, optional
            Classes, or reals to be predicted.
        **how
            node_label, edge_label: names of attributes of vertices and edges, "label" by default; directed, policy: as in `read`.

        Returns
        -------
        Dataset
        """
        from ._convert import from_igraph
        return from_igraph(graphs, y, **how)

    @classmethod
    def from_grakel(cls, graphs: Iterable[Any], y: Any = None, **how: Any) -> Dataset:
        """What GraKeL's kernels take.

        Parameters
        ----------
        graphs : iterable
            grakel.Graph, or [edges, node_labels, edge_labels] with edges as an adjacency matrix, a dictionary or a collection of pairs.
        y : sequence, optional
            Classes, or reals to be predicted.
        **how
            Of the converter.

        Returns
        -------
        Dataset

        Examples
        --------
        >>> import leman
        >>> leman.Dataset.from_grakel([[{(0, 1), (1, 0)}, {0: "C", 1: "O"}]])[0].vertex_labels
        ['C', 'O']
        """
        from ._convert import from_grakel
        return from_grakel(graphs, y, **how)

    @classmethod
    def from_rdkit(cls, molecules: Iterable[Any], y: Any = None, **how: Any) -> Dataset:
        """Molecules of RDKit: atoms with the labels that SDF files get (docs/formats.md), bonds 1, 2, 3, 4 (aromatic).

        Hydrogens are merged into their neighbours and aromatic rings are found, as in files.

        Parameters
        ----------
        molecules : iterable of rdkit.Chem.Mol
        y : sequence, optional
            Classes, or reals to be predicted.
        **how
            As in `from_smiles`; "as-written" for hydrogens or aromatic keeps what the molecule has. on_error="skip" leaves out None, with its y, and
            warns.

        Returns
        -------
        Dataset
        """
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
        """A data set of the TU collection by its name, downloaded once, checked and kept in the cache.

        Parameters
        ----------
        name : str
            As "MUTAG".
        offline : bool
            Take it from the cache or fail.
        cache : path, optional
            The folder; None: that of the program (docs/download.md).
        verbose : bool
            Draw a progress bar.
        **how
            The arguments of `read`.

        Returns
        -------
        Dataset
        """
        chosen = options("leman_download_options")
        chosen.offline = offline
        if cache is not None:
            chosen.cache = v.path(cache, "cache")
        path = ctypes.create_string_buffer(4096)
        with Session(verbose=verbose) as session:
            session.call("leman_dataset_download", v.text(name, "name", "the name of a data set"), ctypes.byref(chosen), path,
                         len(path))
        return cls.read(os.fsdecode(path.value), **how)
