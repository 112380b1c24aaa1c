"""Sums over lists of rows and linear maps by the library, in the memory of tensors: leman/neighbor_sum.h and leman/linear.h on data_ptr().

A thread has one leman_context, which is kept between calls. On CUDA tensors the sum is queued in the current stream of PyTorch.
"""
from __future__ import annotations

import ctypes
import threading
from typing import Any

import torch
from torch import Tensor

from .. import _declarations as c
from .._errors import ERRORS, ArgumentError, Error, InputError
from .._library import Handle, lib, options, threads_of

_NUMBERS = {torch.float32: c.LEMAN_NUMBER_FLOAT32, torch.float64: c.LEMAN_NUMBER_FLOAT64}
_local = threading.local()
_without: set[str] = set()  # kinds of devices that the library does not compute on


def _context() -> Handle:
    """The context of this thread, with as many threads as PyTorch has. A process that was forked has one thread."""
    threads = min(threads_of(1024), torch.get_num_threads())
    if getattr(_local, "threads", None) != threads:
        settings, pointer = options("leman_settings"), ctypes.c_void_p()
        settings.threads = threads
        status = lib.leman_context_new(ctypes.byref(settings), ctypes.byref(pointer))
        if status:
            raise ERRORS.get(status, Error)(lib.leman_status_name(status).decode())
        _local.context, _local.threads = Handle(pointer, lib.leman_context_free), threads
    return _local.context  # type: ignore[no-any-return]


def _checked(status: int) -> None:
    if status:
        raise ERRORS.get(status, Error)(lib.leman_context_message(_context().pointer).decode("utf-8", "replace"))


def _call(x: Tensor, epsilon: Tensor | None, start: Tensor, other: Tensor, y: Tensor) -> int:
    lists = options("leman_row_lists")
    lists.rows, lists.others = start.shape[0] - 1, x.shape[0]
    lists.start = ctypes.cast(start.data_ptr(), ctypes.POINTER(ctypes.c_int64))
    lists.other = ctypes.cast(other.data_ptr(), ctypes.POINTER(ctypes.c_int64))
    if x.is_cuda:
        lists.device, lists.device_number = c.LEMAN_DEVICE_CUDA, x.get_device()
        lists.stream = torch.cuda.current_stream(x.device).cuda_stream
    status = lib.leman_neighbor_sum(_context().pointer, ctypes.byref(lists), _NUMBERS[x.dtype], x.data_ptr(), x.shape[1],
                                    None if epsilon is None else epsilon.data_ptr(), y.data_ptr())
    if status not in (c.LEMAN_ERROR_UNSUPPORTED, c.LEMAN_ERROR_DEVICE):  # a build without CUDA, or a device that is too old for it
        _checked(status)
    return int(status)


def neighbor_sum(x: Tensor, epsilon: Tensor | None, start: Tensor, other: Tensor) -> Tensor | None:
    """Y[r] = (1 + epsilon) X[r] + sum of X[other[i]], start[r] <= i < start[r + 1], without the first term if epsilon is None. x:
    [rows, width] of 32-bit or 64-bit floats. None if the library does not compute on the device of x."""
    if x.device.type in _without or x.device.type not in ("cpu", "cuda"):
        return None
    if x.dim() != 2 or start.dim() != 1 or other.dim() != 1 or not start.numel():
        raise ArgumentError(f"found x, start and other of shapes {tuple(x.shape)}, {tuple(start.shape)} and {tuple(other.shape)}, expected [rows, "
                            "width], [lists + 1] and [entries]")
    if not start.device == other.device == x.device or epsilon is not None and epsilon.numel() != 1:
        raise ArgumentError(f"found x, start and other on {x.device}, {start.device} and {other.device}, and {0 if epsilon is None else epsilon.numel()} "
                            "numbers in epsilon, expected one device and one number")
    x, start, other = x.contiguous(), start.to(torch.int64).contiguous(), other.to(torch.int64).contiguous()
    if not x.is_cuda and int(start[-1]) > other.shape[0]:  # a CUDA device would have to be waited for
        raise InputError(f"start: found {int(start[-1])} at the end, expected at most {other.shape[0]}, the entries of all lists")
    y = x.new_empty(start.shape[0] - 1, x.shape[1])
    if not y.numel():
        return y
    if not x.numel():  # x has no rows, so all lists are empty
        return y.zero_()
    own = None if epsilon is None else epsilon.detach().to(device=x.device, dtype=x.dtype).contiguous()
    if x.is_cuda:
        with torch.cuda.device(x.device):
            status = _call(x, own, start, other, y)
    else:
        status = _call(x, own, start, other, y)
    if status:
        _without.add(x.device.type)
        return None
    return y


# ---- Linear maps of 32-bit floats on the CPU -----------------------------------------------------


def _floats(tensor: Tensor | None) -> Any:
    return None if tensor is None else ctypes.cast(tensor.data_ptr(), ctypes.POINTER(ctypes.c_float))


def _map(weight: Tensor, bias: Tensor | None, relu: bool) -> Any:
    made = options("leman_linear_map")
    made.outputs, made.inputs, made.relu = weight.shape[0], weight.shape[1], relu
    made.weight, made.bias = _floats(weight), _floats(bias)
    return made


def linear(x: Tensor, weight: Tensor, bias: Tensor | None, relu: bool) -> Tensor:
    """f(X W' + b), f the ReLU or the identity."""
    wanted = x.dim() == weight.dim() == 2 and x.shape[1] == weight.shape[1]
    if not wanted or bias is not None and (bias.dtype != weight.dtype or tuple(bias.shape) != (weight.shape[0],)):
        raise ArgumentError(f"found x, weight and bias of shapes {tuple(x.shape)}, {tuple(weight.shape)} and {None if bias is None else tuple(bias.shape)}, "
                            "expected [rows, inputs], [outputs, inputs] and [outputs] of 32-bit floats")
    x, weight, bias = x.contiguous(), weight.contiguous(), None if bias is None else bias.contiguous()
    y = x.new_empty(len(x), len(weight))
    _checked(lib.leman_linear(_context().pointer, ctypes.byref(_map(weight, bias, relu)), _floats(x), len(x), _floats(y)))
    return y


def linear_backward(x: Tensor, weight: Tensor, y: Tensor | None, gradient: Tensor, needs: list[bool]) -> tuple[Tensor, Tensor, Tensor]:
    """Gradients of x, of the weight and of the bias; without numbers where they are not needed. y: the result, if f is the ReLU."""
    rows = (x.shape[0], weight.shape[0])
    if x.dim() != 2 or tuple(weight.shape[1:]) != tuple(x.shape[1:]) or any(
            part is not None and (tuple(part.shape) != rows or part.dtype != torch.float32) for part in (y, gradient)):
        raise ArgumentError(f"found x, weight and gradient of shapes {tuple(x.shape)}, {tuple(weight.shape)} and {tuple(gradient.shape)}, expected [rows, "
                            "inputs], [outputs, inputs] and [rows, outputs] of 32-bit floats")
    x, weight, gradient = x.contiguous(), weight.contiguous(), gradient.contiguous()
    y = None if y is None else y.contiguous()
    sizes = (x.shape, weight.shape, (len(weight),))
    found = [x.new_empty(size if needed else (0,)) for size, needed in zip(sizes, needs)]
    _checked(lib.leman_linear_backward(_context().pointer, ctypes.byref(_map(weight, None, y is not None)), _floats(x), len(x), _floats(y),
                                       _floats(gradient), *(_floats(to) if needed else None for to, needed in zip(found, needs))))
    return found[0], found[1], found[2]
