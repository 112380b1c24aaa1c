"""What the tests of the Python package share: real data sets, modules that are not everywhere, and a main() that says what
was skipped and why: the exit status is 77 then, which ctest lists as skipped."""
import importlib.util
import os
import sys
import unittest
import warnings

import numpy as np

SOURCE = os.environ.get("LEMAN_SOURCE_DIR") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
DATA = os.environ.get("LEMAN_DATA") or os.path.join(SOURCE, "..", "shared", "data")
warnings.simplefilter("error", ResourceWarning)

# random_state=None draws from NumPy's global generator: every test begins with the same one, alone or among others.
_run = unittest.TestCase.run


def _seeded_run(test, result=None):
    np.random.seed(1)
    return _run(test, result)


unittest.TestCase.run = _seeded_run


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
    for test, reason in program.result.skipped:
        print(f"skipped: {test.id()}: {reason}")
    sys.exit(1 if not program.result.wasSuccessful() else 77 if program.result.skipped else 0)
