"""Graph kernels for GPyTorch, BoTorch and GAUCHE. `GraphKernel` is a gpytorch.kernels.Kernel whose inputs are numbers of graphs:

    kernel = GraphKernel(graphs, "WLOA", rounds=3)
    x = kernel.inputs()                                    # [graphs, 1]; kernel.inputs([3, 7]) for some of them
    new = kernel.add(more_graphs)                          # inputs of graphs that come later
    model = gpytorch.models.ExactGP(...)                   # with covar_module = kernel; botorch.models.SingleTaskGP too

The covariance is the sum over the rounds of weight * k(G, H), k the normalised kernel of the counts of one round. It is that of
leman.GraphGPR, which is exact and quicker; this kernel is for likelihoods, acquisition functions and sums with other kernels.
"""
from __future__ import annotations

import ctypes
from typing import Any

import gpytorch
import numpy as np
import numpy.typing as npt
import torch
from gpytorch.constraints import Positive

from . import _declarations as c
from ._convert import as_dataset
from ._dataset import Dataset
from ._errors import ArgumentError
from ._kernels import components_of, kernels_of, normalized
from ._library import Session, lib

__all__ = ["GraphKernel"]

_REAL = ctypes.POINTER(ctypes.c_double)
Array = npt.NDArray[np.float64]


def _sums(session: Session, kernel: Any, rows: Dataset, columns: Dataset | None) -> Array:
    """[rounds + 1, rows, columns]: the kernel, not normalised, of rounds 0 .. h; one matrix for a kernel without rounds."""
    has_rounds = bool(lib.leman_kernel_has_rounds(ctypes.byref(kernel))) or kernel.kind == c.LEMAN_KERNEL_KIND_COLORS
    found = np.zeros((int(kernel.coloring.rounds) + 1 if has_rounds else 1, len(rows), len(rows if columns is None else columns)))
    against = None if columns is None else columns._handle.pointer
    if not found.size:
        return found
    if has_rounds:
        pointers = (_REAL * len(found))(*[matrix.ctypes.data_as(_REAL) for matrix in found])
        session.call("leman_gram_rounds", rows._handle.pointer, against, ctypes.byref(kernel), False, pointers)
    else:
        session.call("leman_gram_compute", rows._handle.pointer, against, ctypes.byref(kernel), 1, False, found.ctypes.data_as(_REAL))
    return found


def _normalized(kernel: Any, block: Array, rows: Array, columns: Array) -> Array:
    """One matrix divided as the kernel says; rows and columns are k(G, G)."""
    if kernel.normalization == c.LEMAN_NORMALIZATION_TANIMOTO:
        divisor = rows[:, None] + columns[None, :] - block
    else:
        divisor = np.sqrt(np.outer(rows, columns))
    return np.asarray(np.divide(block, divisor, out=np.zeros_like(block), where=divisor > 0))


class GraphKernel(gpytorch.kernels.Kernel):  # type: ignore[misc]
    """A weighted sum of the rounds of graph kernels, over a pool of graphs that can grow.

    graphs: what Dataset takes. method, rounds, components: as leman.GraphGPR; any name works, also kernels of pairs such as
    "RandomWalk". delta-k-LWL+ counts in every round. normalize: "cosine", "tanimoto" or "minmax"; None: as the method is named.
    batch_shape: of the weights. The matrices of the pool are kept: 8 bytes times rounds times graphs^2. Inputs are tensors [..., n, 1] of numbers of graphs; the weights are positive parameters, `weights`.
    """

    blocks: torch.Tensor  # [blocks, graphs, graphs]
    has_lengthscale = False
    is_stationary = False

    def __init__(self, graphs: Any, method: str = "delta-2-LWL", rounds: int = 5, normalize: str | None = None,
                 components: int | None = None, n_jobs: int | None = None, batch_shape: torch.Size = torch.Size([]),
                 weights_prior: Any = None, weights_constraint: Any = None, **more: Any) -> None:
        super().__init__(batch_shape=batch_shape, **more)
        self.method = method
        self.n_jobs = n_jobs
        self._data: list[Dataset] = []
        with Session(n_jobs) as session:
            self._kernels = kernels_of(session, method, rounds, components=components_of(components), count_every_round=True)
            normalized(self._kernels, normalize if normalize is not None else True)
        self.register_buffer("blocks", torch.zeros(0, 0, 0, dtype=torch.float64), persistent=False)
        self._self = np.zeros((0, 0))
        self.add(graphs)
        self.block_names: list[tuple[int, int | None]] = [(i, h if len(range_) > 1 else None) for i, range_ in enumerate(self._ranges) for h in range(len(range_))]
        parameter = torch.nn.Parameter(torch.zeros(*batch_shape, len(self.block_names)))
        self.register_parameter(name="raw_weights", parameter=parameter)
        self.register_constraint("raw_weights", weights_constraint if weights_constraint is not None else Positive())
        if weights_prior is not None:
            self.register_prior("weights_prior", weights_prior, lambda kernel: kernel.weights,
                                lambda kernel, value: kernel._set_weights(value))
        self.weights = 1 / len(self.block_names)

    @property
    def weights(self) -> torch.Tensor:
        """[*batch_shape, blocks], the variances of block_names: (kernel, round) each."""
        return torch.as_tensor(self.raw_weights_constraint.transform(self.raw_weights))

    @weights.setter
    def weights(self, value: Any) -> None:
        self._set_weights(value)

    def _set_weights(self, value: Any) -> None:
        wanted = torch.as_tensor(value).to(self.raw_weights).expand_as(self.raw_weights)
        self.initialize(raw_weights=self.raw_weights_constraint.inverse_transform(wanted))

    # ---- The pool -----------------------------------------------------------------------------

    def __len__(self) -> int:
        return sum(map(len, self._data))

    def add(self, graphs: Any) -> torch.Tensor:
        """Adds graphs to the pool, and returns their inputs. Only kernels with the new graphs are computed."""
        data = as_dataset(graphs, reading=self._data[0].reading_code if self._data else 0)
        parts, selves, ranges = [], [], []
        with Session(self.n_jobs) as session:
            for kernel in self._kernels:
                square = _sums(session, kernel, data, None)
                cross = [_sums(session, kernel, data, old) for old in self._data]
                ranges.append(range(len(square)))
                parts.append(np.diff(np.concatenate([*cross, square], axis=2), axis=0, prepend=0))
                selves.append(np.diff(np.stack([np.diagonal(one) for one in square]), axis=0, prepend=0))
        self._ranges = ranges
        before, own = len(self), np.concatenate(selves)
        self._self = np.concatenate([self._self, own], axis=1) if self._data else own
        rows, at = [], 0
        for kernel, part in zip(self._kernels, parts):
            for block in part:
                rows.append(_normalized(kernel, block, own[at], self._self[at]))
                at += 1
        new = torch.as_tensor(np.stack(rows)).to(self.blocks)
        count = len(data)
        grown = self.blocks.new_zeros(len(rows), before + count, before + count)
        if before:
            grown[:, :before, :before] = self.blocks
        grown[:, before:] = new
        grown[:, :, before:] = new.transpose(1, 2)
        self.blocks = grown
        self._data.append(data)
        return self.inputs(range(before, before + count))

    def inputs(self, numbers: Any = None) -> torch.Tensor:
        """[n, 1]: the inputs of these graphs of the pool; None: of all."""
        found = torch.arange(len(self)) if numbers is None else torch.as_tensor(list(numbers))
        return found.to(self.blocks)[:, None]

    def _numbers(self, x: torch.Tensor) -> torch.Tensor:
        if x.shape[-1] != 1:
            raise ArgumentError(f"x: found inputs of shape {tuple(x.shape)}, expected (..., n, 1), numbers of graphs")
        numbers = x.squeeze(-1).round().long()
        if numbers.numel() and (int(numbers.min()) < 0 or int(numbers.max()) >= len(self)):
            raise ArgumentError(f"x: found number {int(numbers.max() if numbers.min() >= 0 else numbers.min())}, expected 0 to {len(self) - 1}, "
                                "numbers of graphs of the kernel; add() takes more graphs")
        return numbers

    # ---- The covariance -----------------------------------------------------------------------

    def forward(self, x1: torch.Tensor, x2: torch.Tensor, diag: bool = False, last_dim_is_batch: bool = False,
                **params: Any) -> torch.Tensor:
        if last_dim_is_batch:
            raise ArgumentError("last_dim_is_batch: found True, but an input has one dimension, the number of a graph")
        first, second = self._numbers(x1), self._numbers(x2)
        weights = self.weights
        if diag:
            values = self.blocks[:, first, second].movedim(0, -2)  # [..., blocks, n]
            return torch.einsum("...b,...bn->...n", weights.to(values), values).to(x1)
        values = self.blocks[:, first.unsqueeze(-1), second.unsqueeze(-2)].movedim(0, -3)  # [..., blocks, n, m]
        return torch.einsum("...b,...bnm->...nm", weights.to(values), values).to(x1)
