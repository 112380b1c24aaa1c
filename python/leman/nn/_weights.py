"""Weights in the file of a network (src/base/serialize.h): a head with a checksum, then words of 8 bytes and arrays padded to 8 bytes. A
weight is its name, rows, columns and elements. O(bytes)."""
from __future__ import annotations

import struct
from typing import Any

import numpy as np

from .._errors import InputError

_MULTIPLIER = np.uint64(0xD6E8FEB86659FD93)
_CHECKED_FROM, _LANES = 24, 8


def _mix(x: Any) -> Any:
    for shift in (32, 29):
        x = (x ^ x >> np.uint64(shift)) * _MULTIPLIER
    return x ^ x >> np.uint64(32)


def _checksum(content: bytes, seed: int) -> int:
    """lm_checksum() of src/base/hash.c."""
    whole = len(content) // (8 * _LANES)
    words = np.frombuffer(content + bytes(-len(content) % (8 * _LANES) or 8 * _LANES), "<u8").reshape(-1, _LANES)
    with np.errstate(over="ignore"):
        lane = _mix(np.uint64(seed) + np.arange(_LANES, dtype=np.uint64))
        for row in words[:whole]:
            lane = (lane ^ row) * _MULTIPLIER
            lane ^= lane >> np.uint64(29)
        total = _mix(np.uint64(len(content)))
        for part in lane ^ _mix(words[whole]):
            total = _mix(total ^ _mix(part))
    return int(total)


def with_weights(content: bytes, weights: dict[str, Any]) -> bytes:
    """The file of a network with these weights instead of its own."""
    changed = bytearray(content)
    for name, weight in weights.items():
        text = name.encode()
        head = struct.pack("<Q", len(text)) + text + bytes(-len(text) % 8) + struct.pack("<3Q", *weight.shape, weight.size)
        at = content.find(head)
        if at < 0:
            raise InputError(f"found the weight {name} of {' by '.join(map(str, weight.shape))}, which the network does not have")
        numbers = np.ascontiguousarray(weight, "<f4").tobytes()
        changed[at + len(head):at + len(head) + len(numbers)] = numbers
    version, = struct.unpack_from("<Q", changed, 8)
    struct.pack_into("<Q", changed, 16, _checksum(bytes(changed[_CHECKED_FROM:]), version))
    return bytes(changed)
