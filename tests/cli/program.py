"""What the tests of the program share: running it, scratch folders, TU folders, and the line of totals at the end."""
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

LEMAN = os.environ.get("LEMAN") or os.path.join(os.path.dirname(__file__), "..", "..", "build", "leman")
LEMAN = os.path.abspath(LEMAN)
SOURCE = os.environ.get("LEMAN_SOURCE_DIR") or os.path.join(os.path.dirname(__file__), "..", "..")
DATA = os.environ.get("LEMAN_DATA") or os.path.join(SOURCE, "..", "shared", "data")

# An emulator of another architecture, or valgrind, takes several times as long: no test fails for that.
PATIENCE = int(os.environ.get("LEMAN_TEST_PATIENCE", 1))

# Under AddressSanitizer looking for leaks takes seconds at every exit: only the first example of each help does it.
os.environ.setdefault("ASAN_OPTIONS", "detect_leaks=0")


def leman(*arguments, **options):
    """Runs the program; standard output and error are text unless text=False."""
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    options.setdefault("text", True)
    options["timeout"] = PATIENCE * options.get("timeout", 60)
    if "input" not in options:
        options.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run([LEMAN, *arguments], **options)


def holds(*words):
    """Does the program's file hold one of these? What it was linked with leaves its name there."""
    with open(LEMAN, "rb") as file:
        content = file.read()
    return any(word.encode() in content for word in words)


def little_memory():
    """A budget that leaves a command a few MiB beside the program itself, which a sanitizer makes larger."""
    return "40M" if holds("__asan_init") else "16M"


def needs(what):
    """Marks a test or a class that needs what not every machine has: "data", "browser", "python" (with modules of others)
    or "command". ctest runs those of each kind apart (CMakeLists.txt), so that its summary lists what was skipped."""
    def mark(test):
        test.needs = what
        return test
    return mark


def commands():
    return leman("help", "--list").stdout.split()


def pythons():
    """Where modules are looked for: the environments of scripts/python-environment, beside the program or in the folder of
    `make test`, then the computer's own Python."""
    builds = (os.path.dirname(LEMAN), os.path.join(SOURCE, "build"))
    places = [os.path.join(build, venv, "bin", "python") for build in builds for venv in ("venv", "venv-torch")]
    return list(filter(os.path.exists, [*places, shutil.which("python3") or "", "/usr/bin/python3"]))


@functools.lru_cache(maxsize=None)
def imports(python, modules):
    """Has this Python the modules?"""
    return subprocess.run([python, "-c", f"import {', '.join(modules)}"], capture_output=True).returncode == 0


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="leman-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, content):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return path

    def tu(self, name, **files):
        """A TU folder: tu("X", A="1, 2\\n", graph_indicator="1\\n1\\n")."""
        shutil.rmtree(self.path(name), ignore_errors=True)
        os.makedirs(self.path(name))
        for what, content in files.items():
            self.write(f"{name}/{name}_{what}.txt", content)
        return self.path(name)

    def succeeds(self, *arguments, **options):
        result = leman(*arguments, **options)
        self.assertEqual(result.returncode, 0, f"{arguments}: {result.stderr}")
        return result

    def json(self, *arguments, **options):
        return json.loads(self.succeeds(*arguments, "--json", **options).stdout)

    def fails(self, *arguments, words=(), **options):
        """Exit 1, nothing on standard output, one sentence that holds the words."""
        result = leman(*arguments, **options)
        self.assertEqual(result.returncode, 1, f"{arguments}: {result.stderr}")
        self.assertFalse(result.stdout)
        self.assertRegex(result.stderr, r"\Aleman: [^\n]+\n\Z")
        for word in words:
            self.assertIn(word, result.stderr)
        return result.stderr

    def wrong(self, *arguments, words=()):
        """Exit 2, nothing on standard output, one sentence and where to read more."""
        result = leman(*arguments)
        self.assertEqual(result.returncode, 2, f"{arguments}: {result.stdout} {result.stderr}")
        self.assertEqual(result.stdout, "")
        self.assertRegex(result.stderr, r"\Aleman: [^\n]+\nTry 'leman( [a-z]+)? --help'\.\n\Z")
        for word in words:
            self.assertIn(word, result.stderr)
        return result.stderr

    def data_set(self, name):
        """The path of NAME.zip among the real data sets; where that file is missing the test is skipped."""
        path = os.path.join(DATA, f"{name}.zip")
        if not os.path.exists(path):
            self.skipTest(f"the data set {name}.zip is not here")
        return path

    def python_with(self, *modules):
        """A Python that has the modules, or the test is skipped."""
        for python in pythons():
            if imports(python, modules):
                return python
        self.skipTest(f"no Python with {' and '.join(modules)} here")

    def command(self, *names):
        """The path of the first of these programs that is installed, or the test is skipped."""
        found = next(filter(None, map(shutil.which, names)), None)
        if not found:
            self.skipTest(f"{' or '.join(names)} is not installed")
        return found

    def left_over(self):
        """Temporary files that somebody forgot."""
        return [name for _, folders, files in os.walk(self.folder) for name in folders + files if ".tmp" in name]


def plain(text):
    return re.sub(r"\s+", " ", text)


def every_test(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from every_test(test)
        else:
            yield test


def need_of(test):
    return getattr(getattr(test, test._testMethodName), "needs", getattr(test, "needs", "nothing"))


def main():
    """SCRIPT [NEED]: all tests, or those that need "nothing", "data", ... Exit status 1 when one failed, otherwise 77 when
    one was skipped, which ctest lists as skipped."""
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    if len(sys.argv) > 1:
        everything = list(every_test(suite))
        suite = unittest.TestSuite(test for test in everything if need_of(test) == sys.argv[1])
        if everything and sys.argv[1] == "nothing" and not suite.countTestCases():
            print("every test of this file needs something, and is a test of its own")
            sys.exit(0)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(suite)
    failed = len(result.failures) + len(result.errors)
    for test, why in result.skipped:
        print(f"skipped: {test.id()}: {why}")
    print(f"{result.testsRun} run, {len(result.skipped)} skipped, {failed} failed")
    sys.exit(1 if failed or not result.testsRun else 77 if result.skipped else 0)
