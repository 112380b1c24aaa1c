"""reproduce/counting.py: the errors of networks that count, and finished runs that are taken up again."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import leman
import package

PROGRAM = os.path.join(package.SOURCE, "reproduce", "counting.py")
SMALL = ["--graphs", "60", "--vertices", "10", "--probability", "0.5", "--layers", "1", "--width", "8", "--epochs", "2", "--device", "cpu",
         "-a", "GINE-eps,Local-2-GNN"]


def run(*more):
    return subprocess.run([sys.executable, PROGRAM, *SMALL, *more], capture_output=True, text=True, timeout=600, check=True).stdout


class Counting(unittest.TestCase):
    def test_errors_are_those_of_the_test_part(self):
        """The errors of a run, computed once more from the network that the same options and seed give."""
        with tempfile.TemporaryDirectory() as folder:
            kept = os.path.join(folder, "runs")
            table = run("--runs", "1", "--resume", kept)
            with open(kept, encoding="utf-8") as file:
                runs = {found["method"]: found for found in map(json.loads, file)}
        data = leman.Dataset.generate("counts", graphs=60, vertices=10, probability=0.5, seed=1, level="vertex")
        network = leman.nn.GraphNetwork("Local-2-GNN", level="vertex", layers=1, width=8, epochs=2, batch_size=64, schedule="cosine",
                                        scale_targets=True, device="cpu", random_state=1)
        network.fit(data, validation=np.arange(36, 48), test=np.arange(48, 60))
        error, rows = np.zeros(13), 0
        for g in range(48, 60):
            error += np.abs(network.predict(data[[g]]) - data[g].vertex_attributes).sum(axis=0)
            rows += data[g].num_vertices
        error /= rows * np.concatenate([graph.vertex_attributes for graph in data]).std(axis=0)
        np.testing.assert_allclose(list(runs["Local-2-GNN"]["error"].values()), error, rtol=1e-5)
        self.assertIn(f"{error[0]:.4f} ±0.0000 |", table)
        self.assertEqual(list(runs["Local-2-GNN"]["error"]), data.target_names)
        self.assertEqual(table.splitlines()[0], "| through each vertex | GINE-eps | Local-2-GNN |")

    def test_finished_runs_are_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = os.path.join(folder, "runs")
            run("--runs", "1", "--resume", kept)
            with open(kept, encoding="utf-8") as file:
                first = file.read()
            self.assertEqual(run("--runs", "1", "--resume", kept), run("--runs", "1", "--resume", kept, "--time-limit", "0"))
            run("--runs", "2", "--resume", kept)
            with open(kept, encoding="utf-8") as file:
                both = file.read()
        self.assertTrue(both.startswith(first))
        self.assertEqual([(found["method"], found["run"]) for found in map(json.loads, both.splitlines())],
                         [("GINE-eps", 0), ("Local-2-GNN", 0), ("GINE-eps", 1), ("Local-2-GNN", 1)])


if __name__ == "__main__":
    unittest.main()
