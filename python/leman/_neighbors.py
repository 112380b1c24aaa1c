"""Similar graphs: `neighbors`, the nearest graphs of each query, and `clusters`, groups around centres. docs/kernels.md has the definitions."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Iterator

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from . import _values as v
from ._convert import as_dataset
from ._dataset import Dataset
from ._errors import ArgumentError
from ._kernels import kernels_of, normalized
from ._library import Session, lib, options
from ._policy import warn_of_cleaning

_ATOMS = {128: "ecfp", 256: "fcfp"}


def _reading_of(atoms: int) -> int:
    """The code of molecules with these atom labels."""
    chosen = options("leman_read_options")
    chosen.atom_labels = atoms
    return int(lib.leman_reading_of(ctypes.byref(chosen), True))


def _kernels(session: Session, method: str | None, rounds: int | None, normalize: str | None) -> tuple[Any, int]:
    """The kernels of a method, or None, and the atom labels that molecules have for them."""
    if method is None:
        return None, 128
    kernels = kernels_of(session, method, 2 if rounds is None else rounds)
    normalized(kernels, normalize or False)
    return kernels, max(int(kernel.atom_labels) for kernel in kernels)


def _read(graphs: Any, atoms: int) -> Dataset:
    """The graphs of a path or of anything else; molecules with these atom labels."""
    if isinstance(graphs, (str, os.PathLike)):
        return Dataset.read(graphs, atom_labels=_ATOMS[atoms]) if atoms else Dataset.read(graphs)
    return as_dataset(graphs, reading=_reading_of(atoms))


def _usual(session: Session, data: Dataset, rounds: int | None) -> Any:
    kernels = (c.leman_kernel * 1)()
    ctypes.memmove(kernels, ctypes.byref(options("leman_kernel")), ctypes.sizeof(c.leman_kernel))
    session.call("leman_neighbors_kernel", data._handle.pointer, kernels)
    if rounds is not None:
        kernels[0].coloring.rounds = v.integer(rounds, "rounds", 0, 4096)
    return kernels


def _text(value: bytes | None) -> str:
    return (value or b"").decode("utf-8", "replace")


class Neighbors:
    """The nearest graphs of each query, the nearest first: arrays [queries, neighbours]. `similarity, index = neighbors(...)` unpacks it.

    Attributes
    ----------
    index : ndarray of int64
        Rows of the file, from 0, or numbers of graphs.
    similarity : ndarray
        The similarity of each.
    names, smiles : list of lists of str
        Texts of the file, "" where there is none.

    Examples
    --------
    >>> import leman
    >>> found = leman.neighbors(["CCO"], ["CCN", "CCCO", "OCC"], k=1)
    >>> found.index.tolist(), found.rows()[0]["similarity"]
    ([[2]], 1.0)
    """

    def __init__(self, index: npt.NDArray[np.int64], similarity: npt.NDArray[np.float64], names: list[list[str]], smiles: list[list[str]]) -> None:
        self.index = index
        self.similarity = similarity
        self.names = names
        self.smiles = smiles

    def __repr__(self) -> str:
        return f"<leman.Neighbors: {self.index.shape[1]} of {self.index.shape[0]} queries>"

    def __iter__(self) -> Iterator[Any]:
        """similarity, index = neighbors(...)"""
        return iter((self.similarity, self.index))

    def rows(self) -> list[dict[str, Any]]:
        """A dictionary for each query and neighbour, for pandas.DataFrame().

        Returns
        -------
        list of dict
            query, rank (from 1), row, name, smiles and similarity.
        """
        return [{"query": q, "rank": rank + 1, "row": int(row), "name": self.names[q][rank], "smiles": self.smiles[q][rank],
                 "similarity": float(self.similarity[q, rank])} for q, found in enumerate(self.index) for rank, row in enumerate(found)]


def _found(out: ctypes.c_void_p) -> Neighbors:
    try:
        shape = int(lib.leman_neighbors_queries(out)), int(lib.leman_neighbors_count(out))
        index, similarity = np.zeros(shape, np.int64), np.zeros(shape)
        names: list[list[str]] = [[] for _ in range(shape[0])]
        smiles: list[list[str]] = [[] for _ in range(shape[0])]
        for q in range(shape[0]):
            for rank in range(shape[1]):
                one = lib.leman_neighbors_get(out, q, rank)
                index[q, rank], similarity[q, rank] = one.row, one.similarity
                names[q].append(_text(one.name))
                smiles[q].append(_text(one.smiles))
        return Neighbors(index, similarity, names, smiles)
    finally:
        lib.leman_neighbors_free(out)


def _find_in_file(session: Session, queries: Dataset, path: Any, kernels: Any, k: int, on_error: str, out: ctypes.c_void_p) -> None:
    chosen, rules, cleaning = options("leman_read_options"), options("leman_policy"), c.leman_cleaning()
    rules.directed = queries.directed
    if queries.reading_code:
        session.call("leman_reading_apply", queries.reading_code, ctypes.byref(chosen), ctypes.byref(rules))
    chosen.policy = ctypes.pointer(rules)
    chosen.skip_unreadable = on_error == "skip"
    session.call("leman_neighbors_find", queries._handle.pointer, v.path(path), ctypes.byref(chosen), kernels, len(kernels), k,
                 ctypes.byref(cleaning), ctypes.byref(out))
    warn_of_cleaning(cleaning, rules, os.fspath(path))


def neighbors(queries: Any, data: Any = None, k: int = 10, *, method: str | None = None, rounds: int | None = None, normalize: str | None = None,
              on_error: str = "raise", n_jobs: int | None = None) -> Neighbors:
    """The k most similar graphs of `data` for each query, exactly; of equally similar ones the first.

    Parameters
    ----------
    queries : path or graphs of any kind
    data : path or graphs of any kind, optional
        A file is read in slices and may be larger than memory. None: the queries themselves, where no graph is its own neighbour.
    k : int
        How many.
    method : str, optional
        Any kernel that counts features; None: "ECFP4" for molecules, otherwise "1-WL:minmax".
    rounds : int, optional
        The last round; None: 2.
    normalize : str, optional
        "cosine", "tanimoto" or "minmax": how the kernel is divided, so that it is 1 for the same features; None: as the name of the method says.
    on_error : str
        "skip" passes over molecules of a file that cannot be read.
    n_jobs : int, optional
        Threads, which never change a result; None: all.

    Returns
    -------
    Neighbors
        `similarity` and `index`, [queries, k], the nearest first.

    Examples
    --------
    >>> import leman
    >>> similarity, index = leman.neighbors(["CCO"], ["CCN", "CCCO", "OCC", "c1ccccc1O"], k=2)
    >>> index.tolist()
    [[2, 1]]
    """
    nearest = v.integer(k, "k", 1)
    if on_error not in ("raise", "skip"):
        raise ArgumentError(f"on_error: found {v.shown(on_error)}, expected 'raise' or 'skip'")
    out = ctypes.c_void_p()
    with Session(n_jobs) as session:
        kernels, atoms = _kernels(session, method, rounds, normalize)
        asked = _read(queries, atoms)
        kernels = kernels or _usual(session, asked, rounds)
        if isinstance(data, (str, os.PathLike)):
            _find_in_file(session, asked, data, kernels, nearest, on_error, out)
        else:
            searched = None if data is None else as_dataset(data, reading=asked.reading_code)
            session.call("leman_neighbors_among", asked._handle.pointer, searched._handle.pointer if searched is not None else None, kernels,
                         len(kernels), nearest, ctypes.byref(out))
    return _found(out)


class Clusters:
    """Groups of similar graphs around centres, in the order in which they are formed.

    Attributes
    ----------
    labels : ndarray of int64, [graphs]
        The number of the cluster of each graph.
    centers : ndarray of int64, [clusters]
        The graph that is the centre of each cluster.
    similarity : ndarray, [graphs]
        Of each graph to its centre.

    Examples
    --------
    >>> import leman
    >>> found = leman.clusters(["CCO", "c1ccccc1", "OCC"], similarity=0.9)
    >>> found, found.centers.tolist()
    (<leman.Clusters: 2 of 3 graphs>, [0, 1])
    """

    def __init__(self, labels: npt.NDArray[np.int64], centers: npt.NDArray[np.int64], similarity: npt.NDArray[np.float64]) -> None:
        self.labels = labels
        self.centers = centers
        self.similarity = similarity

    def __len__(self) -> int:
        return len(self.centers)

    def __repr__(self) -> str:
        return f"<leman.Clusters: {len(self)} of {len(self.labels)} graphs>"


def clusters(graphs: Any, similarity: float = 0.6, *, method: str | None = None, rounds: int | None = None, normalize: str | None = None,
             n_jobs: int | None = None) -> Clusters:
    """Taylor and Butina's clusters: the graph with the most neighbours is the centre of a cluster and takes its neighbours, then the one with
    the next most that no cluster has taken, and so on.

    Parameters
    ----------
    graphs : path or graphs of any kind
    similarity : float
        Graphs of at least this similarity are neighbours.
    method : str, optional
        Any kernel that counts features; None: "ECFP4" for molecules, otherwise "1-WL:minmax".
    rounds : int, optional
        The last round; None: 2.
    normalize : str, optional
        "cosine", "tanimoto" or "minmax": how the kernel is divided, so that it is 1 for the same features; None: as the name of the method says.
    n_jobs : int, optional
        Threads, which never change a result; None: all.

    Returns
    -------
    Clusters
        `labels`, the cluster of each graph, and `centers`.

    Examples
    --------
    >>> import leman
    >>> leman.clusters(["CCO", "c1ccccc1", "OCC"], similarity=0.9).labels.tolist()
    [0, 1, 0]
    """
    least = v.real(similarity, "similarity", "a number above 0 and up to 1", above=0)
    with Session(n_jobs) as session:
        kernels, atoms = _kernels(session, method, rounds, normalize)
        data = _read(graphs, atoms)
        label, center = np.zeros((2, max(1, len(data))), np.uint32)
        near, count = np.zeros(max(1, len(data))), ctypes.c_size_t()
        session.call("leman_clusters_find", data._handle.pointer, kernels or _usual(session, data, rounds), len(kernels or [None]), least,
                     *(one.ctypes.data_as(ctypes.POINTER(ctypes.c_uint32)) for one in (label, center)),
                     near.ctypes.data_as(ctypes.POINTER(ctypes.c_double)), ctypes.byref(count))
    labels = label[:len(data)].astype(np.int64)
    centers = np.zeros(count.value, np.int64)
    centers[labels] = center[:len(data)]
    return Clusters(labels, centers, near[:len(data)])
