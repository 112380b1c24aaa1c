#!/usr/bin/env python3
"""The command line: options in every spelling, wrong ones, help whose examples run, man pages, completion."""
import os
import re
import shutil
import subprocess

import program
from program import LEMAN, Case, commands, leman, plain

GRAPH = {"A": "1, 2\n2, 1\n2, 3\n3, 2\n", "graph_indicator": "1\n1\n1\n", "node_labels": "1\n2\n1\n"}


class Options(Case):
    def setUp(self):
        super().setUp()
        self.data = self.tu("P", **GRAPH)

    def test_every_spelling_of_a_value(self):
        reference = self.succeeds("info", "--memory=1G", self.data).stdout
        for spelling in (["-t", "2"], ["-t2"], ["--threads", "2"], ["--threads=2"], ["-qt2"], ["-q", "-t", "2"]):
            self.assertEqual(self.succeeds("info", *spelling, "--memory", "1G", self.data).stdout, reference)
            self.assertEqual(self.succeeds("info", self.data, "--memory=1G", *spelling).stdout, reference)

    def test_two_dashes_end_options(self):
        os.rename(self.data, self.path("--json"))
        for suffix in ("A", "graph_indicator", "node_labels"):
            os.rename(self.path("--json", f"P_{suffix}.txt"), self.path("--json", f"--json_{suffix}.txt"))
        result = self.succeeds("info", "--", "--json", cwd=self.folder)
        self.assertIn("graphs", result.stdout)
        self.assertNotIn("{", result.stdout)

    def test_dash_is_standard_input(self):
        self.succeeds("convert", self.data, self.path("p.leman"))
        with open(self.path("p.leman"), "rb") as file:
            self.assertEqual(self.json("info", "-", stdin=file)["vertices"], 3)
        self.assertEqual(self.json("info", "-", "--from", "graph6", input="Bw\n")["edges"], 3)

    def test_wrong_options(self):
        for arguments, words in (
            (["--nonsense"], ["'--nonsense'"]),
            (["--thread", "2"], ["'--thread'", "did you mean '--threads'"]),
            (["-z"], ["'-z'"]),
            (["-t"], ["'-t'", "needs a value"]),
            (["-t", "0"], ["'0'", "from 1 to 4096"]),
            (["-t", "two"], ["'two'", "whole number"]),
            (["-t", "2x"], ["'2x'"]),
            (["-t", "99999999999999999999999"], ["from 1 to 4096"]),
            (["--seed", "-1"], ["'-1'"]),
            (["--seed", "18446744073709551616"], ["whole number"]),
            (["--seed", ""], ["''"]),
            (["--memory", "2X"], ["'2X'", "512M"]),
            (["--memory", "-1"], ["'-1'"]),
            (["--memory", "0"], ["'0'"]),
            (["--memory", "99999999T"], ["size in bytes"]),
            (["--json=yes"], ["'--json'", "no value"]),
            (["--from", "excel"], ["'excel'", "graph6"]),
            (["--policy", "nothing"], ["'nothing'"]),
            (["--policy", "self-loops=frobnicate"], ["frobnicate"]),
            (["another"], ["'another'"]),
        ):
            self.wrong("info", self.data, *arguments, words=words)
        self.wrong("info", words=["DATA is missing"])
        self.wrong("convert", words=["IN is missing"])
        self.wrong("convert", self.data, words=["OUT is missing"])
        self.wrong("demo", "something", words=["'something'"])

    def test_good_options(self):
        for arguments in (["--seed", "18446744073709551615"], ["--memory", "1.5G"], ["--memory", "65536KiB"],
                          ["--memory=3000MB"], ["--policy", "self-loops=keep,repeated-edges=refuse"],
                          ["--from", "tu"], ["--directed"]):
            self.succeeds("info", self.data, *arguments)

    def test_memory_is_in_powers_of_1024(self):
        self.assertIn("the memory budget of 20.0 MiB", self.succeeds("info", self.data, "--memory", "20971520").stdout)
        self.wrong("info", self.data, "--memory", "1024", words=["1024", "at least 16.0 MiB"])
        self.assertIn("the memory budget of 3.0 GiB", self.succeeds("info", self.data, "--memory", "3G").stdout)

    def test_output_file(self):
        result = self.succeeds("info", self.data, "--memory=1G", "-o", self.path("out.txt"))
        self.assertEqual(result.stdout, "")
        with open(self.path("out.txt")) as file:
            self.assertEqual(file.read(), self.succeeds("info", self.data, "--memory=1G").stdout)

    def test_an_option_without_a_long_form(self):
        self.wrong("colors", self.data, "--k", "2", words=["'--k'", "did you mean '-k'?"])

    def test_unknown_commands(self):
        self.wrong("inof", words=["'inof'", "did you mean 'info'?"])
        self.wrong("convret", words=["'convert'"])
        self.wrong("reproduce", "--table", "times", words=["'reproduce'", "make reproduce", "reproduce/"])
        self.wrong("x\x1b[31m\ny", words=["'x?[31m?y'"])
        self.wrong("--nonsense", words=["'--nonsense'"])
        self.wrong("help", "inof", words=["'info'"])
        alone = leman()
        self.assertEqual((alone.returncode, alone.stdout), (2, ""))
        for command in commands():
            self.assertIn(command, alone.stderr)


class Help(Case):
    def test_version(self):
        with open(os.path.join(program.SOURCE, "include", "leman", "base.h")) as file:
            numbers = re.findall(r"#define LEMAN_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", file.read())
        version, cuda, mpi = self.succeeds("--version").stdout.splitlines()
        self.assertEqual(version, f"leman {'.'.join(numbers)}")
        self.assertRegex(cuda, r"^CUDA: (not built in|\d+\.\d+)$")
        self.assertRegex(mpi, r"^MPI: (not built in|Open MPI|MPICH|Open MPI, MPICH)$")

    def test_program(self):
        text = self.succeeds("--help").stdout
        self.assertEqual(text, self.succeeds("help").stdout)
        self.assertEqual(text, self.succeeds("-h").stdout)
        for command in commands():
            self.assertRegex(text, rf"(?m)^  {command} +\w")

    def test_each_command(self):
        program = self.succeeds("help").stdout
        for command in commands():
            text = self.succeeds(command, "--help").stdout
            summary = re.search(rf"(?m)^  {command} +(.+)", program).group(1)
            self.assertTrue(text.splitlines()[2].startswith(summary[0].upper() + summary[1:]), text)
            self.assertEqual(text, self.succeeds("help", command).stdout)
            self.assertEqual(text, self.succeeds(command, "-h", "--nonsense").stdout)
            self.assertTrue(text.startswith(f"Usage: leman {command} "))
            self.assertTrue(all(len(line) < 80 for line in text.splitlines()), text)
            self.assertGreaterEqual(len(self.examples(text)), 2)

    def test_numbers_count_from_0(self):
        """docs/data.md: one base for graphs, columns, pairs and folds, said wherever a number is asked for."""
        for command in commands():
            shown = " ".join(self.succeeds("help", command).stdout.split())
            self.assertNotRegex(shown, r"(count(s|ed)?|numbers?|graphs?|columns?),? from 1\b", command)
        for command, option in (("convert", "--graphs"), ("colors", "--graph"), ("train", "--train"),
                                ("train", "--coordinates"), ("evaluate", "--target"), ("fit", "--target"),
                                ("train", "--target"), ("compare", "--target")):
            shown = self.succeeds("help", command).stdout
            text = re.search(rf"(?ms)^ +(?:-\w, )?{option}s? .*?(?=^ +-|^$)", shown).group()
            self.assertRegex(" ".join(text.split()), r"from 0|is 0", (command, option))

    def test_standard_output_is_checked(self):
        with open("/dev/full", "w") as full:
            for arguments in (["--version"], ["--help"], ["info", "--help"], ["help", "--man"], ["demo"]):
                result = leman(*arguments, stdout=full)
                self.assertEqual(result.returncode, 1)
                self.assertIn("standard output: cannot be written", result.stderr)

    @staticmethod
    def examples(text):
        return re.findall(r"(?m)^  (leman .*)$", "".join(re.findall(r"(?s)xamples:\n.*?\n\n", text)))

    def test_opens_with_examples_and_common_options(self):
        """Usage, a sentence, two examples, at most five options; then everything else, each option once."""
        for command in commands():
            text = self.succeeds("help", command).stdout
            self.assertRegex(text, r"\AUsage: leman [^\n]+\n\n[A-Z][^\n]+\n(?:[^\n]+\n)*\nExamples:\n  leman ", command)
            if command not in ("help", "demo"):
                common = re.search(r"(?s)\nCommon options:\n(.*?)\n\n", text).group(1)
                self.assertLess(text.index("Common options:"), 1500)
                self.assertIn(len(re.findall(r"(?m)^  (?:-\w|    --\w)", common)), (3, 4, 5), command)
            names = re.findall(r"(?m)^  (?:-\w, |    )(--[\w-]+)", text)
            self.assertEqual(len(names), len(set(names)), command)

    def test_program_is_described(self):
        """What holds for all commands stands in the help of the program, and on its man page."""
        text, page = plain(self.succeeds("--help").stdout), plain(self.succeeds("help", "--man").stdout.replace("\\-", "-"))
        for words in ("delta-2-LWL", "GIN-eps", "graph6", "LEMAN_CACHE", "counts from 0", "--threads", "A+B"):
            self.assertIn(words, text)
            self.assertIn(words, page)

    def run_examples(self, wanted):
        """Each in a folder that has the data sets of the examples, and a cache."""
        environment = dict(os.environ, PATH=os.path.dirname(LEMAN) + ":" + os.environ["PATH"],
                           LEMAN_CACHE=self.path("cache"))
        os.makedirs(self.path("cache"), exist_ok=True)
        for name in "MUTAG.zip", "train.zip", "test.zip":
            self.succeeds("generate", "molecules", "--graphs", "20", "-o", self.path(name))
        self.succeeds("fit", self.path("MUTAG.zip"), "-r", "0", "--folds", "2", "-o", self.path("local.model"), "-q")
        os.mkdir(self.path("sets"))
        shutil.copy(self.path("MUTAG.zip"), self.path("sets", "PTC_FM.zip"))
        run = 0
        for command in [None] + commands():
            text = self.succeeds(*([command] if command else []), "--help").stdout
            for number, line in enumerate(self.examples(text)):
                environment["ASAN_OPTIONS"] = f"detect_leaks={int(number == 0)}"
                if wanted(line):
                    result = subprocess.run(["bash", "-c", line], cwd=self.folder, env=environment, capture_output=True,
                                            text=True, timeout=60)
                    self.assertEqual(result.returncode, 0, f"{line}: {result.stderr}")
                    run += 1
        return run

    def test_examples_run(self):
        self.assertGreater(self.run_examples(lambda line: "download" not in line), 20)

    @program.needs("data")
    def test_examples_of_downloads_run(self):
        """From a cache that has the real MUTAG."""
        os.mkdir(self.path("cache"))
        shutil.copy(self.data_set("MUTAG"), self.path("cache"))
        self.assertGreater(self.run_examples(lambda line: "download" in line), 0)


class ManPages(Case):
    @program.needs("command")
    def test_no_warnings(self):
        groff = self.command("groff")
        for command in [None] + commands():
            page = self.succeeds("help", "--man", *([command] if command else [])).stdout
            shown = subprocess.run([groff, "-man", "-Tascii", "-ww", "-P-cbou"], input=page, capture_output=True,
                                   text=True)
            self.assertEqual((shown.returncode, shown.stderr), (0, ""))
            self.assertIn(f"leman-{command} - " if command else "leman - ", plain(shown.stdout))
            for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "EXIT STATUS", "SEE ALSO"):
                self.assertRegex(shown.stdout, rf"(?m)^{section}$")

    def test_every_option_is_there(self):
        for command in commands():
            help_text = self.succeeds("help", command).stdout
            page = self.succeeds("help", "--man", command).stdout.replace("\\-", "-")
            for option in re.findall(r"(?m)^  (?:-\w, |    )(--[\w-]+)", help_text):
                self.assertIn(f"\\fB{option}\\fR", page)


class Completion(Case):
    def complete(self, *words):
        """What bash offers with the cursor behind the last word; = cuts words as in bash."""
        cut = [part for word in words for part in re.split(r"(=)", word) if part or word == ""]
        if words[-1].endswith("="):
            cut.append("")
        script = self.write("completion", self.succeeds("help", "--completion", "bash").stdout)
        line = " ".join("'" + word + "'" for word in cut)
        run = subprocess.run(["bash", "--norc", "-c", f"set -eu; source {script}; COMP_WORDS=({line}); "
                              f"COMP_CWORD={len(cut) - 1}; _leman; printf '%s\\n' \"${{COMPREPLY[@]-}}\""],
                             cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return sorted(run.stdout.split())

    def test_commands(self):
        self.assertEqual(self.complete("leman", ""), sorted(commands() + ["--help", "--version"]))
        self.assertEqual(self.complete("leman", "inf"), ["info"])
        self.assertEqual(self.complete("leman", "help", "conv"), ["convert"])

    def test_options_are_those_of_the_help(self):
        for command in commands():
            help_text = self.succeeds("help", command).stdout
            expected = re.findall(r"(?m)^  (?:-\w, |    )(--[\w-]+)", help_text)
            self.assertEqual(self.complete("leman", command, "--"), sorted(expected))

    def test_values(self):
        self.assertEqual(self.complete("leman", "info", "--from", "g"), ["graph6"])
        self.assertEqual(self.complete("leman", "info", "--from=sp"), ["sparse6"])
        self.assertEqual(self.complete("leman", "info", "--from="), sorted(
            ["tu", "tu-zip", "binary", "graph6", "sparse6", "edge-list", "sdf", "pairs", "smiles", "n-quads"]))
        self.assertEqual(self.complete("leman", "convert", "--keep", "classes,tar"), ["classes,targets"])
        self.assertIn("cfi", self.complete("leman", "generate", ""))
        self.assertEqual(self.complete("leman", "info", "--policy", "self-loops=k"), ["keep"])
        self.assertEqual(self.complete("leman", "info", "--policy", "self-loops=keep,isolated-vertices=rem"),
                         ["remove"])

    def test_policies_that_are_offered_are_allowed(self):
        data = self.tu("P", **GRAPH)
        offered = self.complete("leman", "info", "--policy", "")
        self.assertGreaterEqual(len(offered), 16)
        for policy in offered:
            self.assertIn(leman("info", data, "--policy", policy).returncode, (0, 1), policy)

    def test_files(self):
        self.write("one file.g6", "Bw\n")
        self.write("folder/x", "")
        self.assertEqual(plain(" ".join(self.complete("leman", "info", "one"))), "file.g6 one")
        self.assertEqual(self.complete("leman", "download", "X", "--cache", "fol"), ["folder"])


if __name__ == "__main__":
    program.main()
