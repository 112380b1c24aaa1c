#!/usr/bin/env python3
"""The golden colours, computed again: the table of test_colors.c and the values on docs/color_definition.md must be these."""
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
sys.dont_write_bytecode = True
import golden_colors

with open(os.path.join(here, "golden_colors.inc")) as f:
    table = f.read()
expected = "".join(golden_colors.c_row(case) + "\n" for case in golden_colors.cases())
if table != expected:
    sys.exit("tests/refine/golden_colors.inc is not what golden_colors.py prints")

with open(os.path.join(here, "..", "..", "docs", "color_definition.md")) as f:
    page = f.read().splitlines()
for line in [*golden_colors.doc_mixing(), *golden_colors.doc_rows()]:
    if line not in page:
        sys.exit(f"docs/color_definition.md lacks the line: {line}")
rows = [line for line in page if line.startswith("|") and line.count("`") == 6]
if len(rows) != len(list(golden_colors.doc_rows())) - 2:
    sys.exit("docs/color_definition.md has rows of golden values that golden_colors.py does not give")
print(f"{len(list(golden_colors.cases()))} golden rows agree")
