#!/usr/bin/env python3
"""The golden colours, computed again: the table of test_colours.c and the values on docs/colours.md must be these."""
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
sys.dont_write_bytecode = True
import golden_colours

with open(os.path.join(here, "golden_colours.inc")) as f:
    table = f.read()
expected = "".join(golden_colours.c_row(case) + "\n" for case in golden_colours.cases())
if table != expected:
    sys.exit("tests/refine/golden_colours.inc is not what golden_colours.py prints")

with open(os.path.join(here, "..", "..", "docs", "colours.md")) as f:
    page = f.read().splitlines()
for line in [*golden_colours.doc_mixing(), *golden_colours.doc_rows()]:
    if line not in page:
        sys.exit(f"docs/colours.md lacks the line: {line}")
rows = [line for line in page if line.startswith("|") and line.count("`") == 6]
if len(rows) != len(list(golden_colours.doc_rows())) - 2:
    sys.exit("docs/colours.md has rows of golden values that golden_colours.py does not give")
print(f"{len(list(golden_colours.cases()))} golden rows agree")
