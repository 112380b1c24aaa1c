"""The file of finished work: one JSON object a line behind a first line that says what the file is.

    {"leman": "finished work", "version": 1}
    {"work": "accuracy", "method": "1-WL", "set": "PTC_FM", "data": "9f6e...", "seed": 1, "repetitions": 10, ...}

After every cell the whole file is written beside its place and renamed, so that an interruption leaves the old file or the new
one. Files put one behind the other are a file too. Several processes may add to one file: they take turns by a lock on its folder.
"""
from __future__ import annotations

import fcntl
import json
import os
from typing import Any

HEAD = {"leman": "finished work", "version": 1}
_KEYS = {"work": str, "method": str, "set": str, "data": str, "seed": int, "values": dict}


class WrongFile(Exception):
    """Not a file of finished work."""


def read(path: str) -> list[dict[str, Any]]:
    """The objects of a file, in its order."""
    found: list[dict[str, Any]] = []
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            try:
                entry = json.loads(line)
            except ValueError:
                entry = None
            if number == 1 and entry != HEAD:
                raise WrongFile(f"{path}:1: found something else, expected the first line of a file of finished work: "
                                f"{json.dumps(HEAD)}")
            if entry == HEAD:
                continue
            if not isinstance(entry, dict) or any(type(entry.get(key)) is not kind for key, kind in _KEYS.items()):
                raise WrongFile(f"{path}:{number}: found a line that is no finished work, expected a JSON object with "
                                f"{', '.join(_KEYS)}")
            found.append(entry)
    return found


def add(path: str, entry: dict[str, Any]) -> None:
    """Adds an object at the end of the file, which need not exist."""
    beside = f"{path}.{os.getpid()}.new"
    folder = os.open(os.path.dirname(path) or ".", os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        before = read(path) if os.path.exists(path) else []
        with open(beside, "w", encoding="utf-8") as file:
            for line in (HEAD, *before, entry):
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    finally:
        os.close(folder)
        if os.path.exists(beside):
            os.remove(beside)
