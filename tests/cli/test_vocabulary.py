#!/usr/bin/env python3
"""leman predict says so where a model knows little of the graphs: molecules with hydrogens, fitted on those without."""
import re

import program
from program import Case


class Vocabulary(Case):
    def chains(self, name, hydrogens, graphs=40):
        """Chains of 3 to 8 carbons; every second one ends in oxygen, which is the class. Hydrogens fill the valences."""
        arcs, labels, indicator, vertices = [], [], [], 0
        for g in range(graphs):
            atoms = [6] * (3 + g % 6) + ([8] if g % 2 else [])
            edges = [(i, i + 1) for i in range(len(atoms) - 1)]
            for i in range(len(atoms) if hydrogens else 0):
                free = (4 if atoms[i] == 6 else 2) - sum(i in e for e in edges)
                for _ in range(free):
                    edges.append((i, len(atoms)))
                    atoms.append(1)
            arcs += [f"{vertices + a + 1}, {vertices + b + 1}\n{vertices + b + 1}, {vertices + a + 1}\n" for a, b in edges]
            labels += atoms
            indicator += [g + 1] * len(atoms)
            vertices += len(atoms)
        return self.tu(name, A="".join(arcs), graph_indicator="".join(f"{i}\n" for i in indicator),
                       node_labels="".join(f"{a}\n" for a in labels), graph_labels="".join(f"{g % 2}\n" for g in range(graphs)))

    def check(self, model):
        known, unknown = self.chains("bare", False), self.chains("full", True)
        found = self.json("predict", "--model", model, known)
        self.assertEqual(found["remarks"], [])
        self.assertEqual(max(p["out_of_vocabulary"] for p in found["predictions"]), 0)
        found = self.json("predict", "--model", model, unknown, "--quiet")
        shares = [p["out_of_vocabulary"] for p in found["predictions"]]
        self.assertGreater(sum(shares) / len(shares), 0.5)
        remark, = found["remarks"]
        above = sum(share > 0.5 for share in shares)
        self.assertTrue(remark.startswith(f"{above} of the 40 graphs "), remark)
        self.assertIn(f"mean share {sum(shares) / len(shares):.2f}", remark)
        self.assertIn("hydrogens", remark)
        for arguments, heard in (((), True), (("--quiet",), False)):
            result = self.succeeds("predict", "--model", model, unknown, "-o", self.path("p.csv"), *arguments)
            self.assertEqual(remark in re.sub(r"\s+", " ", result.stderr), heard)

    def test_models(self):
        model = self.path("m.model")
        self.succeeds("fit", self.chains("bare", False), "-a", "local", "-k", "2", "-r", "0-2", "-o", model, "--quiet")
        self.check(model)

    def test_networks(self):
        for kind in ("gin", "local"):
            net = self.path(f"{kind}.lmn")
            self.succeeds("train", self.chains("bare", False), "--model", kind, "--layers", "1", "--width", "4", "--epochs", "1",
                          "--checkpoint", net, "--quiet")
            self.check(net)


if __name__ == "__main__":
    program.main()
