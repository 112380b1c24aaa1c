"""scripts/docs-pages.py FOLDER PROGRAM: the pages of the site as Markdown, for scripts/docs: README and docs/ as they are, the help of
every command, the public headers, and the Python package from its docstrings."""
import glob
import inspect
import os
import re
import shutil
import subprocess
import sys

import leman
import leman.nn

OUT, PROGRAM = sys.argv[1:3]


def write(name, text):
    path = os.path.join(OUT, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def fixed(text, inside):
    """Links between docs/ and the root as they are on the site; links to sources become plain text."""
    def link(found):
        words, target, mark = found.groups()
        if "://" in target or not target:
            return found.group()
        name = os.path.normpath(os.path.join("docs" if inside else "", target))
        if name == "README.md":
            return f"[{words}](index.md{mark})"
        if name.startswith("docs/") and name.endswith((".md", ".svg")):
            return f"[{words}]({name[5:]}{mark})"
        if re.fullmatch(r"include/(leman/\w+|leman)\.h", name):
            return f"[{words}](c/{os.path.basename(name)[:-2]}.md)"
        return words
    return re.sub(r"\[([^\]]+)\]\(([^)#\s]*)(#[^)\s]*)?\)", lambda m: link(_Groups(m)), text)


class _Groups:
    def __init__(self, match):
        self.match = match

    def group(self):
        return self.match.group()

    def groups(self):
        return self.match.group(1), self.match.group(2), self.match.group(3) or ""


def described(name, thing):
    try:
        signature = str(inspect.signature(thing))
    except (TypeError, ValueError):
        signature = ""
    text = f"## {name}\n\n```python\n{name}{signature}\n```\n\n{inspect.getdoc(thing) or ''}\n\n"
    if inspect.isclass(thing):
        for member, value in sorted(vars(thing).items()):
            function = getattr(value, "__func__", getattr(value, "fget", value))
            if not member.startswith("_") and callable(function) and inspect.getdoc(function):
                kind = "" if isinstance(value, property) else str(inspect.signature(function))
                text += f"**`{member}{kind}`**: {inspect.getdoc(function)}\n\n"
    return text


def main():
    for path in glob.glob("docs/*.md"):
        with open(path, encoding="utf-8") as file:
            write(os.path.basename(path), fixed(file.read(), True))
    shutil.copy("docs/molecules.ipynb", OUT)
    shutil.copytree("docs/pictures", os.path.join(OUT, "pictures"), dirs_exist_ok=True)
    with open("README.md", encoding="utf-8") as file:
        write("index.md", fixed(file.read(), False))
    commands = subprocess.run([PROGRAM, "help", "--list"], capture_output=True, text=True, check=True).stdout.split()
    for command in commands:
        text = subprocess.run([PROGRAM, command, "--help"], capture_output=True, text=True, check=True).stdout
        write(f"commands/{command}.md", f"# leman {command}\n\n```text\n{text}```\n")
    for path in ["include/leman.h", *sorted(glob.glob("include/leman/*.h"))]:
        with open(path, encoding="utf-8") as file:
            write(f"c/{os.path.basename(path)[:-2]}.md", f"# {path[8:]}\n\n```c\n{file.read()}```\n")
    names = [name for name in leman.__all__ if callable(getattr(leman, name))]
    text = f"# The Python package\n\n{inspect.getdoc(leman)}\n\n"
    text += "".join(described(f"leman.{name}", getattr(leman, name)) for name in names)
    text += described("leman.nn.GraphNetwork", leman.nn.GraphNetwork)
    write("api/python.md", text)


if __name__ == "__main__":
    main()
