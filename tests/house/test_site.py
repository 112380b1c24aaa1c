"""The site of `make docs`, without Sphinx: the pages that docs/site_pages.py makes have every function, option and link, and
scripts/docs-versions lists versions."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import test_floors as house

PROGRAM = os.environ["LEMAN"]
sys.path.append(os.path.join(house.ROOT, "docs"))
import site_pages


class Pages(unittest.TestCase):
    def test_every_function_is_an_entry(self):
        pages = dict(site_pages.headers())
        entries = re.findall(r"\{c:function\} .*?\b(leman_\w+)\(", "\n".join(pages.values()))
        self.assertEqual(len(entries), len(set(entries)), "a function is there twice")
        self.assertEqual(house.public_functions() - set(entries), set(), "functions that the reference lacks")

    def test_comments_are_there(self):
        """Each word of the contract of a function is on its page, and none of the marks of Markdown has a meaning."""
        page = dict(site_pages.headers())["reference/c/color.md"]
        self.assertIn("## Colourings", page)
        self.assertIn(r"Returns the only k of an algorithm: 2 for ordered pairs", page)
        self.assertIn(r"colors\[n^k\]", page)
        self.assertNotIn("clang-format", page)

    def test_every_option_is_there(self):
        pages = dict(site_pages.commands())
        names = subprocess.run([PROGRAM, "help", "--list"], capture_output=True, text=True, check=True).stdout.split()
        self.assertEqual(set(pages), {f"reference/commands/{name}.md" for name in [*names, "index"]})
        for name in names:
            shown = subprocess.run([PROGRAM, name, "--help"], capture_output=True, text=True, check=True).stdout
            options = re.findall(r"(?m)^  (?:-\w, |    )(--[a-z0-9-]+)", shown)
            page = pages[f"reference/commands/{name}.md"]
            self.assertEqual([o for o in options if not re.search(rf"(?m)^`[^`\n]*{o}[ \[`=]", page)], [], name)
            self.assertNotRegex(page, r"\\f[BIR]|(?m:^\.[A-Z]{2})|\\\(", f"{name}: requests of roff")

    def test_links_lead_to_pages(self):
        made = {path for pages in (site_pages.commands, site_pages.headers, site_pages.programs, site_pages.outside) for path, _ in pages()}
        pages = made | {path[5:] for path in house.tree() if path.startswith("docs/")} | {"gallery/index.rst"}
        seen = 0
        for path in house.tree():
            if site_pages.place(path) and path.endswith(".md"):
                for target in re.findall(r"(?<!`)\[[^\]]*\]\(([^)#\s:]+)(?:#[^)]*)?\)", site_pages.linked(house.text(path), path)):
                    there = os.path.normpath(os.path.join(os.path.dirname(site_pages.place(path)), target))
                    self.assertIn(there, pages, f"{path} points to {target}")
                    seen += 1
        self.assertGreater(seen, 200)

    def test_every_public_name_is_in_the_reference(self):
        listed = house.text("docs/reference/python/index.rst").split()
        package = house.text("python/leman/__init__.py").partition("__all__ = [")[2]
        names = set(re.findall(r'"([A-Za-z]\w+)"', package)) - {"grakel", "nn"}
        self.assertGreater(len(names), 50)
        self.assertEqual(names - set(listed), set(), "classes and functions that docs/reference/python/index.rst lacks")


class Versions(unittest.TestCase):
    def publish(self, folder, version):
        return subprocess.run([os.path.join(house.ROOT, "scripts", "docs-versions"), os.path.join(folder, "site"), os.path.join(folder, "all"),
                               version, "https://example.org"], capture_output=True, text=True)

    def test_versions(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(os.path.join(folder, "site"))
            os.makedirs(os.path.join(folder, "all"))
            with open(os.path.join(folder, "site", "index.html"), "w", encoding="utf-8") as file:
                file.write("a page")
            for version in ("v0.9.0", "main", "v0.10.0", "v0.9.0"):
                self.assertEqual(self.publish(folder, version).returncode, 0)
            with open(os.path.join(folder, "all", "versions.json"), encoding="utf-8") as file:
                listed = json.load(file)
            self.assertEqual([v["name"] for v in listed], ["v0.10.0", "v0.9.0", "main"])
            self.assertEqual([v for v in listed if v.get("preferred")], listed[:1])
            for wrong in ("../up", "a/b", "", ".git"):
                done = self.publish(folder, wrong)
                self.assertNotEqual(done.returncode, 0, wrong)
                self.assertIn("expected", done.stderr)


if __name__ == "__main__":
    unittest.main()
