#!/usr/bin/env python3
"""The golden features, computed again: the table of test_keys.c and the values on docs/kernels.md must be these."""
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
sys.dont_write_bytecode = True
import golden_keys

with open(os.path.join(here, "golden_keys.inc")) as f:
    table = f.read()
if table != "".join(golden_keys.c_row(case) + "\n" for case in golden_keys.cases()):
    sys.exit("tests/kernel/golden_keys.inc is not what golden_keys.py prints")

with open(os.path.join(here, "..", "..", "docs", "kernels.md")) as f:
    page = f.read().splitlines()
for line in golden_keys.doc_rows():
    if line not in page:
        sys.exit(f"docs/kernels.md lacks the line: {line}")
print(f"{len(list(golden_keys.cases()))} golden rows agree")
