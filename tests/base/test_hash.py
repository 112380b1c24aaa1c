"""The table that test_hash.c compares the library with is the one that the formulas give."""
import os
import sys

folder = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, folder)
sys.dont_write_bytecode = True
import golden_hash

with open(os.path.join(folder, "golden_hash.h"), encoding="ascii") as table:
    if table.read() != golden_hash.header():
        sys.exit("tests/base/golden_hash.h is not what golden_hash.py prints")
