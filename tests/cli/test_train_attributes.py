#!/usr/bin/env python3
"""Attributes in leman train: read by default, said so, kept in files, refused where they do not fit."""
import json

import program

GRAPHS, SIZE = 40, 4


class Attributes(program.Case):
    def made(self, name, columns=2, edges=False, classes=True, scale=1.0):
        """Cycles whose class is the sign of the first attribute of all their vertices."""
        text = {part: "" for part in ("A", "graph_indicator", "node_attributes", "graph_labels")}
        if edges:
            text["edge_attributes"] = ""
        for g in range(GRAPHS):
            first = SIZE * g + 1
            for v in range(SIZE):
                for other in ((v + 1) % SIZE, (v - 1) % SIZE):
                    text["A"] += f"{first + v}, {first + other}\n"
                    if edges:
                        text["edge_attributes"] += f"{(g + min(v, other)) % 3}.5\n"
                text["graph_indicator"] += f"{g + 1}\n"
                text["node_attributes"] += ", ".join([str(scale * (1 if g % 2 else -1) + 100)] + [str(v)] * (columns - 1)) + "\n"
            text["graph_labels"] += f"{g % 2}\n"
        if not columns:
            del text["node_attributes"]
        return self.tu(name, **text)

    def test_learned(self):
        data, network = self.made("data"), self.path("net.lmn")
        options = ("--width", "8", "--layers", "2", "--epochs", "30", "--device", "cpu", "--val-share", "0.3")
        done = self.succeeds("train", data, "-a", "GIN-eps", *options, "--checkpoint", network, "--json")
        self.assertIn("data: GIN-eps reads 2 vertex attributes, standardised over the training part", done.stderr)
        found = self.json("train", data, "-a", "GIN-eps", *options)
        self.assertEqual((found["attributes"], found["vertex_attributes"], found["edge_attributes"]), ("standardized", 2, 0))
        self.assertEqual(found["best"]["test_error"], 0)
        without = self.json("train", data, "-a", "GIN-eps", *options, "--attributes", "none")
        self.assertEqual((without["attributes"], without["vertex_attributes"]), ("none", 0))
        self.assertGreater(without["best"]["val_error"], 0)
        self.assertEqual(self.json("train", data, "-a", "GIN-eps", *options, "--ignore", "attributes")["best"]["val_error"],
                         without["best"]["val_error"])
        shown = self.succeeds("info", network).stdout
        self.assertIn("2 of vertices, 0 of edges, standardised over the training part", shown)
        self.assertEqual(self.json("info", network)["network"]["vertex_attributes"], 2)
        out = self.path("out.csv")
        self.succeeds("predict", "--model", network, data, "-o", out)
        self.fails("predict", "--model", network, self.made("more", 3), "-o", out,
                   words=("more: found 3 columns of vertex attributes, expected 2",))
        self.fails("predict", "--model", network, self.made("none", 0), "-o", out, words=("found 0 columns of vertex attributes, expected 2",))

    def test_resumed(self):
        data, network = self.made("data"), self.path("net.lmn")
        common = ("train", data, "-a", "GIN-eps", "--width", "4", "--layers", "1", "--device", "cpu", "--checkpoint", network)
        self.succeeds(*common, "--epochs", "1")
        self.fails(*common, "--epochs", "2", "--resume", "--attributes", "raw", "-q", words=("with attributes: standardized, expected raw",))
        self.succeeds(*common, "--epochs", "2", "--resume")

    def test_edges(self):
        """GIN cannot read edge attributes, and the program says so; other networks read them."""
        data = self.made("data", edges=True)
        options = ("--width", "4", "--layers", "1", "--epochs", "0", "--device", "cpu")
        said = self.succeeds("train", data, "-a", "GIN-eps", *options).stderr
        self.assertIn("GIN-eps cannot read 1 edge attribute, which is left out", said)
        for model in ("GINE-eps", "delta-2-LGNN", "MPNN", "PPGN", "1-2-GNN"):
            said = self.succeeds("train", data, "-a", model, *options).stderr
            self.assertIn("reads 2 vertex attributes and 1 edge attribute", said, model)
            self.assertNotIn("cannot read", said, model)

    def test_misuse(self):
        data = self.made("data")
        for options, words in ((("--attributes", "raw", "--ignore", "attributes"), ("--ignore attributes",)),
                               (("--attributes", "standardized", "--preset", "qm9"), ("qm9 reads attributes as they are",)),
                               (("--attributes", "auto"), ("--attributes",))):
            self.wrong("train", data, *options, words=words)

    def test_compared(self):
        """leman compare reads the attributes for networks, and says so."""
        options = ("--repetitions", "1", "--folds", "4", "--epochs", "30", "--width", "8", "--layers", "2")
        data = self.made("data")
        done = self.succeeds("compare", data, "-a", "GIN-eps", "-a", "1-WL", *options)
        self.assertIn("GIN-eps reads 2 vertex attributes", done.stderr)


    def molecules(self, name, molecules):
        """An SDF file of chains of atoms (element, x, y)."""
        text = ""
        for i, atoms in enumerate(molecules):
            text += f"{name}{i}\n\n\n{len(atoms):3}{len(atoms) - 1:3}  0  0  0  0  0  0  0  0999 V2000\n"
            text += "".join(f"{x:10.4f}{y:10.4f}{0:10.4f} {element:<3} 0  0\n" for element, x, y in atoms)
            text += "".join(f"{a + 1:3}{a + 2:3}  1  0\n" for a in range(len(atoms) - 1)) + f"M  END\n> <t>\n{i % 2}\n\n$$$$\n"
        return self.write(f"{name}.sdf", text)

    def test_data_sets_with_some_coordinates(self):
        """The whole data set decides, not its first graph, and a sentence says how many molecules have no coordinates."""
        options = ("-a", "GIN-eps", "--width", "4", "--layers", "1", "--epochs", "1", "--device", "cpu", "--json")
        left_out, zero = "the coordinates of the atoms are left out", "the coordinates of all atoms are 0, and are left out"
        placed, bare, hydrogen = (("C", 0.1, 1.0), ("O", 0.2, -1.0)), (("C", 0, 0), ("O", 0, 0)), (("H", 0.1, 0.0), ("H", 0.9, 0.0))
        for name, given, words, none in (
                ("a", [placed] * 12, left_out, 0), ("b", [bare] * 12, zero, 0), ("c", [hydrogen] + [placed] * 11, left_out, 0),
                ("d", [bare] * 3 + [placed] * 9, left_out, 3), ("e", [(("O", 0, 0),)] + [placed] * 11, left_out, 0), ("f", [hydrogen] * 8 + [placed] * 4, None, 0)):
            done = self.succeeds("train", self.molecules(name, given), *options)
            self.assertEqual([text for text in (left_out, zero) if f"{name}: {text}" in done.stderr], [words] if words else [], done.stderr)
            self.assertEqual(json.loads(done.stdout)["vertex_attributes"], 0 if words else 3)
            said = f"{name}: molecules without coordinates, all of which are 0: {none} of 12\n"
            self.assertEqual((said in done.stderr, "without coordinates" in done.stderr), (none > 0, none > 0), done.stderr)

    def test_coordinates_of_atoms(self):
        """The coordinates of an SDF file are read when attributes are asked for, and a sentence says that they are left out otherwise."""
        data = self.molecules("m", [(("C", 0.1 * i, 1.0), ("O", 0.2, -1.0)) for i in range(20)])
        options = ("--width", "4", "--layers", "1", "--epochs", "1", "--device", "cpu", "--json")
        for preset in "zinc", "tu":
            done = self.succeeds("train", data, "-a", "GIN-eps", "--preset", preset, *options)
            self.assertIn("m: the coordinates of the atoms are left out, since they change when a molecule is turned", done.stderr)
            self.assertEqual(json.loads(done.stdout)["vertex_attributes"], 0)
        for how in "raw", "standardized":
            self.assertEqual(self.json("train", data, "-a", "GIN-eps", *options[:-1], "--attributes", how)["vertex_attributes"], 3)
        done = self.succeeds("compare", data, "-a", "GIN-eps", "-a", "1-WL", "--class", "0", "--epochs", "1", "--width", "4", "--layers", "1", "--folds", "3",
                             "--repetitions", "1", "-r", "0-1", "--json")
        self.assertIn("the coordinates of the atoms are left out", done.stderr)


if __name__ == "__main__":
    program.main()
