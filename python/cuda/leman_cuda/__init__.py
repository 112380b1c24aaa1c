"""The library of the package leman with its CUDA backend. leman loads it from here; there is nothing else to import."""
from __future__ import annotations

import pathlib

LIBRARY: str = str(pathlib.Path(__file__).parent / "libleman.so")
