"""GraphGPR: Gaussian-process regression on graphs, the program's `fit --gp` as an estimator.

Predictions are means with standard deviations. The covariance is a weighted sum of the rounds of the kernels; fit() finds the weights
and the noise by marginal likelihood. Files are those of the program: `leman predict --model FILE` reads what save() writes.
"""
from __future__ import annotations

import ctypes
import os
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from . import _declarations as c
from . import _values as v
from ._convert import as_dataset
from ._dataset import Dataset
from ._errors import ArgumentError, InputError
from ._kernels import components_of, hashes_of, kernels_of, rounds_of, warn_of_attributes
from ._learned import Supervision, with_learned
from ._library import Handle, Session, file_content, handle_of, lib, options, sized_text
from ._policy import reading_text
from ._rows import rows_of
from ._unread import attributes_of, warn_of_new

Array = npt.NDArray[Any]
_REAL = ctypes.POINTER(ctypes.c_double)


def _with_targets(X: Any, y: Any, reading: int | None = None) -> Dataset:
    """The graphs with y, or with the one column of targets of a data set, as their only targets."""
    data = as_dataset(X) if reading is None else as_dataset(X, reading=reading)
    if y is None:
        targets = data.targets
        y = targets[:, 0] if targets is not None and targets.shape[1] == 1 else None
    if y is None:
        raise InputError("y: found none, and the data set has not exactly one column of targets")
    bare = Supervision(y, None, len(data), "reals")
    return with_learned(data, bare)


class GraphGPR(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Gaussian-process regression on graphs. The covariance of f(G) and f(H) is the sum over rounds of weight * k(G, H), where k is the
    normalised kernel of the counts of one round; values have independent noise around a constant mean and f.

    Graphs whose y is None or NaN take no part. fit(X, y, sample_weight=w) divides the variance of the noise of each graph by its
    weight, as scikit-learn's GaussianProcessRegressor(alpha=noise / w) does; loo_rmse_ then counts a graph as w graphs.

    Parameters
    ----------
    method : str
        The kernel, as in WLKernel: "WLOA", "delta-2-LWL", "ECFP4", "1-WL+SP", ...
    rounds : int
        The last round of every kernel that has rounds.
    weights : sequence of float, optional
        The variances to begin with; None: equal weights.
    noise : float, optional
        The variance of the noise to begin with; None: a tenth of the variance of y.
    optimize : bool
        Change variances until the marginal likelihood is largest; False: keep them.
    n_jobs : int, optional
        Threads, which never change a result; None: all.
    verbose : bool
        Say how the fit goes on.
    components : int, optional
        Only the tuples that induce at most so many connected components; None: all.
    binnings : int
        How many random binnings of the vertex attributes, standardised over the fitted graphs, are added up; 0: none. Each is one more
        label, the interval of the length `bin_width` of a random projection.
    bin_width : float
        See `binnings`.
    hash_seed : int
        Of the binnings.

    Attributes
    ----------
    weights_, blocks_ : ndarray, list
        The variances, and kernel and round of each.
    noise_, mean_ : float
        Of the values.
    log_marginal_likelihood_value_, loo_rmse_ : float
        How well the fit describes the training graphs, and the error of leaving each out.
    n_graphs_ : int
        How many graphs were fitted.
    reading_ : str
        How SMILES and files are read for this model, as options of the program.

    Examples
    --------
    >>> import leman
    >>> smiles = ["C" * n + "O" for n in range(1, 9)]
    >>> model = leman.GraphGPR("1-WL", rounds=1).fit(smiles, [float(n) for n in range(1, 9)])
    >>> mean, deviation = model.predict(["CCCCO", "FC(F)(F)S"], return_std=True)
    >>> bool(abs(mean[0] - 4) < 1), bool(deviation[1] > deviation[0])
    (True, True)
    """

    def __init__(self, method: str = "delta-2-LWL", rounds: int = 5, weights: Any = None, noise: float | None = None,
                 optimize: bool = True, n_jobs: int | None = None, verbose: Any = False, components: int | None = None,
                 binnings: int = 0, bin_width: float = 1.0, hash_seed: int = 0) -> None:
        self.method = method
        self.rounds = rounds
        self.weights = weights
        self.noise = noise
        self.optimize = optimize
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.components = components
        self.binnings = binnings
        self.bin_width = bin_width
        self.hash_seed = hash_seed

    # ---- Fitting ------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> GraphGPR:
        """Finds the weights and the noise for which the training graphs are most likely.

        Parameters
        ----------
        X : graphs of any kind
        y : sequence of float, optional
            None: the only target of the data set.
        sample_weight : sequence of float, optional
            A number above 0 for each graph, by which the variance of its noise is divided. That of a graph without a target may be NaN.

        Returns
        -------
        self
        """
        data = _with_targets(X, y)
        own = v.sample_weights(sample_weight, len(data))
        chosen = options("leman_gp_options")
        chosen.rounds = rounds_of(self.rounds)
        chosen.target = 0
        chosen.fixed = not self.optimize
        chosen.sample_weight = v.pointer(own, ctypes.c_double)
        if self.noise is not None:
            chosen.noise = v.real(self.noise, "noise", "a positive number", above=0)
        if self.weights is not None:
            weights = np.ascontiguousarray(v.reals(self.weights, "weights")).ravel()
            chosen.weight, chosen.weights = weights.ctypes.data_as(_REAL), len(weights)
        out = ctypes.c_void_p()
        with self._session() as session:
            kernels = kernels_of(session, self.method, 0, components=components_of(self.components),
                                 **hashes_of(self.binnings, self.bin_width, self.hash_seed))
            warn_of_attributes(data, kernels)
            session.call("leman_gp_fit", data._handle.pointer, kernels, len(kernels), ctypes.byref(chosen), ctypes.byref(out))
        self._adopt(out)
        self._attributes: tuple[bool, bool] | None = attributes_of(data)
        return self

    def extend(self, X: Any, y: Any = None, sample_weight: Any = None) -> GraphGPR:
        """Adds training graphs in n^2 operations each, with weights and noise as they are: the same as fit() of all graphs with optimize=False and
        these weights. loo_rmse_ stays that of the fit.

        Parameters
        ----------
        X : graphs of any kind
        y : sequence of float, optional
        sample_weight : sequence of float, optional
            As in fit(), of the graphs that are added.

        Returns
        -------
        self
        """
        check_is_fitted(self, "_gp")
        data = _with_targets(X, y, self._reading)
        warn_of_new(data, getattr(self, "_attributes", None))
        own = v.sample_weights(sample_weight, len(data))
        out = ctypes.c_void_p()
        with self._session() as session:
            session.call("leman_gp_extend", self._gp.pointer, data._handle.pointer, v.pointer(own, ctypes.c_double), ctypes.byref(out))
        self._adopt(out)
        return self

    def _session(self) -> Session:
        return Session(self.n_jobs, verbose=self.verbose)

    def _shape(self) -> Any:
        return lib.leman_gp_describe(self._gp.pointer).contents

    def _adopt(self, pointer: Any) -> None:
        self._gp = Handle(pointer, lib.leman_gp_free)
        shape = self._shape()
        model = shape.model.contents
        blocks = range(shape.blocks)
        self.weights_: npt.NDArray[Any] = np.array([shape.weight[b] for b in blocks])
        self.blocks_: list[tuple[int, int]] = [(int(shape.block_kernel[b]), int(shape.block_round[b])) for b in blocks]
        self.noise_: float = float(shape.noise)
        self.mean_: float = float(shape.mean)
        self.log_marginal_likelihood_value_: float = float(shape.log_likelihood)
        self.loo_rmse_: float = float(model.score)
        self.n_graphs_: int = int(model.supports)
        self._reading = int(model.reading)
        self.reading_: str = reading_text(self._reading)

    # ---- Predictions --------------------------------------------------------------------------

    def _predict(self, X: Any, with_std: bool) -> tuple[Array, Array, Array]:
        check_is_fitted(self, "_gp")
        data = as_dataset(X, reading=self._reading)
        warn_of_new(data, getattr(self, "_attributes", None))
        mean, std, unknown = np.zeros(len(data)), np.zeros(len(data)), np.zeros(len(data))
        with self._session() as session:
            session.call("leman_gp_predict", self._gp.pointer, data._handle.pointer, mean.ctypes.data_as(_REAL),
                         std.ctypes.data_as(_REAL) if with_std else None, unknown.ctypes.data_as(_REAL))
        return mean, std, unknown

    def predict(self, X: Any, return_std: bool = False, noise: bool = True) -> Any:
        """Means, and standard deviations of new values of weight 1.

        Parameters
        ----------
        X : graphs of any kind
        return_std : bool
            Return deviations, too.
        noise : bool
            False: the deviations of f alone, without the noise of a measurement.

        Returns
        -------
        ndarray, [graphs], or a pair of arrays
        """
        mean, std, _ = self._predict(X, return_std)
        if not return_std:
            return mean
        return mean, std if noise else np.sqrt(np.maximum(std ** 2 - self.noise_, 0))

    def out_of_vocabulary(self, X: Any) -> Array:
        """How much of each graph lies in features that no training graph has: the mean over rounds by their weights.

        Parameters
        ----------
        X : graphs of any kind

        Returns
        -------
        ndarray, [graphs]
            Shares, 0 .. 1.
        """
        return self._predict(X, False)[2]

    def predictions(self, X: Any, columns: Any = None) -> list[dict[str, Any]]:
        """A dictionary for each molecule, for pandas.DataFrame().

        Parameters
        ----------
        X : path or list
            A file of molecules, or a list of which some may be None or no SMILES.
        columns : list of str, optional
            Columns of the file whose texts are added.

        Returns
        -------
        list of dict
            row, name, smiles, status ("ok", or why there is no prediction), value, std and out_of_vocabulary.
        """
        check_is_fitted(self, "_gp")
        data, rows = rows_of(X, self._reading, bool(self._shape().model.contents.directed), columns)
        found = self._predict(data, True) if data is not None else None
        made = []
        for row in rows:
            place = row.pop("place")
            answer = {}
            if place is not None and found is not None:
                answer = {name: float(values[place]) for name, values in zip(("value", "std", "out_of_vocabulary"), found)}
            made.append({**row, **answer})
        return made

    def leave_one_out(self) -> tuple[Array, Array]:
        """Every training graph predicted from all others, with weights, noise and mean as they are.

        Returns
        -------
        mean, std : ndarray, [training graphs]
        """
        check_is_fitted(self, "_gp")
        mean, std = np.zeros(self.n_graphs_), np.zeros(self.n_graphs_)
        with self._session() as session:
            session.call("leman_gp_leave_one_out", self._gp.pointer, mean.ctypes.data_as(_REAL), std.ctypes.data_as(_REAL), None)
        return mean, std

    # ---- The likelihood -----------------------------------------------------------------------

    @property
    def theta_(self) -> Array:
        """The logarithms of weights_ and, last, of noise_."""
        check_is_fitted(self, "_gp")
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(np.append(self.weights_, self.noise_)))

    def log_marginal_likelihood(self, theta: Any = None, eval_gradient: bool = False) -> Any:
        """The log marginal likelihood of the training graphs, as GaussianProcessRegressor of scikit-learn has it.

        Parameters
        ----------
        theta : ndarray, optional
            Logarithms of weights and noise; None: theta_.
        eval_gradient : bool
            Return the derivatives by theta, too.

        Returns
        -------
        float, or float and ndarray
        """
        check_is_fitted(self, "_gp")
        if theta is None and not eval_gradient:
            return self.log_marginal_likelihood_value_
        chosen = self.theta_ if theta is None else np.asarray(theta, dtype=np.float64)
        if chosen.shape != (len(self.weights_) + 1,):
            raise ArgumentError(f"theta: found an array of shape {chosen.shape}, expected ({len(self.weights_) + 1},), the logarithms of weights and noise")
        values = np.exp(chosen)
        value, gradient = ctypes.c_double(), np.zeros(len(values))
        with self._session() as session:
            session.call("leman_gp_likelihood", self._gp.pointer, values.ctypes.data_as(_REAL), float(values[-1]), ctypes.byref(value),
                         gradient.ctypes.data_as(_REAL) if eval_gradient else None)
        return (value.value, gradient * values) if eval_gradient else value.value

    # ---- Files --------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file of the program, which `leman predict --model` and load_model() read.

        Parameters
        ----------
        path : path
        """
        check_is_fitted(self, "_gp")
        with Session(1) as session:
            session.call("leman_gp_write", self._gp.pointer, v.path(path))

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        if "_gp" in state:
            state["_gp"] = file_content(self.save)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        if isinstance(state.get("_gp"), bytes):
            state = {**state, "_gp": handle_of(state["_gp"], "leman_gp_read", lib.leman_gp_free)}
        super().__setstate__(state)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        return tags

    def _more_tags(self) -> dict[str, Any]:
        return {"X_types": ["graphs"], "no_validation": True}


def load_gp(path: str | os.PathLike[str]) -> GraphGPR | None:
    """The Gaussian process of a file; None for a file of another kind."""
    out, kind = ctypes.c_void_p(), ctypes.c_int()
    with Session(1) as session:
        session.call("leman_file_kind_detect", v.path(path), ctypes.byref(kind))
        if kind.value != c.LEMAN_FILE_KIND_GAUSSIAN_PROCESS:
            return None
        session.call("leman_gp_read", v.path(path), ctypes.byref(out))
    made = GraphGPR()
    made._adopt(out)
    model = made._shape().model.contents
    kernels = (c.leman_kernel * model.kernels)(*[model.kernel[i].contents for i in range(model.kernels)])
    made.set_params(method=sized_text(lib.leman_kernels_paper_name, kernels, len(kernels)), rounds=int(model.rounds),
                    binnings=kernels[0].binnings, bin_width=kernels[0].bin_width, hash_seed=kernels[0].hash_seed)
    return made
