"""scripts/mutate itself: what it changes, what it leaves alone, and that its list of equivalent mutants names lines
that exist."""
import importlib.machinery
import importlib.util
import os
import re
import sys
import unittest

ROOT = os.environ.get("LEMAN_SOURCE_DIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("mutate", os.path.join(ROOT, "scripts", "mutate"))
mutate = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutate", loader))
loader.exec_module(mutate)

CODE = """/* a < b and c + 1 */
#define TWICE(x) (2 * (x))
static const int LIMIT = 7;

static int sum(int a,
               int b)
{
    enum { MANY = 9 };
    int c = a + 1;
    if (a < b && c != 3) return 0;
    lm_log("%d < 5", c - 1);
    c = b;
    return c;
}
"""


def mutated(code):
    """The line that each mutant makes, by operator."""
    found = {}
    for operator, first, end, new in mutate.changes(mutate.visible(code)):
        after = code[:first] + new.replace("{}", code[first:end]) + code[end:]
        line = next(b for a, b in zip(code.splitlines(), after.splitlines()) if a != b)
        found.setdefault(operator, set()).add(line.strip())
    return found


class Mutants(unittest.TestCase):
    def test_what_is_changed_and_what_is_left(self):
        self.assertEqual(mutated(CODE), {
            "boundary": {"if (a <= b && c != 3) return 0;"},
            "equality": {"if (a < b && c == 3) return 0;"},
            "logic": {"if (a < b || c != 3) return 0;"},
            "negation": {"if (!(a < b && c != 3)) return 0;"},
            "arithmetic": {"int c = a - 1;"},
            "constant": {"int c = a + 2;", "if (a < b && c != 4) return 0;", "if (a < b && c != 3) return 1;"},
            "statement": {";"},
            "exit": {"if (a < b && c != 3) ;"}})

    def test_the_seed_decides(self):
        for folder in mutate.FOLDERS:
            one, same, other = (list(map(mutate.key, mutate.choose(ROOT, folder, 20, seed))) for seed in "112")
            self.assertEqual(one, same)
            self.assertNotEqual(one, other)
            self.assertEqual(len(one), 20)
            self.assertGreater(len({file for file, _, _ in one}), 4)

    def test_equivalent_mutants_exist(self):
        listed = mutate.equivalents()
        with open(os.path.join(ROOT, "scripts", "mutants-equivalent"), encoding="utf-8") as file:
            self.assertEqual(len(re.findall(r"^- ", file.read(), re.M)), len(listed), "a block that cannot be read")
        for path in {file for file, _, _ in listed}:
            known = set(map(mutate.key, mutate.mutants_of(ROOT, path)))
            self.assertEqual({m for m in listed if m[0] == path} - known, set(), "lines that have changed or are gone")


if __name__ == "__main__":
    unittest.main()
