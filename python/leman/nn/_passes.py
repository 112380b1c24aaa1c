"""A whole network in one call of the library: leman/passes.h in the memory of tensors.

A Network is computed so where nobody can see the difference: 32-bit floats, a batch of Network.encode() that nobody changed, the
modules that the network was made with, no hook on any of them, and nothing that traces or transforms tensors. In all other cases each module computes
its own steps. The results agree to float rounding.

A pass that can be differentiated holds a leman_passes from its forward to its backward pass. Another one is made if all are in use, so
several batches may be computed before the first backward pass.
"""
from __future__ import annotations

import contextlib
import ctypes
import os
from typing import Any, Iterator

import torch
from torch import Tensor, nn
from torch.fx import _symbolic_trace

from .. import _declarations as c
from .._errors import ERRORS, Error
from .._library import Handle, lib, options, threads_of
from ._batch import GraphBatch
from ._layers import Norm, _is_autocast

_KINDS = {"cpu": c.LEMAN_DEVICE_CPU, "cuda": c.LEMAN_DEVICE_CUDA}
_HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
_GLOBAL_HOOKS = tuple(hooks for name in _HOOKS if (hooks := getattr(nn.modules.module, f"_global{name}", None)) is not None)
_FLOATS = ctypes.POINTER(ctypes.c_float)
_without: set[str] = set()  # kinds of devices that the library does not compute on

# ---- When -----------------------------------------------------------------------------------------

_compiling = getattr(getattr(torch, "compiler", None), "is_compiling", None)
_tracing_by_fx = getattr(_symbolic_trace, "is_fx_tracing", None)
_modes = getattr(torch._C, "_len_torch_dispatch_stack", None)
_transforms = getattr(torch._C, "_are_functorch_transforms_active", None)
_KNOWS_TRACERS = _modes is not None and _transforms is not None and _tracing_by_fx is not None and \
    (_compiling is not None or not hasattr(torch, "compile"))


def _is_plain() -> bool:
    """Are tensors computed now, as they are: nobody traces, transforms or rounds them?"""
    if not _KNOWS_TRACERS or torch.jit.is_tracing() or _tracing_by_fx() or (_compiling is not None and _compiling()):  # type: ignore[misc]
        return False
    return not (_modes() or _transforms() or torch.is_autocast_enabled() or _is_autocast() or any(_GLOBAL_HOOKS))  # type: ignore[misc]


def _precision() -> int:
    """Of matrix products on CUDA devices, as torch.set_float32_matmul_precision() has it."""
    with contextlib.suppress(RuntimeError):
        if torch.get_float32_matmul_precision() != "highest":
            return c.LEMAN_PRECISION_TF32
    return c.LEMAN_PRECISION_FP32


# ---- Passes of the library ------------------------------------------------------------------------


class _Passes:
    """A leman_passes and its context; one thread at a time uses it."""

    def __init__(self, network: Handle, key: tuple[Any, ...], backward: bool) -> None:
        kind, number, threads, precision = key[:4]
        settings, how = options("leman_settings"), options("leman_passes_options")
        context, made = ctypes.c_void_p(), ctypes.c_void_p()
        settings.threads = threads
        status = lib.leman_context_new(ctypes.byref(settings), ctypes.byref(context))
        if status:
            raise ERRORS.get(status, Error)(lib.leman_status_name(status).decode())
        self._context = Handle(context, lib.leman_context_free)
        how.device, how.device_number, how.precision, how.backward = _KINDS[kind], max(number, 0), precision, backward
        self.status = int(lib.leman_passes_new(context, network.pointer, ctypes.byref(how), ctypes.byref(made)))

        def free(pointer: Any, kept: Any = (self._context, network)) -> None:  # which must live longer
            lib.leman_passes_free(pointer)

        if not self.status:
            self._passes = Handle(made, free)

    def call(self, name: str, *arguments: Any) -> int:
        self.status = int(getattr(lib, name)(self._context.pointer, self._passes.pointer, *arguments))
        return self.status

    def check(self) -> None:
        if self.status:
            raise ERRORS.get(self.status, Error)(lib.leman_context_message(self._context.pointer).decode("utf-8", "replace"))


class _Lease:
    """Passes that belong to one forward pass and its backward pass."""

    def __init__(self, free: list[_Passes], passes: _Passes) -> None:
        self._free, self.passes = free, passes

    def end(self) -> None:
        if self.passes is not None:
            self._free.append(self.passes)
            self.passes = None  # type: ignore[assignment]

    __del__ = end


def _stream(weight: Tensor) -> Any:
    return torch.cuda.current_stream(weight.device).cuda_stream if weight.is_cuda else None


class _Call:
    """What the backward pass has to know of the forward pass."""

    def __init__(self, whole: Whole, module: Any, batch: GraphBatch, lease: _Lease, outputs: Tensor) -> None:
        self.whole, self.module, self.batch, self.lease = whole, module, batch, lease
        self.outputs: Tensor | None = outputs

    def gradients(self, weights: Any, needs: Any, gradient: Tensor) -> list[Tensor | None]:
        """By the library, once; the memory of the forward pass is used up then."""
        passes, flat = self.lease.passes, gradient.new_empty(sum(w.numel() for w, needed in zip(weights, needs) if needed))
        parts = iter(torch._C._nn.unflatten_dense_tensors(flat, [w for w, needed in zip(weights, needs) if needed]))
        found = [next(parts) if needed else None for needed in needs]
        places: list[Any] = [None] * self.whole.count
        for place, part in zip(self.whole.learned, found):
            places[place] = None if part is None else part.data_ptr()
        gradient = gradient.contiguous()
        passes.call("leman_passes_backward", ctypes.cast(gradient.data_ptr(), _FLOATS), _addresses(places), _stream(gradient))
        self.lease.end()
        passes.check()
        return found

    def gradients_again(self, weights: Any, needs: Any, gradient: Tensor) -> list[Tensor | None]:
        """By the modules: for a second backward pass, or one that is differentiated."""
        with self.whole.substituted(self.module, weights), torch.enable_grad():
            y = self.module._by_parts(self.batch)
        found = iter(torch.autograd.grad(y, [w for w, needed in zip(weights, needs) if needed], gradient,
                                         create_graph=torch.is_grad_enabled(), allow_unused=True))
        return [next(found) if needed else None for needed in needs]


class _Pass(torch.autograd.Function):  # type: ignore[misc]
    @staticmethod
    def forward(ctx: Any, call: _Call, *weights: Tensor) -> Any:  # type: ignore[override, unused-ignore]
        y, call.outputs, ctx.call = call.outputs, None, call
        ctx.save_for_backward(*weights)
        return y

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Any:  # type: ignore[override, unused-ignore]
        weights, needs, call = ctx.saved_tensors, ctx.needs_input_grad[1:], ctx.call
        again = call.lease.passes is None or torch.is_grad_enabled()
        compute = call.gradients_again if again else call.gradients
        return None, *compute(weights, needs, gradient)


def _addresses(places: Any) -> Any:
    return ctypes.cast((ctypes.c_void_p * len(places))(*places), ctypes.POINTER(_FLOATS))


_OF_THE_RUN = {"batch", "epoch", "loss", "precision", "program", "selected_by"}


def _is_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Do two descriptions have the same steps and numbers of labels? A network that was read does not tell how it was trained."""
    return one is other or all(one[name] == other[name] for name in (one.keys() & other.keys()) - _OF_THE_RUN)


# ---- Networks -------------------------------------------------------------------------------------


class Whole:
    """The modules of a Network as it was made, and the passes of the library that compute all of them at once."""

    def __init__(self, module: Any) -> None:
        self._root = module._modules
        self._parts = [(parent._modules, name, child, type(child)) for parent in module.modules() for name, child in parent._modules.items()]
        self._sizes = [(parent._modules, len(parent._modules)) for parent in module.modules()]
        steps = module.description["steps"]
        values = module.description["values"]
        self._drops = any(step["operation"] == "dropout" for step in steps)
        self._normed = {values[step["reads"][0]]["rows"] for step in steps if step["operation"] == "norm"}
        self._level, self._outputs = (values[module.description["prediction"]][name] for name in ("rows", "width"))
        self._forget()

    def _forget(self) -> None:
        self._network: Any = None  # of the library, with these steps and weights
        self._other: Any = None  # one that has others
        self._like: Any = None  # a description of the same network
        self._free: dict[tuple[Any, ...], list[_Passes]] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {name: self.__dict__[name] for name in ("_root", "_parts", "_sizes", "_drops", "_normed", "_level", "_outputs")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._forget()

    # ---- Conditions ------------------------------------------------------------------------------

    def _is_as_made(self, module: Any) -> bool:
        """Are the parts of the module those it was made with, and is nobody called between them?"""
        if module._modules is not self._root or any(len(children) != size for children, size in self._sizes):
            return False
        for children, name, child, kind in self._parts:
            if children.get(name) is not child or type(child) is not kind or "forward" in child.__dict__:
                return False
        return not any(self._hooks)

    def is_described(self, module: Any) -> bool:
        """Does the GraphNetwork of the module have the steps and the numbers of labels that the module has? Finds its weights."""
        network = module.network._network
        if network is self._network or network is self._other:
            return network is self._network
        if not _is_same(module.network.describe(), module.description):
            self._other = network
            return False
        self._slots: list[tuple[dict[str, Any], str]] = []
        self.learned: list[int] = []
        places = {library: own.split(".") for own, library in module._names.items()}
        while (name := lib.leman_network_weight_name(network.pointer, len(self._slots), None, None)) is not None:
            *path, leaf = places[name.decode()]
            owner = module
            for part in path:
                owner = owner._modules[part]
            if leaf in owner._parameters:
                self.learned.append(len(self._slots))
            self._slots.append((owner._parameters if leaf in owner._parameters else owner._buffers, leaf))
        self.count = len(self._slots)
        self._hooks = [getattr(part, name) for _, _, part, _ in self._parts for name in _HOOKS if hasattr(part, name)]
        self._norms = [part for _, _, part, _ in self._parts if isinstance(part, Norm)]
        self._network, self._other, self._free = network, None, {}
        return True

    def _fits(self, module: Any, batch: GraphBatch) -> bool:
        source = batch.source
        if source is None or module.network is None or not _is_plain() or not batch.graphs or not self.is_described(module):
            return False
        if source.description is not self._like:
            if not _is_same(source.description, module.description):
                return False
            self._like = source.description
        if not source.is_unchanged(batch) or not self._is_as_made(module):
            return False
        if module.training and (self._drops or any(self._rows(batch, space) < 2 for space in self._normed)):
            return False  # a norm of one row does not use its statistics
        return all(norm.training == module.training for norm in self._norms) and not any(x.requires_grad for x in batch.reals.values())

    @staticmethod
    def _rows(batch: GraphBatch, space: str) -> int:
        return int(batch.source.labelled) if space == "edge labels" else batch.rows[space]

    def _weights(self, batch: GraphBatch) -> list[Tensor] | None:
        """All weights, if the library can compute with them."""
        try:
            weights = [owner[name] for owner, name in self._slots]
            one = weights[0]
            plain = {type(w) for w in weights} <= {Tensor, nn.Parameter} and {w.dtype for w in weights} == {torch.float32} and \
                all([w.is_contiguous() for w in weights]) and {w.get_device() for w in weights} == {batch.component.get_device()}
        except (KeyError, AttributeError, RuntimeError):  # a weight that was replaced
            return None
        usable = plain and one.device.type in _KINDS and one.device.type not in _without
        return weights if usable and not (one.is_cuda and torch.cuda.is_current_stream_capturing()) else None

    # ---- Computing -------------------------------------------------------------------------------

    def outputs(self, module: Any, batch: GraphBatch) -> Tensor | None:
        """The outputs of the module, by the library; None if the modules have to compute them."""
        weights = self._weights(batch) if self._fits(module, batch) else None
        if weights is None:
            return None
        learned = [weights[i] for i in self.learned]
        backward = torch.is_grad_enabled() and any([w.requires_grad for w in learned])
        if backward and not module.training and (self._norms or self._drops):
            return None  # the backward passes of the library are those of training
        kind = weights[0].device.type
        key = (kind, weights[0].get_device(), min(threads_of(1024), torch.get_num_threads()), _precision() if kind == "cuda" else
               c.LEMAN_PRECISION_FP32, backward, os.getpid())
        lease = self._lease(key, backward)
        if lease is None:
            return None
        y = weights[0].new_empty(batch.rows[self._level], self._outputs)
        lease.passes.call("leman_passes_forward", batch.source.handle.pointer, _addresses([w.data_ptr() for w in weights]),
                          module.training or backward, _stream(y), ctypes.cast(y.data_ptr(), _FLOATS))
        if lease.passes.status in (c.LEMAN_ERROR_MEMORY, c.LEMAN_ERROR_BUDGET):
            return None
        lease.passes.check()
        return _Pass.apply(_Call(self, module, batch, lease, y), *learned) if backward else y  # type: ignore[no-any-return, no-untyped-call, unused-ignore]

    def _lease(self, key: tuple[Any, ...], backward: bool) -> _Lease | None:
        """Passes that nobody uses now; None if the library cannot make any."""
        free = self._free.setdefault(key, [])
        with contextlib.suppress(IndexError):
            return _Lease(free, free.pop())
        made = _Passes(self._network, key, backward)
        if made.status in (c.LEMAN_ERROR_UNSUPPORTED, c.LEMAN_ERROR_DEVICE):
            _without.add(key[0])
        if made.status in (c.LEMAN_ERROR_UNSUPPORTED, c.LEMAN_ERROR_DEVICE, c.LEMAN_ERROR_MEMORY, c.LEMAN_ERROR_BUDGET):
            return None
        made.check()
        return _Lease(free, made)

    @contextlib.contextmanager
    def substituted(self, module: Any, learned: Any) -> Iterator[None]:
        """The module with these weights, in train mode; statistics do not change."""
        before = [owner[name] for owner, name in self._slots]
        modes = [(part, part.training) for part in module.modules()]
        now = [w.detach().clone() for w in before]
        for place, weight in zip(self.learned, learned):
            now[place] = weight
        try:
            module.train()
            for (owner, name), weight in zip(self._slots, now):
                owner[name] = weight
            yield
        finally:
            for (owner, name), weight in zip(self._slots, before):
                owner[name] = weight
            for part, mode in modes:
                part.training = mode
