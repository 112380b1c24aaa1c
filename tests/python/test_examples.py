"""The Python examples of README.md run as they stand, beside the file that the shell examples before them made."""
import ast
import contextlib
import io
import json
import os
import re
import subprocess
import tempfile
import unittest

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
