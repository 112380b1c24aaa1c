"""The Python examples of docs/python.md run as they stand, each by itself (those with PyTorch run in test_layers.py, which may have an
environment of its own), those of a tutorial one after the other, and those in docstrings print what they promise."""
import contextlib
import doctest
import glob
import inspect
import io
import os
import re
import tempfile
import unittest

import package
import leman


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


class Docstrings(unittest.TestCase):
    def documented(self):
        """(name, thing) of what has a docstring in numpydoc's manner."""
        names = {name: getattr(leman, name) for name in leman.__all__}
        names.update((f"Dataset.{name}", getattr(leman.Dataset, name)) for name in dir(leman.Dataset) if not name.startswith("_"))
        return [(name, thing) for name, thing in names.items() if "\n----------\n" in (inspect.getdoc(thing) or "")]

    def test_examples(self):
        runner, missing = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS), []
        for name, thing in self.documented():
            parsed = doctest.DocTestParser().get_doctest(inspect.getdoc(thing), {}, name, None, None)
            if not parsed.examples:
                missing.append(name)
            said = io.StringIO()
            with self.subTest(name):
                self.assertEqual(runner.run(parsed, out=said.write).failed, 0, said.getvalue())
        self.assertEqual(missing, [], "docstrings without an example")
        self.assertGreaterEqual(runner.tries, 30)

    def test_every_parameter(self):
        found = self.documented()
        self.assertGreaterEqual(len(found), 15)
        for name, thing in found:
            section = re.search(r"\nParameters\n-+\n(.*?)(?:\n\n\w+\n---|$)", inspect.getdoc(thing), re.S)[1]
            listed = [word.strip().lstrip("*") for row in re.findall(r"(?m)^(\S.*?)(?: : .*)?$", section) for word in row.split(",")]
            self.assertEqual(sorted(listed), sorted(inspect.signature(thing).parameters), name)


if __name__ == "__main__":
    package.main()
