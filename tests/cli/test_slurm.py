#!/usr/bin/env python3
"""The jobs of examples/ for Slurm, with a loop in the place of the queue and a stand-in for srun."""
import gzip
import json
import os
import shutil
import subprocess

import program
from program import Case


class Slurm(Case):
    def setUp(self):
        super().setUp()
        os.symlink(program.LEMAN, self.path("leman"))
        srun = self.write("srun", '#!/bin/sh\nwhile [ "${1#--}" != "$1" ]; do shift; done\nexec "$@"\n')
        os.chmod(srun, 0o755)
        self.environment = {**os.environ, "PATH": self.folder + os.pathsep + os.environ["PATH"], "SLURM_CPUS_PER_TASK": "1"}

    def job(self, script, *arguments, **variables):
        path = os.path.join(program.SOURCE, "examples", script)
        return subprocess.run(["bash", path, *arguments], cwd=self.folder, capture_output=True, text=True,
                              env={**self.environment, **variables}, timeout=300 * program.PATIENCE)

    def works(self, *arguments, **variables):
        done = self.job(*arguments, **variables)
        self.assertEqual(done.returncode, 0, done.stderr)

    def shell(self, line):
        subprocess.run(["bash", "-c", line], cwd=self.folder, check=True)

    def test_parts(self):
        """The merged parts are the features of all molecules."""
        self.write("molecules.smi", "".join(f"{'C' * (1 + i % 7)}{'ON'[i % 2]}{'C' * (i % 5)}\n" for i in range(70)))
        if not shutil.which("split"):
            self.skipTest("split is not installed")
        self.shell("split --number=l/4 --numeric-suffixes --additional-suffix=.smi molecules.smi part.")
        for task in range(4):
            self.works("slurm_parts.sh", SLURM_ARRAY_TASK_ID=str(task))
        self.works("slurm_parts.sh", SLURM_ARRAY_TASK_ID="2")  # a task that is started again
        self.shell("cat part.*.svm.gz > features.svm.gz")
        whole = self.path("whole.svm")
        self.succeeds("features", self.path("molecules.smi"), "-a", "1-WL", "-r", "3", "--hash-bits", "20", "-o", whole)
        with gzip.open(self.path("features.svm.gz"), "rb") as merged, open(whole, "rb") as file:
            content = merged.read()
            self.assertEqual(content, file.read())
        self.assertEqual(content.count(b"\n"), 70)

    def test_a_part_that_is_missing(self):
        failed = self.job("slurm_parts.sh", SLURM_ARRAY_TASK_ID="7")
        self.assertEqual(failed.returncode, 1)
        self.assertIn("part.07.smi: cannot be opened", failed.stderr)

    def test_nodes(self):
        """slurm.sh writes what the program writes; a second start takes the finished folds from its journal."""
        data = self.path("graphs.zip")
        self.succeeds("generate", "molecules", "--graphs", "40", "-o", data)
        failed = self.job("slurm.sh")
        self.assertEqual((failed.returncode, failed.stdout), (1, ""))
        self.assertIn("usage: sbatch slurm.sh DATA", failed.stderr)
        self.works("slurm.sh", data)
        with open(self.path("evaluate.json"), encoding="utf-8") as file:
            first = json.load(file)["choices"]
        self.assertEqual(len(first), 100)
        self.works("slurm.sh", data)
        with open(self.path("evaluate.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["choices"], first)
        self.succeeds("gram", data, "-a", "delta-2-LWL", "-r", "3", "--normalize", "-o", self.path("alone.npy"))
        with open(self.path("gram.npy"), "rb") as job, open(self.path("alone.npy"), "rb") as alone:
            self.assertEqual(job.read(), alone.read())


if __name__ == "__main__":
    program.main()
