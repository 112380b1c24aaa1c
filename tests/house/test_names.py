"""Names: one name for one thing, enum values that carry their type, a program that uses the public headers, and a test
of bad arguments for every public function."""
import collections
import os
import re
import unittest

import test_floors as house

BASE_ONLY = re.compile(r"leman\.h$|leman/|cli/|base/")


def code(path):
    return re.sub(r"/\*.*?\*/", "", house.text(path), flags=re.S)


def public_headers():
    return [p for p in house.tree() if p.startswith("include/")]


class Names(unittest.TestCase):
    def test_every_text_is_used(self):
        """cmake/help.cmake makes HELP_PAGE_NAME from the texts of options and of the demonstration."""
        used = set(re.findall(r"\bHELP_\w+", "\n".join(code(p) for p in house.sources() if p.startswith("src/cli/"))))
        made = {f"HELP_{os.path.basename(p)[:-4]}_{name.replace('-', '_')}".upper()
                for p in house.tree() if re.match(r"src/cli/(help/options/\w+|demo)\.txt$", p)
                for name in re.findall(r"(?m)^([A-Za-z0-9-]+):", house.text(p))}
        self.assertGreater(len(made), 100)
        self.assertEqual(made - used, set(), "texts that no option has")

    def test_one_name_one_thing(self):
        """Types, and functions and variables that cross files, by the places that define them. The files of src/base/system/, of which one
        is compiled, are one place."""
        places = collections.defaultdict(set)
        for path in house.sources():
            text = code(path)
            for name in re.findall(r"\}\s*(lm_\w+|leman_\w+);", text):
                places[name].add(path)
            for name in re.findall(r"typedef struct \w+ (\w+);", text):
                places[name].add(path)
            for name in re.findall(r"typedef [^;{}]*?\b(lm_\w+)\([^;{}]*\);", text):
                places[name].add(path)
            for name in re.findall(r"(?m)^static inline [^;{=]*?\b(lm_\w+)\(", text):
                places[name].add(path)
            if path.endswith(".c"):
                for name in re.findall(r"(?m)^(?!static)[a-z][^;{=()]*?\b(lm_\w+|leman_\w+)\([^;{}]*\)\n\{", text):
                    places[name].add(path)
        self.assertGreater(len(places), 300)
        twice = {n: sorted(p) for n, p in places.items() if len({re.sub(r"/system/\w+$", "/system", os.path.splitext(q)[0]) for q in p}) > 1}
        self.assertEqual(twice, {}, "one name, two things")

    def test_enum_values_carry_their_type(self):
        found = 0
        for path in public_headers():
            for name, body in re.findall(r"typedef enum (\w+) \{(.*?)\}", code(path), re.S):
                if name == "leman_status":  # LEMAN_OK, LEMAN_ERROR_...
                    continue
                for value in re.findall(r"\b([A-Z]\w+)\b(?!\()", body):  # of a list of rows, the macro that names its values
                    found += 1
                    self.assertTrue(value.startswith(name.upper() + "_"), f"{path}: {value} is a value of {name}")
        self.assertGreater(found, 30)

    def test_program_uses_the_public_headers(self):
        for path in house.tree():
            if re.match(r"src/cli/.*\.[ch]$", path):
                for included in re.findall(r'^\s*#\s*include\s+"([^"]+)"', house.text(path), re.M):
                    self.assertTrue(BASE_ONLY.match(included), f"{path} includes {included}: make it public")

    def test_every_public_function_is_tried_with_bad_arguments(self):
        tried = "\n".join(house.text(p) for p in house.tree() if p.startswith("tests/api/"))
        for name in re.findall(r"\bCHECK_NAMES\(ctx, (leman_\w+)", tried):  # a macro that calls both
            tried += f" {name}_name {name}_parse"
        missing = [n for n in sorted(house.public_functions()) if not re.search(rf"\b{n}\b", tried)]
        self.assertEqual(missing, [], "no test in tests/api/ calls these")

    def test_folders_can_be_overseen(self):
        files = collections.Counter(os.path.dirname(p) for p in house.tree() if p.startswith("src/"))
        for folder, count in files.items():
            self.assertLessEqual(count, 50, f"{folder} holds {count} files")

    def test_operations_of_networks(self):
        """Every operation has a row on the page and, unless it is a loss or differs in training, a function in PyTorch."""
        listed = set(re.findall(r"    X\([A-Z0-9_]+, ([a-z0-9_]+),", house.text("src/nn/operation_list.h")))
        page = house.text("docs/networks.md")
        table = page[page.index("| operation | forward |"):].split("\n\n")[0]
        on_page = {name for row in table.splitlines()[2:] for name in row.split("|")[1].strip().split(", ")}
        self.assertEqual(on_page, listed)
        in_python = house.text("python/leman/nn/_operations.py")
        known = set(re.findall(r"^def ([a-z]\w*)\(step", in_python, re.M)) | {"dropout", "norm"}
        known |= set(re.search(r"LOSSES = \((.*?)\)", in_python)[1].replace('"', "").split(", "))
        self.assertEqual(known, listed)


if __name__ == "__main__":
    unittest.main()
