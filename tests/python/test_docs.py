"""The Python examples of docs/python.md run as they stand, each by itself (those with PyTorch run in test_layers.py, which may have an
environment of its own), those of a tutorial one after the other, where they print what the page shows, and those in docstrings print what they promise."""
import ast
import contextlib
import doctest
import glob
import inspect
import io
import os
import re
import tempfile
import textwrap
import unittest
import warnings

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
        """Their blocks run one after the other and print what the page shows below them; "..." stands for the rest of a line, or of what is printed. Numbers with a point may
        differ by a tenth: not every machine rounds alike, nor trains the same network."""
        with_code = 0
        for path in glob.glob(os.path.join(package.SOURCE, "docs", "tutorials", "*.md")):
            with open(path, encoding="utf-8") as file:
                blocks = re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", file.read(), re.S)
            names, page = {}, os.path.basename(path)
            with_code += bool(blocks)
            for block, promised in blocks:
                with self.subTest(page, block=block.splitlines()[0]):
                    self.check(run(block, names)[1], promised)
        self.assertEqual(with_code, 3)

    def check(self, printed, promised):
        there, wanted = printed.rstrip().splitlines(), promised.rstrip().splitlines()
        if wanted and wanted[-1] == "...":
            wanted.pop()
            there = there[:len(wanted)]
        self.assertEqual(len(there), len(wanted), printed)
        for line, shown in zip(there, wanted):
            words, expected = re.findall(r"[^\s\[\]]+", line), re.findall(r"[^\s\[\]]+", shown)
            if expected and expected[-1] == "...":
                expected.pop()
                words = words[:len(expected)]
            self.assertEqual(len(words), len(expected), line)
            for word, text in zip(words, expected):
                if re.fullmatch(r"-?\d*\.\d*(e-\d+)?", text):
                    self.assertAlmostEqual(float(word), float(text), delta=max(0.1 * abs(float(text)), 0.01), msg=line)
                else:
                    self.assertEqual(word, text)


def public():
    """{name: class or function} of everything that the package offers, exceptions and modules apart."""
    names = {name: getattr(leman, name) for name in leman.__all__}
    names.update((f"nn.{name}", getattr(leman.nn, name)) for name in leman.nn.__all__)
    return {name: thing for name, thing in names.items() if callable(thing) and not (inspect.isclass(thing) and issubclass(thing, (Exception, Warning)))}


def members(name, thing):
    """(name, member) of the methods and properties of a class that the package defines; slots have a line among the attributes."""
    for word in dir(thing) if inspect.isclass(thing) else ():
        owner = next((base for base in thing.__mro__ if word in vars(base)), object)
        member = inspect.getattr_static(thing, word)
        if not word.startswith("_") and owner.__module__.startswith("leman") and not inspect.ismemberdescriptor(member):
            yield f"{name}.{word}", member


def sections(thing):
    """{title: text} of a docstring in numpydoc's manner; "" is what stands before the first section."""
    parts = re.split(r"(?m)^(\w+)\n-+$", inspect.getdoc(thing) or "")
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2]))}


def listed(section):
    """The names that a section describes."""
    return [word.strip().lstrip("*") for row in re.findall(r"(?m)^(\S.*?)(?: : .*)?$", section) for word in row.split(",")]


def assigned(thing):
    """The public attributes that the methods of a class and of its bases in the package set: those of objects of users end with "_"."""
    found = set()
    for base in thing.__mro__:
        if base.__module__.startswith("leman"):
            for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(base)))):
                if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and getattr(node.value, "id", None) == "self":
                    found.add(node.attr)
    return {name for name in found if not name.startswith("_")}


class Docstrings(unittest.TestCase):
    """Every public class and function has its parameters, what it returns or holds, and an example that prints what it promises."""

    def test_examples(self):
        runner, missing = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS), []
        everything = {**public(), "Error": leman.Error, **dict(members("Dataset", leman.Dataset))}
        for name, thing in everything.items():
            thing = getattr(thing, "__func__", thing)
            parsed = doctest.DocTestParser().get_doctest(inspect.getdoc(thing) or "", {}, name, None, None)
            if not parsed.examples and "." not in name.removeprefix("nn."):
                missing.append(name)
            said = io.StringIO()
            with self.subTest(name), warnings.catch_warnings():
                warnings.simplefilter("error", leman.DataWarning)
                self.assertEqual(runner.run(parsed, out=said.write).failed, 0, said.getvalue())
        self.assertEqual(missing, [], "docstrings without an example")
        self.assertGreaterEqual(runner.tries, 150)

    def test_parameters(self):
        checked = 0
        for name, thing in public().items():
            found = sections(thing)
            if "Parameters" not in found and inspect.isclass(thing):
                inherits = "__init__" not in vars(thing) and any("Parameters" in sections(base) for base in thing.__mro__[1:])
                self.assertTrue(inherits or "Attributes" in found, f"{name}: found neither Parameters nor Attributes")
                continue
            checked += 1
            with self.subTest(name):
                self.assertEqual(sorted(listed(found.get("Parameters", ""))), sorted(inspect.signature(thing).parameters))
        self.assertGreaterEqual(checked, 40)

    def test_returns(self):
        for name, thing in public().items():
            if inspect.isfunction(thing) or inspect.ismethod(thing):
                self.assertIn("Returns", sections(thing), name)

    def test_attributes(self):
        """What an object holds is listed: all attributes of results, and those that a fit adds to an estimator."""
        for name, thing in public().items():
            if not inspect.isclass(thing) or thing.__module__.startswith("leman.grakel"):
                continue
            made_by_users = set(inspect.signature(thing).parameters)
            held = {word for word in assigned(thing) - made_by_users if not isinstance(inspect.getattr_static(thing, word, None), property)}
            described = {word for base in thing.__mro__ for word in listed(sections(base).get("Attributes", ""))}
            self.assertEqual(held - described - ({"rounds_"} if name == "SumKernel" else set()), set(), name)  # its parts have rounds
            self.assertTrue(described <= assigned(thing) | {"classes_"}, f"{name}: {described - assigned(thing)} are described and never set")

    def test_members(self):
        """A method or property has a docstring, which names every parameter but the graphs and what is learned of them."""
        seen = 0
        for name, thing in public().items():
            for path, member in members(name, thing):
                function = getattr(member, "__func__", getattr(member, "fget", None) or getattr(member, "fn", member))
                text = inspect.getdoc(function) or ""
                self.assertTrue(text, f"{path} has no docstring")
                if inspect.isfunction(function) and not isinstance(member, property):
                    for parameter in list(inspect.signature(function).parameters)[1:]:
                        if parameter not in ("X", "y"):
                            self.assertRegex(text, rf"\b{parameter}\b", path)
                seen += 1
        self.assertGreater(seen, 150)

    def test_exceptions(self):
        for name in leman.__all__:
            thing = getattr(leman, name)
            if inspect.isclass(thing) and issubclass(thing, (Exception, Warning)):
                self.assertIn("__doc__", vars(thing), name)
                self.assertTrue(thing.__doc__, name)


if __name__ == "__main__":
    package.main()
