#!/usr/bin/env python3
"""The golden hashes, computed again: the table of test_hashes.c and the vectors on docs/color_definition.md must be these, and
every hash that another page shows is one of them or the SHA-256 of a line that the page shows."""
import glob
import hashlib
import os
import re
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
sys.dont_write_bytecode = True
import golden_hashes

with open(os.path.join(here, "golden_hashes.inc")) as f:
    table = f.read()
if table != "".join(golden_hashes.c_row(case) + "\n" for case in golden_hashes.cases()):
    sys.exit("tests/refine/golden_hashes.inc is not what golden_hashes.py prints")

with open(os.path.join(here, "..", "..", "docs", "color_definition.md")) as f:
    page = f.read().splitlines()
rows = list(golden_hashes.doc_rows())
for line in rows:
    if line not in page:
        sys.exit(f"docs/color_definition.md lacks the line: {line}")
if sum("`lm1:" in line for line in page if line.startswith("|")) != len(rows) - 2:
    sys.exit("docs/color_definition.md has vectors that golden_hashes.py does not give")

known = {golden_hashes.value(case) for case in golden_hashes.cases()}
for path in [os.path.join(here, "..", "..", "CHANGELOG.md"), *glob.glob(os.path.join(here, "..", "..", "docs", "*.md"))]:
    with open(path, encoding="utf-8") as f:
        text = f.read()
    forms = {"lm1:" + hashlib.sha256(line.encode()).hexdigest()[:32] for line in re.findall(r"(?:di)?graph \d+ \|[^'\n]*", text)}
    unknown = set(re.findall(r"lm1:[0-9a-f]{32}", text)) - known - forms
    if unknown:
        sys.exit(f"{os.path.relpath(path, here)} shows hashes that no vector has: {', '.join(sorted(unknown))}")
print(f"{len(rows) - 2} vectors agree")
