"""SMILES by Leman beside RDKit, on one thread: bench/compare_rdkit.py BUILD FILE.smi

The parser alone beside MolFromSmiles without sanitisation, and reading a data set, with aromatic rings found, beside MolFromSmiles with
it (build/bench_smiles), on every line of FILE, in one run, in processor time. Needs `pip install rdkit`."""

import subprocess
import sys
import time


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    build, path = sys.argv[1:]
    from rdkit import Chem, RDLogger

    RDLogger.DisableLog("rdApp.*")
    ours = subprocess.run([f"{build}/bench_smiles", path], capture_output=True, text=True, check=True).stdout.strip()
    print(ours)
    parsed, read = (float(ours.split(words)[1].split(" s")[0]) for words in ("parsed in ", "data set in "))
    with open(path) as file:
        lines = [line.split()[0] for line in file if line.strip()]
    for sanitize, own, what in ((False, parsed, "our parsing"), (True, read, "our reading")):
        began = time.process_time()
        for line in lines:
            Chem.MolFromSmiles(line, sanitize=sanitize)
        seconds = time.process_time() - began
        print(f"RDKit, sanitize={sanitize}: {seconds:.2f} s, {seconds / own:.1f} times as long as {what}")


main()
