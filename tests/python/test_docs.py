"""The Python examples of docs/python.md run as they stand, each by itself. (Those with PyTorch run in test_layers.py, which may have an
environment of its own.)"""
import contextlib
import io
import os
import re
import tempfile
import unittest

import package


def examples(with_torch):
    """The blocks of the page that import PyTorch, or the others."""
    with open(os.path.join(package.SOURCE, "docs", "python.md"), encoding="utf-8") as file:
        blocks = re.findall(r"```python\n(.*?)```", file.read(), re.S)
    return [block for block in blocks if bool(re.search(r"^(import|from) torch", block, re.M)) == with_torch]


def run(block):
    """Runs a block in an empty folder. Returns its names and what it printed."""
    before, names, printed = os.getcwd(), {}, io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            with contextlib.redirect_stdout(printed):
                exec(compile(block, "python.md", "exec"), names)
        finally:
            os.chdir(before)
    return names, printed.getvalue()


class Examples(unittest.TestCase):
    def test_page(self):
        blocks = examples(with_torch=False)
        self.assertGreaterEqual(len(blocks), 1)
        for block in blocks:
            with self.subTest(block.splitlines()[0]):
                run(block)


if __name__ == "__main__":
    package.main()
