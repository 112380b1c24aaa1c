"""SMILES by Leman beside RDKit, on one thread: bench/compare_rdkit.py BUILD FILE.smi

The reader alone (build/bench_smiles) beside MolFromSmiles without and with sanitisation, on every line of FILE, in one run. Needs
`pip install rdkit`."""

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
    parsed = float(ours.split("parsed in ")[1].split(" s")[0])
    with open(path) as file:
        lines = [line.split()[0] for line in file if line.strip()]
    for sanitize in (False, True):
        began = time.process_time()
        for line in lines:
            Chem.MolFromSmiles(line, sanitize=sanitize)
        seconds = time.process_time() - began
        print(f"RDKit, sanitize={sanitize}: {seconds:.2f} s, {seconds / parsed:.0f} times as long")


main()
