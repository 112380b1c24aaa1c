#!/usr/bin/env python3
"""The preset qm9 and vertex attributes: labels that attributes repeat are left out once, positions are told or refused."""
import program

GRAPHS, SIZE = 12, 3


class Positions(program.Case):
    def setUp(self):
        """Paths of three vertices with labels 0, 1, 2; attributes are the label one-hot, then a position."""
        super().setUp()
        text = {name: "" for name in ("A", "graph_indicator", "node_labels", "node_attributes", "graph_attributes")}
        for g in range(GRAPHS):
            first = SIZE * g + 1
            text["A"] += "".join(f"{first + v}, {first + v + 1}\n{first + v + 1}, {first + v}\n" for v in range(SIZE - 1))
            for v in range(SIZE):
                one_hot = ", ".join(str(int(v == label)) for label in range(SIZE))
                text["graph_indicator"] += f"{g + 1}\n"
                text["node_labels"] += f"{v}\n"
                text["node_attributes"] += f"{one_hot}, {v * 0.5 + g}, {g * 0.25}, {v - g}\n"
            text["graph_attributes"] += f"{g * 0.1}\n"
        self.data = self.tu("M", **text)

    def remarks(self, *more):
        return self.succeeds("train", self.data, "--preset", "qm9", "--width", "4", "--epochs", "0", *more).stderr

    def test_labels_stand_once(self):
        self.assertIn("attributes 0 to 2 repeat the vertex labels", self.remarks("--coordinates", "3-5"))

    def test_positions_are_no_labels(self):
        """Columns that are taken as a position are no input any more: the labels stay."""
        self.assertNotIn("left out", self.remarks("--coordinates", "0-2"))

    def test_without_positions(self):
        self.fails("train", self.data, "--preset", "qm9", "--epochs", "0", "--quiet", words=("--coordinates", "6 vertex attributes"))


if __name__ == "__main__":
    program.main()
