"""What Sphinx cannot read by itself, as an extension of the site (conf.py): a page for each command, from its man page; a page for
each public header; the programs of examples/; the pages of the repository outside docs/; and links between pages as they are on the site."""
import glob
import os
import re
import subprocess

ROOT, PROGRAM = os.environ["LEMAN_SOURCE_DIR"], os.environ["LEMAN"]
PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "GOVERNANCE.md", "SECURITY.md", "bench/RESULTS.md")
LETTERS = {"-": "-", "(aq": "'", "(ha": "^", "(ti": "~", "(ga": "`", "e": "\\"}  # escapes of roff in man pages of the program
ROFF = re.compile(r"\\(-|\((?:aq|ha|ti|ga)|e)")
SPECIAL = re.compile(r"([\\`*_\[\]<>|#$~{}])")


def place(path):
    """The page of the site for a path of the repository, or None."""
    if path == "docs/gallery":
        return "gallery/index.rst"
    if path.startswith("docs/"):
        return path[5:]
    if path in PAGES:
        return f"project/{os.path.basename(path)}"
    if path == "examples":
        return "integrations.md"
    if os.path.dirname(path) == "examples":
        return f"{path}.md"
    if path in ("include/leman", "include/leman.h"):
        return "reference/c/index.md"
    header = re.fullmatch(r"include/leman/(\w+)\.h", path)
    return f"reference/c/{header[1]}.md" if header else None


def linked(text, path):
    """The text of the page `path` with links to where pages are on the site. Links to sources become plain text."""
    here = os.path.dirname(place(path))

    def link(found):
        words, target, mark = found[1], found[2], found[3] or ""
        if "://" in target or not target:
            return found[0]
        there = place(os.path.normpath(os.path.join(os.path.dirname(path), target)))
        if words == os.path.basename(target) and words.endswith(".md"):
            words = ""  # the title of the page
        return f"[{words}]({os.path.relpath(there, here or '.')}{mark})" if there else words
    return re.sub(r"(?<!`)\[([^\]]+)\]\(([^)#\s]*)(#[^)\s]*)?\)", link, text)


def plain(text):
    """A text in which no character has a meaning of Markdown, but for words in backticks, and options such as --exact, which get them."""
    def marked(part):
        return re.sub(r"(?<![-\w])--[a-z][-a-z0-9]*", r"`\g<0>`", SPECIAL.sub(r"\\\1", part))
    return "".join(part if i % 2 else marked(part) for i, part in enumerate(re.split(r"(`[^`\n]+`)", text)))


def command_page(roff):
    """A man page as `leman help --man` writes it, which has few requests of roff, as Markdown."""
    lines, term, lead = [], False, ""
    for line in roff.splitlines():
        line = re.sub(r"\\f.", "", ROFF.sub(lambda found: LETTERS[found[1]], line))
        request, _, rest = line.partition(" ")
        if request in (".SH", ".SS"):
            lines += ["", "#" * (2 + (request == ".SS")) + " " + rest.capitalize(), ""]
        elif request == ".PP":
            lines.append("")
        elif request == ".TP":
            term = True
        elif term:
            lines += ["", f"`{line}`"]
            term, lead = False, ": "
        elif request not in (".TH", ".BR"):
            lines.append(f"`{line}`" if "## Synopsis" in lines[-2:] else lead + plain(line))
            lead = ""
    return re.sub(r"\n## See also\n*$", "", "\n".join(lines).rstrip()) + "\n"


def commands():
    """(path, text) of the pages of commands."""
    def ask(*words):
        return subprocess.run([PROGRAM, "help", *words], capture_output=True, text=True, check=True).stdout
    rows = []
    for name in ask("--list").split():
        text = command_page(ask("--man", name))
        summary = re.search(r"## Name\n\n.*? - (.*)", text)[1]
        rows.append(f"| [leman {name}]({name}.md) | {summary} |")
        text = re.sub(r"\n## Name\n\n.*\n", f"\n{summary[0].upper()}{summary[1:]}.\n", text, count=1)
        yield f"reference/commands/{name}.md", f"# leman {name}\n{text}"
    about = command_page(ask("--man"))
    about = about[about.index("## Description"):]
    yield "reference/commands/index.md", ("# Commands\n\n| command | what it does |\n|---|---|\n" + "\n".join(rows)
                                          + "\n\n```{toctree}\n:hidden:\n:glob:\n*\n```\n\n" + about)


def comment_text(comment):
    """The words of a comment of C, as Markdown; a comment with lines that are set off stays as it is."""
    body = re.sub(r"^/\*+ ?|\s*\*/$", "", comment)
    lines = [re.sub(r"^ ?\* ?", "", line).rstrip() for line in body.splitlines()]
    if any(line.startswith(("  ", "\t")) for line in lines):
        return "```text\n" + "\n".join(lines).strip("\n") + "\n```"
    return plain("\n".join(lines).strip())


def declarations(code):
    """(comment, declaration) for each declaration of a header, and (None, title) for each of its sections."""
    item = re.compile(r"""/\*\ -+\ (?P<title>[^\n]*?)\ -+\ \*/
        | (?P<comment>/\*.*?\*/)
        | (?P<define>\#define(?:[^\n]*\\\n)*[^\n]*)
        | \#[^\n]*
        | (?P<inline>static\ inline[^{;]*\{.*?\n\})
        | (?P<type>typedef\ (?:struct|enum|union)\ [^;{]*\{.*?\}\ \w+;)
        | (?P<rest>[A-Za-z][^;]*;)""", re.S | re.X)
    comment = ""
    for found in item.finditer(code):
        if found["title"]:
            yield None, found["title"]
            comment = ""
        elif found["comment"]:
            comment = comment if "clang-format" in found["comment"] else found["comment"]
        elif found.lastgroup:
            yield comment, found[found.lastgroup]
            comment = ""


def header_page(path, code):
    """A header as a page: functions are entries of the index, all other declarations are shown as they are written."""
    code = re.sub(r"#ifdef __cplusplus.*?#endif", "", code, flags=re.S)
    opening, _, code = code.partition("*/")
    title, _, about = comment_text(opening.strip() + " */").partition(" - ")
    parts = [f"# {path[8:]}", about[:1].upper() + about[1:] if about else title]
    for comment, what in declarations(re.sub(r"#ifndef \w+_H\n#define \w+_H\n", "", code)):
        text = comment_text(comment) if comment else ""
        function = re.match(r"(?:LEMAN_API|static inline) (.*?\))\s*(?:[;{]|LEMAN_)", what, re.S)
        if comment is None:
            parts.append(f"## {what}")
        elif function:
            parts.append("````{c:function} " + re.sub(r"\s+", " ", function[1]) + f"\n\n{text}\n````")
        elif not text and parts[-1].endswith("\n```"):  # belongs to the declaration above
            parts[-1] = f"{parts[-1][:-3]}{what}\n```"
        else:
            parts.append(f"{text}\n\n```c\n{what}\n```")
    return "\n\n".join(parts) + "\n"


def headers():
    """(path, text) of the pages of headers."""
    rows = []
    for path in sorted(glob.glob(os.path.join(ROOT, "include", "leman", "*.h"))):
        name = os.path.basename(path)[:-2]
        with open(path, encoding="utf-8") as file:
            text = header_page(f"include/leman/{name}.h", file.read())
        rows.append(f"| [leman/{name}.h]({name}.md) | {re.sub(chr(10), ' ', text.split(chr(10) * 2)[1])} |")
        yield f"reference/c/{name}.md", text
    with open(os.path.join(ROOT, "include", "leman.h"), encoding="utf-8") as file:
        about = comment_text(file.read().partition("*/")[0] + "*/")
    yield "reference/c/index.md", ("# The C library, by header\n\n" + about + "\n\n| header | what it has |\n|---|---|\n" + "\n".join(rows)
                                   + "\n\n```{toctree}\n:hidden:\n:glob:\n*\n```\n")


def programs():
    """(path, text) of the pages of the examples, each a program as it stands."""
    for path in sorted(glob.glob(os.path.join(ROOT, "examples", "*.*"))):
        name = os.path.basename(path)
        language = {"py": "python", "sh": "bash", "rs": "rust", "c": "c", "cpp": "cpp"}[name.rpartition(".")[2]]
        with open(path, encoding="utf-8") as file:
            yield f"examples/{name}.md", f"---\norphan: true\n---\n\n# examples/{name}\n\n[All examples](../integrations.md).\n\n```{language}\n{file.read()}```\n"


def outside():
    """(path, text) of the pages that are not in docs/."""
    for path in PAGES:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            yield place(path), linked(file.read(), path)


def write(app):
    for pages in (commands, headers, programs, outside):
        for path, text in pages():
            path = os.path.join(app.srcdir, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)


def read(app, name, source):
    if not name.startswith(("reference/", "project/", "gallery/", "examples/")):
        source[0] = linked(source[0], f"docs/{name}.md")


def docstring(app, what, name, thing, options, lines):
    """A name such as weights_ in a docstring is no reference of reStructuredText."""
    lines[:] = [line if ">>>" in line else re.sub(r"(?<![`\w])(\w+)_(?![`\w])", r"\1\\_", line) for line in lines]


def setup(app):
    app.connect("autodoc-process-docstring", docstring)
    app.connect("builder-inited", write, priority=100)
    app.connect("source-read", read)
    return {"parallel_read_safe": True}
