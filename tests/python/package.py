"""What the tests of the Python package share: real data sets, modules that are not everywhere, and a main() that says what
was skipped and why."""
import importlib.util
import os
import sys
import unittest
import warnings

SOURCE = os.environ.get("LEMAN_SOURCE_DIR") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
DATA = os.environ.get("LEMAN_DATA") or os.path.join(SOURCE, "..", "shared", "data")
warnings.simplefilter("error", ResourceWarning)


def needs(*modules):
    """Marks tests that need modules which not every environment has."""
    missing = [m for m in modules if importlib.util.find_spec(m) is None]
    return unittest.skipIf(missing, f"the Python package {', '.join(missing)} is not installed")


def data_set(name):
    import leman
    path = os.path.join(DATA, f"{name}.zip")
    if not os.path.exists(path):
        raise unittest.SkipTest(f"the data set {name}.zip is not here")
    return leman.Dataset.read(path)


def main():
    program = unittest.main(module="__main__", exit=False, verbosity=1)
    for _, reason in sorted(set((t.id().split(".")[-1], r) for t, r in program.result.skipped), key=lambda p: p[1]):
        print(f"skipped: {reason}")
    sys.exit(0 if program.result.wasSuccessful() else 1)
