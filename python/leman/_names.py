"""Names of methods: what a name that nobody knows was probably meant to be, a kernel or a network."""
from __future__ import annotations

import difflib
from typing import Callable

from ._library import lib


def _listed(function: Callable[[int], bytes | None]) -> list[str]:
    found, place = [], 0
    while (name := function(place)) is not None:
        found.append(name.decode())
        place += 1
    return found


def _plain(name: str) -> str:
    return name.lower().replace("δ", "delta").replace("ε", "eps").replace("epsilon", "eps")


def hint(name: str, asked: str) -> str:
    """The end of a sentence about a name that is no `asked` ("kernel" or "network"): what it is instead, or the kernels and networks with
    similar names; "" if there are none."""
    kinds = {"network": ("a network (leman.nn.GraphNetwork)", _listed(lib.leman_architecture_known_name)),
             "kernel": ("a kernel (leman.WLKernel)", _listed(lib.leman_kernel_known_name))}
    known = {kind: {_plain(text): f"{text!r}, {words}" for text in names} for kind, (words, names) in kinds.items()}
    if _plain(name) in known[asked]:  # the name is right, something else is not
        return ""
    every = {**known["network"], **known["kernel"]}
    near = [_plain(name)] if _plain(name) in every else difflib.get_close_matches(_plain(name), list(every), 3, 0.7)
    return f"; nearest: {'; '.join(every[text] for text in near)}" if near else ""
