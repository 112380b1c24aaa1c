"""The examples of the README and of other pages are what the program prints: every command of a console block is run, in
order, in a scratch folder, and its output compared with the lines below it. The help and the man pages say what exists; the pages may not claim more."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.environ["LEMAN_SOURCE_DIR"]
PROGRAM = os.environ["LEMAN"]


PAGES = {"README.md": 2, "docs/start.md": 12, "docs/colourings.md": 5}  # and the least number of commands


def readme(page="README.md"):
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        return file.read()


def examples(page):
    """(command, promised output) pairs of all console blocks."""
    for block in re.findall(r"```console\n(.*?)```", readme(page), re.S):
        for step in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = step.partition("\n")
            yield command, output


class Readme(unittest.TestCase):
    def test_examples(self):
        for page, least in PAGES.items():
            self.walk(page, least)

    def walk(self, page, least):
        scratch = tempfile.mkdtemp(prefix="leman-readme-")
        self.addCleanup(shutil.rmtree, scratch)
        environment = {**os.environ, "PATH": os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"]}
        steps = list(examples(page))
        self.assertGreaterEqual(len(steps), least)
        for command, promised in steps:
            done = subprocess.run(["sh", "-c", command], cwd=scratch, env=environment, text=True, timeout=60,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(done.stdout, promised, f"{page} says otherwise about: {command}")

    def test_shell_blocks(self):
        """Commands whose output the page does not show succeed too, in the order of the page, but for those that take minutes or need the network or files of the
        reader (molecules.csv)."""
        left_out = re.compile(r"^(make|python3 -m)|leman (train|compare|download)|\bnet\.lmn|molecules\.csv|--model model\.lm")
        for page in ("README.md", "docs/start.md"):
            scratch = tempfile.mkdtemp(prefix="leman-readme-")
            self.addCleanup(shutil.rmtree, scratch)
            environment = {**os.environ, "PATH": os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"]}
            ran = 0
            for kind, block in re.findall(r"```(sh|console)\n(.*?)```", readme(page), re.S):
                lines = re.findall(r"(?m)^\$ (.*)$", block) if kind == "console" else [line for line in block.splitlines() if line and not left_out.search(line)]
                for command in lines:
                    done = subprocess.run(["sh", "-c", command], cwd=scratch, env=environment, text=True, timeout=300, capture_output=True)
                    if kind == "sh":
                        self.assertEqual(done.returncode, 0, f"{page}: {command}\n{done.stderr}")
                        ran += 1
            self.assertGreaterEqual(ran, 3, page)

    def test_commands_for_a_chemist(self):
        """The tutorial's, with a table such as it describes."""
        scratch = tempfile.mkdtemp(prefix="leman-readme-")
        self.addCleanup(shutil.rmtree, scratch)
        with open(os.path.join(scratch, "molecules.csv"), "w", encoding="ascii") as file:
            file.write("smiles,pIC50\n" + "".join(f"{'C' * n}{end},{n / 2 + bonus}\n" for n in range(1, 11) for end, bonus in (("O", 1), ("N", 0), ("c1ccccc1", 2))))
        with open(os.path.join(scratch, "new.smi"), "w", encoding="ascii") as file:
            file.write("CCCCCCCO\nNCCC\n")
        block = re.search(r"```sh\n(.*?)```", readme("docs/tutorials/chemist.md"), re.S).group(1)
        for command in block.splitlines():
            done = subprocess.run([PROGRAM, *command.split()[1:]], cwd=scratch, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, command + done.stderr)
        heads = []
        for name in ("values.csv", "intervals.csv"):
            with open(os.path.join(scratch, name), encoding="utf-8") as file:
                heads.append(file.readline().strip().split(","))
        self.assertIn("std", heads[0])
        self.assertTrue({"low", "high"} <= set(heads[1]), heads[1])
        self.assertGreater(os.path.getsize(os.path.join(scratch, "atoms.html")), 1000)

    def test_two_commands_stand_first(self):
        first = re.search(r"```sh\n(.*?)```", readme(), re.S).group(1)
        self.assertEqual([line.split("#")[0].strip() for line in first.splitlines()], ["make demo", "make test"])

    def test_three_commands_of_the_site(self):
        """The landing page's: make demo, and two that run in an empty folder, the second on the file of the first."""
        first = re.search(r"```sh\n(.*?)```", readme("docs/index.md"), re.S).group(1)
        commands = [line.split("#")[0].strip() for line in first.splitlines()]
        self.assertEqual((commands[0], len(commands)), ("make demo", 3))
        scratch = tempfile.mkdtemp(prefix="leman-site-")
        self.addCleanup(shutil.rmtree, scratch)
        for command in commands[1:]:
            done = subprocess.run([PROGRAM, *command.removeprefix("build/leman ").split()], cwd=scratch, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, command + done.stderr)
        self.assertRegex(done.stdout, r"delta-k-LWL +- +1")

    def test_commands_that_are_named_exist(self):
        listed = subprocess.run([PROGRAM, "help", "--list"], capture_output=True, text=True, check=True).stdout.split()
        for page in PAGES:
            for name in re.findall(r"^(?:\$ )?leman (\w+)", readme(page), re.M):
                self.assertIn(name, listed)


class Integrations(unittest.TestCase):
    """docs/integrations.md shows every program of examples/, in its words, and names a test that runs it."""

    def test_every_program_has_a_row(self):
        """And the section that the row leads to names the test that runs the program."""
        page = readme("docs/integrations.md")
        sections = {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-"): text for title, text in re.findall(r"(?ms)^## ([^\n]*)\n(.*?)(?=^## |\Z)", page)}
        listed = {}
        for mark, row in re.findall(r"(?m)^\| \[[^]]*\]\(#([^)]*)\)(.*)$", page):
            listed.update((name, mark) for name in re.findall(r"\(\.\./examples/([^)]+)\)", row))
        self.assertEqual(set(listed), set(os.listdir(os.path.join(ROOT, "examples"))) - {"__pycache__"})
        for name, mark in listed.items():
            tests = re.findall(r"`(tests/[^`]+)`", sections[mark])
            self.assertTrue(any(re.search(rf"\b{name.partition('.')[0]}\b", readme(test)) for test in tests), f"none of {tests} runs {name}")

    def test_blocks_are_parts_of_programs(self):
        folder = os.path.join(ROOT, "examples")
        programs = [readme(f"examples/{name}") for name in os.listdir(folder) if "." in name]
        programs += [re.sub(r"(?m)^ {4}", "", text) for text in programs]  # what stands in a function
        seen = 0
        for block in re.findall(r"```(?:python|cpp|sh)\n(.*?)```", readme("docs/integrations.md"), re.S):
            for part in re.split(r"\n\n(?=def |class )", block.strip()):
                if not part.startswith(("examples/", "rustc")):
                    self.assertTrue(any(part in text for text in programs), part)
                    seen += 1
        self.assertGreater(seen, 8)


if __name__ == "__main__":
    unittest.main()
