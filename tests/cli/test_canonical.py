#!/usr/bin/env python3
"""leman canonical: forms that are equal if and only if graphs are isomorphic, orbits, files in canonical order."""
import itertools
import random
import shutil
import subprocess

import program
from program import Case, leman


def graph6(n, edges):
    """One graph of fewer than 63 vertices, by the definition of the format."""
    bits = [int((i, j) in edges or (j, i) in edges) for j in range(n) for i in range(j)]
    bits += [0] * (-len(bits) % 6)
    return chr(n + 63) + "".join(chr(63 + int("".join(map(str, bits[i:i + 6])), 2)) for i in range(0, len(bits), 6))


def shuffled(n, edges, draw):
    place = draw.sample(range(n), n)
    return {(place[u], place[v]) for u, v in edges}


def automorphisms(n, edges):
    both = edges | {(v, u) for u, v in edges}
    return [p for p in itertools.permutations(range(n)) if all((p[u], p[v]) in both for u, v in both)]


class Canonical(Case):
    def setUp(self):
        super().setUp()
        if self.json("canonical", self.file("none.g6", ["@"]))["nauty"] is None:
            self.skipTest("this build has no nauty")

    def file(self, name, lines):
        self.write(name, "\n".join(lines) + "\n")
        return self.path(name)

    def forms(self, *arguments):
        """The form of each line, behind its name."""
        return [line.split("\t")[1] for line in self.succeeds("canonical", *arguments).stdout.splitlines()]

    def test_classes(self):
        """All graphs of four vertices: 11 classes."""
        pairs = list(itertools.combinations(range(4), 2))
        lines = [graph6(4, {p for p, bit in zip(pairs, bits) if bit}) for bits in itertools.product((0, 1), repeat=6)]
        forms = self.forms(self.file("all.g6", lines))
        self.assertEqual((len(forms), len(set(forms))), (64, 11))
        self.assertIn("graph 4 | 0-1 0-2 0-3 1-2 1-3 2-3", forms)

    def test_orbits(self):
        """Groups and orbits by trying all permutations."""
        draw = random.Random(3)
        graphs = []
        for n in range(1, 7):
            pairs = list(itertools.combinations(range(n), 2))
            graphs += [(n, set(draw.sample(pairs, draw.randint(0, len(pairs))))) for _ in range(8)]
        path = self.file("some.g6", [graph6(n, edges) for n, edges in graphs])
        found = self.json("canonical", path, "--orbits")["results"]
        lines = self.succeeds("canonical", path, "--orbits").stdout.splitlines()
        for number, ((n, edges), one, line) in enumerate(zip(graphs, found, lines)):
            group = automorphisms(n, edges)
            orbit = [min(p[v] for p in group) for v in range(n)]
            self.assertEqual((one["automorphisms"], one["orbit"], one["orbits"]), (len(group), orbit, len(set(orbit))))
            sets = " ".join("{" + ",".join(str(u) for u in range(n) if orbit[u] == v) + "}" for v in sorted(set(orbit)))
            self.assertEqual(line, f"{number}\t{len(group)}\t{sets}")
            self.assertAlmostEqual(one["automorphisms_mantissa"] * 10 ** one["automorphisms_exponent"], len(group), 6)

    def test_large_group(self):
        path = self.file("empty.s6", [":" + chr(63 + 40)])
        found = self.json("canonical", path)["results"][0]
        self.assertIsNone(found["automorphisms"])
        self.assertEqual(found["automorphisms_exponent"], 47)  # 40! = 8.159e47
        self.assertAlmostEqual(found["automorphisms_mantissa"], 8.159152832478977)
        self.assertRegex(self.succeeds("canonical", path, "--orbits").stdout, r"\A0\t8\.15915283e47\t\{0,1,2,")

    def test_file(self):
        """Equal lines of graph6 are isomorphic graphs; the graphs are those of the file."""
        draw = random.Random(5)
        cycle, triangles = {(i, (i + 1) % 6) for i in range(6)}, {(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)}
        path = self.file("six.g6", [graph6(6, shuffled(6, edges, draw)) for edges in (cycle, triangles) for _ in range(5)])
        self.succeeds("canonical", path, "-o", self.path("out.g6"))
        with open(self.path("out.g6")) as file:
            lines = file.read().split()
        self.assertEqual(len(set(lines)), 2)
        self.assertEqual((len(set(lines[:5])), len(set(lines[5:]))), (1, 1))
        self.assertEqual(self.succeeds("canonical", path, "-o", "-", "--to", "graph6").stdout.split(), lines)
        again = self.forms(self.path("out.g6"))
        self.assertEqual(again, self.forms(path))

    def test_labels(self):
        """Labels, directions and loops belong to the form, unless they are ignored."""
        self.write("a.smi", "OC(=O)CN glycine\nNCC(O)=O same\nNCC(=O)[O-] charged\n")
        lines = self.succeeds("canonical", self.path("a.smi")).stdout.splitlines()
        names, forms = zip(*(line.split("\t") for line in lines))
        self.assertEqual(names, ("glycine", "same", "charged"))
        self.assertEqual(forms[0], forms[1])
        self.assertNotEqual(forms[0], forms[2])
        self.assertEqual(len(set(self.forms(self.path("a.smi"), "--ignore", "vertex-labels"))), 1)
        self.write("arcs.csv", "graph,source,target\n0,0,1\n0,1,2\n1,0,1\n1,2,1\n2,2,1\n2,1,0\n")
        forms = self.forms(self.path("arcs.csv"), "--directed")
        self.assertEqual(forms[0], forms[2])
        self.assertNotEqual(forms[0], forms[1])
        self.assertRegex(forms[0], r"\Adigraph 3 \| \d>\d \d>\d\Z")
        self.assertEqual(len(set(self.forms(self.path("arcs.csv")))), 1)

    def test_threads(self):
        self.succeeds("generate", "molecules", "--graphs", "80", "-o", self.path("m.leman"), "-q")
        self.assertEqual(*(self.forms(self.path("m.leman"), "-t", threads) for threads in "13"))

    def test_wrong(self):
        path = self.file("one.g6", ["A_"])
        self.wrong("canonical", path, "--orbits", "-o", self.path("out.g6"), words=("--output", "--orbits"))
        self.wrong("canonical", path, "-o", "-", words=("--to",))
        self.fails("canonical", self.path("missing.g6"), words=("missing.g6",))

    def rdf(self, draw, names):
        """A hundred statements: named resources, and blank nodes in equal stars and cycles, under these names."""
        blank = iter(names)
        lines = [f"<http://a/s{i}> <http://a/p> \"{i}\" ." for i in range(20)]
        for i in range(8):  # stars
            centre = next(blank)
            lines += [f"_:{centre} <http://a/has> _:{next(blank)} ." for _ in range(4)]
            lines += [f"<http://a/s0> <http://a/star> _:{centre} ."]
        for i in range(8):  # cycles
            cycle = [next(blank) for _ in range(5)]
            lines += [f"_:{u} <http://a/next> _:{v} ." for u, v in zip(cycle, cycle[1:] + cycle[:1])]
        draw.shuffle(lines)
        return lines

    def test_blank_nodes(self):
        """Other names of blank nodes and another order of lines: the same file. Another graph: another file."""
        draw, found = random.Random(9), []
        for trial in range(3):
            lines = self.rdf(random.Random(trial), draw.sample([f"n{i}" for i in range(1000)], 80))
            self.assertEqual(len(lines), 100)
            if trial == 2:  # two cycles of five become one of ten
                ends = [i for i, line in enumerate(lines) if "next" in line][:1]
                first = lines[ends[0]].split()
                other = next(i for i, line in enumerate(lines) if "next" in line and i != ends[0] and not self.meet(lines, first[0], line.split()[0]))
                second = lines[other].split()
                lines[ends[0]], lines[other] = " ".join([*first[:2], second[2], "."]), " ".join([*second[:2], first[2], "."])
            self.write(f"{trial}.nt", "\n".join(lines) + "\n")
            self.succeeds("canonical", self.path(f"{trial}.nt"), "-o", self.path(f"{trial}.nq"))
            with open(self.path(f"{trial}.nq")) as file:
                found.append(file.read())
            self.assertEqual(len(set(found[-1].splitlines())), 100)
        self.assertEqual(found[0], found[1])
        self.assertNotEqual(found[0], found[2])
        self.assertEqual({line for line in found[0].splitlines() if "_:" not in line}, {line for line in lines if "_:" not in line})

    @staticmethod
    def meet(lines, u, v):
        """Is v on the cycle of u?"""
        follow = {line.split()[0]: line.split()[2] for line in lines if "next" in line}
        at = follow[u]
        while at != u and at != v:
            at = follow[at]
        return at == v

    @program.needs("command")
    def test_against_labelg(self):
        """The classes of nauty's own program: random graphs, some of them regular, each with copies."""
        labelg = shutil.which("nauty-labelg") or shutil.which("labelg")
        if not labelg:
            self.skipTest("nauty-labelg is not installed")
        draw = random.Random(7)
        lines = []
        for _ in range(150):
            n = draw.randint(2, 12)
            edges = {p for p in itertools.combinations(range(n), 2) if draw.random() < draw.choice((0.2, 0.5, 0.9))}
            lines += [graph6(n, shuffled(n, edges, draw)) for _ in range(2)]
        theirs = subprocess.run([labelg, "-q", self.file("some.g6", lines)], capture_output=True, text=True, check=True)
        theirs, ours = theirs.stdout.split(), self.forms(self.path("some.g6"))
        self.assertEqual(len(set(zip(theirs, ours))), len(set(theirs)))
        self.assertEqual(len(set(theirs)), len(set(ours)))


if __name__ == "__main__":
    program.main()
