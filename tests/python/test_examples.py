"""The Python examples of README.md run as they stand, beside the file that the shell examples before them made."""
import ast
import contextlib
import io
import json
import os
import re
import runpy
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import package
import leman

PROGRAM = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(leman.__file__)))), "leman")


class Examples(unittest.TestCase):
    def test_readme(self):
        if not os.path.exists(PROGRAM):
            self.skipTest("the program is not built")
        with open(os.path.join(package.SOURCE, "README.md"), encoding="utf-8") as file:
            blocks = re.findall(r"```python\n(.*?)```", file.read(), re.S)
        self.assertGreaterEqual(len(blocks), 1)
        before, printed = os.getcwd(), io.StringIO()
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([PROGRAM, "generate", "molecules", "--graphs", "60", "-o", os.path.join(folder, "molecules.zip")],
                           check=True, capture_output=True)
            os.chdir(folder)
            try:
                for block in blocks:
                    with contextlib.redirect_stdout(printed):
                        exec(compile(block, "README.md", "exec"), {})
            finally:
                os.chdir(before)
        self.assertIn("delta-2-LWL", printed.getvalue())

    def test_picture(self):
        """The picture of README.md is what its script draws from our colours."""
        folder = os.path.join(package.SOURCE, "docs", "pictures")
        with tempfile.TemporaryDirectory() as scratch:
            drawn = os.path.join(scratch, "drawn.svg")
            with unittest.mock.patch.object(sys, "argv", ["two_graphs.py", drawn]):
                runpy.run_path(os.path.join(folder, "two_graphs.py"), run_name="__main__")
            with open(drawn, encoding="utf-8") as ours, open(os.path.join(folder, "two-graphs.svg"), encoding="utf-8") as shipped:
                self.assertEqual(ours.read(), shipped.read())

    @package.needs("distributed")
    def test_dask(self):
        """The block of docs/scaling.md as it stands, with two workers of this computer behind the scheduler's address."""
        if not os.path.exists(PROGRAM):
            self.skipTest("the program is not built")
        import numpy as np
        from dask.distributed import Client, LocalCluster
        with open(os.path.join(package.SOURCE, "docs", "scaling.md"), encoding="utf-8") as file:
            block, = re.findall(r"```python\n(.*?)```", file.read(), re.S)
        before, names, asked = os.getcwd(), {}, []
        with tempfile.TemporaryDirectory() as folder, \
                LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as local:
            def connect(address):
                asked.append(address)
                return local
            subprocess.run([PROGRAM, "generate", "molecules", "--graphs", "1200", "-o", os.path.join(folder, "molecules.leman")],
                           check=True, capture_output=True)
            os.chdir(folder)
            try:
                with unittest.mock.patch("dask.distributed.Client", connect):
                    exec(compile(block, "scaling.md", "exec"), names)
            finally:
                os.chdir(before)
            self.assertEqual([len(part) for part in names["rows"]], [1000, 200])
            np.testing.assert_array_equal(np.vstack(names["rows"]), names["kernel"].transform(names["data"]))
        self.assertEqual(asked, ["scheduler:8786"])

    @package.needs("rdkit")
    def test_notebook(self):
        """Cell after cell of docs/molecules.ipynb; the last value of a cell must show itself."""
        with open(os.path.join(package.SOURCE, "docs", "molecules.ipynb"), encoding="utf-8") as file:
            cells = [c for c in json.load(file)["cells"] if c["cell_type"] == "code"]
        names = {}
        for number, cell in enumerate(cells):
            tree = ast.parse("".join(cell["source"]))
            last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, f"cell {number}", "exec"), names)
            if last is not None:
                value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
                for show in ("_repr_html_", "_repr_svg_", "__repr__"):
                    if hasattr(value, show):
                        self.assertTrue(getattr(value, show)())
        self.assertGreater(len(cells), 7)

    def test_smoke_of_the_wheel(self):
        with open(os.path.join(package.SOURCE, "python", "smoke.py"), encoding="utf-8") as file:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(file.read(), "smoke.py", "exec"), {})


if __name__ == "__main__":
    package.main()
