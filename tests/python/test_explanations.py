#!/usr/bin/env python3
"""Explanations show what was planted: molecules are chains of random fragments, and the class is whether one has a pattern."""
import random
import re
import unittest

import numpy as np
import package
import leman

# SMILES of fragments that follow each other in a chain, and their atoms.
FRAGMENTS = {"C": 1, "CC": 2, "O": 1, "N": 1, "C(=O)": 2, "C(C)": 2, "c1ccc(cc1)": 6, "c1cnc(cn1)": 6, "C1CCC(CC1)": 6, "C(F)": 2, "C(Cl)": 2,
             "N1CCC(C1)": 5, "C1CC(CO1)": 5}
# Where the pattern is: the atoms of a planted text, beside decoys that share all of its labels.
PLANTED = {"substructure": ("S(=O)(=O)N", [0, 1, 2, 3], ["S(C)", "C(=O)N", "N(O)"]),
           "ring of seven": ("C1CCCC(CC1)", [0, 1, 2, 3, 4, 5, 6], ["C1CCC(CC1)", "C1CC(CC1)"]),
           "groups at a distance": ("C(Br)CCC(O)", [1, 6], ["C(Br)CCCCCC(O)", "C(Br)CC", "CCC(O)"]),
           "ring and group": ("c1ccc(nc1)CC(=O)N", [0, 1, 2, 3, 4, 5, 7, 8, 9], ["c1ccc(nc1)C", "CC(=O)N"])}


def molecule(draw, middle):
    """A text, and the number of atoms before the middle."""
    sides = [[draw.choice(list(FRAGMENTS)) for _ in range(draw.randint(2, 4))] for _ in range(2)]
    return "C" + "".join(sides[0]) + middle + "".join(sides[1]) + "C", 1 + sum(FRAGMENTS[one] for one in sides[0])


def area(inside, score):
    """Under the ROC curve, by its definition."""
    wins = [(a > b) + (a == b) / 2 for a in score[inside] for b in score[~inside]]
    return sum(wins) / len(wins)


class Planted(unittest.TestCase):
    def areas(self, method, kind):
        draw, (planted, atoms, decoys) = random.Random(5), PLANTED[kind]
        made = [molecule(draw, planted if i % 2 else draw.choice(decoys)) for i in range(300)]
        model = leman.GraphSVC(method, folds=3, random_state=0).fit([text for text, _ in made[:260]], [i % 2 for i in range(260)])
        found = []
        for text, first in made[261::2]:
            why = model.explain(text, of=1)
            self.assertTrue(why.exact)
            self.assertAlmostEqual(why.weights.sum() + why.rest, why.value)
            inside = np.zeros(len(why.weights), bool)
            inside[[first + atom for atom in atoms]] = True
            found.append(area(inside, why.weights))
        return np.mean(found)

    def test_atom_numbers(self):
        """The picture has the number of every vertex only where it is asked for, also of a list."""
        texts = ["CCO", "c1ccccc1", "CC(=O)O", "CCN"] * 4
        model = leman.GraphSVC("1-WL", folds=2).fit(texts, [0, 1] * 8)
        for numbered in (False, True):
            for why in (model.explain("CC(=O)O", atom_numbers=numbered), *model.explain(["CCO", "CCN"], atom_numbers=numbered)):
                found = re.findall(r'class="label small number"[^>]*>(\d+)<', why._repr_svg_())
                self.assertEqual(found, [str(i) for i in range(len(why.weights))] if numbered else [])

    def test_atoms_of_the_pattern(self):
        """On average in 87 of 100 pairs of an atom inside and one outside."""
        for method in ("1-WL", "delta-2-LWL"):
            found = {kind: self.areas(method, kind) for kind in PLANTED}
            self.assertGreater(min(found.values()), 0.75, found)
            self.assertGreater(np.mean(list(found.values())), 0.87, found)


if __name__ == "__main__":
    package.main()
