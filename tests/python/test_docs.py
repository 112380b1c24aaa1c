"""The Python examples of docs/python.md run as they stand, each by itself (those with PyTorch run in test_layers.py, which may have an
environment of its own), those of a tutorial one after the other, and those in docstrings print what they promise."""
import contextlib
import glob
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


def run(block, names=None):
    """Runs a block in an empty folder. Returns its names and what it printed. names: those of the blocks before it."""
    before, printed = os.getcwd(), io.StringIO()
    names = {} if names is None else names
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

    def test_tutorials(self):
        pages = {}
        for path in glob.glob(os.path.join(package.SOURCE, "docs", "tutorials", "*.md")):
            with open(path, encoding="utf-8") as file:
                pages[os.path.basename(path)] = re.findall(r"```python\n(.*?)```", file.read(), re.S)
        self.assertEqual(sum(bool(blocks) for blocks in pages.values()), 3)
        for page, blocks in pages.items():
            with self.subTest(page):
                names = {}
                for block in blocks:
                    run(block, names)


if __name__ == "__main__":
    package.main()
