"""What becomes of faults of graphs on their way in, and how molecules are read: policies, and sentences about them."""
from __future__ import annotations

import ctypes
from typing import Any, Sequence

from . import _declarations as c
from . import _values as v
from ._errors import warn
from ._library import Session, lib, options, sized_text

_CHANGES = {
    "repeated_edges": "{} repeated edge{} removed (policy='repeated-edges=keep' keeps them)",
    "one_way_edges": "{} one-way edge{} made two-way (directed=True keeps directions)",
    "self_loops": "{} self-loop{} removed (policy='self-loops=keep' keeps them)",
    "label_conflicts": "{} edge{} with two different labels got the first",
}


def warn_of_cleaning(cleaning: Any, policy: Any, name: str, expected: Sequence[str] = ()) -> None:
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


def policy_of(session: Session, directed: bool, text: str | None) -> Any:
    policy = options("leman_policy")
    if text is not None and text != "":
        session.call("leman_policy_parse", v.text(text, "policy", "rules such as 'self-loops=keep'"), ctypes.byref(policy))
    policy.directed = directed
    return policy


def reading_text(reading: int) -> str:
    """A code of the library as options of the program, "--aromatic rdkit --hydrogens implicit ..."; "" if there is nothing to say."""
    return sized_text(lib.leman_reading_text, reading)
