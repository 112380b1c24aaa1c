"""The declarations that python/declarations.py writes agree with C: every public prototype is bound and exported, and a
compiler has every struct in the same size, with every member in the same place."""
import ctypes
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import package
import leman
from leman import _declarations as c
from leman import _library


def headers():
    """Without leman/mpi.h, which is for C programs that use MPI themselves and no part of the library."""
    texts = []
    for folder, _, files in os.walk(os.path.join(package.SOURCE, "include")):
        for name in files:
            if name == "mpi.h":
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                texts.append(file.read())
    return re.sub(r"/\*.*?\*/", "", "\n".join(texts), flags=re.S)


class Bindings(unittest.TestCase):
    def test_every_public_prototype_is_bound(self):
        declared = set(re.findall(r"LEMAN_API[^;]*?\b(leman_\w+)\(", headers()))
        self.assertGreater(len(declared), 150)
        self.assertEqual(declared, set(c.PROTOTYPES))
        for name in declared:
            self.assertIsNotNone(getattr(_library.lib, name).argtypes, name)

    def test_number_of_arguments(self):
        """Counted in another way than the generator does it."""
        for text in re.findall(r"LEMAN_API ([^;{]*\));", headers()):
            name, arguments = re.search(r"\b(leman_\w+)\((.*)\)", text, re.S).groups()
            count = 0 if arguments.strip() == "void" else arguments.count(",") + 1
            self.assertEqual(len(c.PROTOTYPES[name][1]), count, name)

    def test_structs_agree_with_c(self):
        compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        if not compiler:
            self.skipTest("there is no C compiler")
        structs = re.findall(r"typedef struct (\w+) \{", headers())
        self.assertEqual(sorted(structs), sorted(c.STRUCTS))
        lines = []
        for name, struct in c.STRUCTS.items():
            lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
            lines += [f'printf("{name}.{field[0]} %zu\\n", offsetof({name}, {field[0]}));' for field in struct._fields_]
        constants = [n for n in vars(c) if n.startswith("LEMAN_") and isinstance(getattr(c, n), int)]
        lines += [f'printf("{n} %lld\\n", (long long)({n}));' for n in constants]
        with tempfile.TemporaryDirectory() as folder:
            source, program = os.path.join(folder, "sizes.c"), os.path.join(folder, "sizes")
            with open(source, "w") as file:
                file.write("#include <leman.h>\n#include <stdio.h>\nint main(void) {\n" + "\n".join(lines) + "\nreturn 0; }\n")
            subprocess.run([compiler, "-I", os.path.join(package.SOURCE, "include"), source, "-o", program, "-w"], check=True)
            output = subprocess.run([program], capture_output=True, text=True, check=True).stdout
        for line in output.splitlines():
            what, number = line.split()
            name, _, member = what.partition(".")
            if name in c.STRUCTS:
                struct = c.STRUCTS[name]
                found = getattr(struct, member).offset if member else ctypes.sizeof(struct)
                self.assertEqual(found, int(number), what)
            else:
                self.assertEqual(getattr(c, name) % 2**64, int(number) % 2**64, what)

    def test_version(self):
        self.assertEqual(leman.__version__, f"{c.LEMAN_VERSION_MAJOR}.{c.LEMAN_VERSION_MINOR}.{c.LEMAN_VERSION_PATCH}")

    @package.needs("mypy")
    def test_types(self):
        """mypy --strict on the package as it is imported."""
        folder = os.path.dirname(os.path.dirname(os.path.abspath(leman.__file__)))
        config = os.path.join(package.SOURCE, "pyproject.toml")
        import sys
        cache = os.path.join(folder, "mypy-cache")
        result = subprocess.run([sys.executable, "-m", "mypy", "--config-file", config, "--cache-dir", cache, "-p", "leman"],
                                cwd=folder, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


if __name__ == "__main__":
    package.main()
