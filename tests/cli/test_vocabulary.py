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

    def test_no_single_graph(self):
        """Each graph is known for the most part, all of them together are not."""
        model, new = self.path("m.model"), self.write("new.smi", "CCO a\nCCN b\n")
        old = self.write("old.csv", "smiles,c\n" + "".join(f"{'C' * (i // 2 + 2)}{'O' * (i % 2)},{i % 2}\n" for i in range(20)))
        self.succeeds("fit", old, "--class", "c", "-a", "1-WL", "-r", "1", "--folds", "2", "-o", model, "-q")
        found = self.json("predict", "--model", model, new)
        shares = [p["out_of_vocabulary"] for p in found["predictions"]]
        self.assertTrue(max(shares) <= 0.5 and sum(shares) / 2 > 0.1, shares)
        new = self.write("new.smi", "CCN a\n")
        share, = (p["out_of_vocabulary"] for p in self.json("predict", "--model", model, new)["predictions"])
        remark, = self.json("predict", "--model", model, new)["remarks"]
        self.assertTrue(0.25 < share <= 0.5, share)
        self.assertTrue(remark.startswith("Much of the 1 graph is out of vocabulary"), remark)

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
