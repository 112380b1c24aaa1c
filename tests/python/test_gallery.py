"""The programs of docs/gallery run as they stand and draw a picture that shows something. Those with published sets run with generated graphs; with
the sets, too, where they are."""
import contextlib
import glob
import io
import os
import re
import sys
import unittest
import unittest.mock
import warnings

import numpy as np

import package

GALLERY = os.path.join(package.SOURCE, "docs", "gallery")


def programs():
    return sorted(glob.glob(os.path.join(GALLERY, "[0-9]*.py")))


def text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


@package.needs("matplotlib")
class Gallery(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import matplotlib
        matplotlib.use("Agg")
        sys.path.insert(0, GALLERY)
        cls.addClassCleanup(sys.path.remove, GALLERY)

    def draw(self, path, data):
        """Runs a program and returns its picture, [rows, columns, 4], and what it printed."""
        import matplotlib.pyplot as plt
        plt.close("all")
        printed = io.StringIO()
        with unittest.mock.patch.dict(os.environ, {"LEMAN_DATA": data}), contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(text(path), path, "exec"), {"__name__": "__main__"})
        self.assertEqual(len(plt.get_fignums()), 1, "one picture")
        canvas = plt.gcf().canvas
        canvas.draw()
        return np.asarray(canvas.buffer_rgba()), printed.getvalue()

    def check(self, path, data):
        picture, printed = self.draw(path, data)
        drawn = np.any(picture[..., :3] != 255, axis=-1)
        self.assertGreater(drawn.mean(), 0.005, "the picture is blank")
        self.assertGreater(len(np.unique(picture[drawn], axis=0)), 10, "the picture has a few colours only")
        return printed

    def test_twelve(self):
        self.assertEqual(len(programs()), 12)
        said = {}
        for path in programs():
            with self.subTest(os.path.basename(path)):
                printed = self.check(path, os.path.join(package.SOURCE, "no such folder"))
                self.assertEqual("sets.path(" in text(path), "generated graphs stand in" in printed)
                said[os.path.basename(path)[:2]] = printed.splitlines()
        # What the pages say in words, and a figure could contradict.
        self.assertIn("0 in both graphs", said["01"][1])
        self.assertIn("0 colours are in both graphs", said["02"])
        first, second = (np.array(re.findall(r"\d+\.\d*", line.split("[")[1]), dtype=float) for line in said["04"])
        self.assertLess(abs(first - 50).max(), 12, "1-WL is no better than chance")
        self.assertGreater(second[-1], 75)
        near, far = (float(line.split()[-1]) for line in said["11"])
        self.assertLess(near, far, "folds at random are easier")

    def test_published_sets(self):
        for name, program in (("MUTAG.zip", "05_kernel_pca.py"), ("BREC.pairs", "07_brec.py")):
            if not os.path.exists(os.path.join(package.DATA, name)):
                self.skipTest(f"the data set {name} is not here")
            with self.subTest(program):
                self.assertNotIn("stand in", self.check(os.path.join(GALLERY, program), package.DATA))



if __name__ == "__main__":
    package.main()
