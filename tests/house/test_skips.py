#!/usr/bin/env python3
"""What is skipped is seen: scripts/skips on logs of ctest that this file makes, and where tests look for Python packages."""
import glob
import os
import pty
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import program  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


class Skips(program.Case):
    def build(self, name, tests):
        """A build folder whose ctest ran these tests: exit status and standard output of each."""
        text = "".join(f"add_test({test} sh {self.write(f'{name}-{test}.sh', f'{script} exit {status}')})\n"
                       f"set_tests_properties({test} PROPERTIES SKIP_RETURN_CODE 77)\n" for test, (status, script) in tests.items())
        self.write(f"{name}/CTestTestfile.cmake", text)
        subprocess.run(["ctest", "--test-dir", self.path(name)], capture_output=True)
        return self.path(name)

    def skips(self, *arguments, strict=None):
        environment = {key: value for key, value in os.environ.items() if key != "LEMAN_STRICT_SKIPS"}
        run = subprocess.run([sys.executable, os.path.join(ROOT, "scripts", "skips"), *arguments], capture_output=True, text=True,
                             env=environment | ({"LEMAN_STRICT_SKIPS": strict} if strict is not None else {}))
        return run.returncode, program.plain(run.stdout + run.stderr)

    def test_nothing(self):
        build = self.build("clean", {"good": (0, "echo fine;")})
        self.assertEqual(self.skips("--strict", build), (0, "skipped: nothing "))

    def test_expected(self):
        build = self.build("b", {"device": (77, "echo 'skipped: found no CUDA device';"),
                                 "data": (77, "echo 'skipped: the data set MUTAG.zip is not here';")})
        status, said = self.skips("--strict", build)
        self.assertEqual(status, 0, said)
        self.assertIn("b: no GPU (1): device", said)
        self.assertIn("b: no data set beside the checkout (1): data", said)

    def test_unexpected(self):
        """Listed for everybody, with what else the test printed left out; a failure only where it is asked for."""
        build = self.build("b", {"oracle": (77, "echo 'skipped: __main__.A.test_x: no Python with torch here'; echo rest;"),
                                 "partly": (0, "echo 'skipped: no Python with torch here';"), "good": (0, ""),
                                 "silent": (77, "echo 'I was skipped: but where';")})
        for arguments, strict, status in (([], None, 0), ([], "0", 0), (["--strict"], None, 1), ([], "1", 1)):
            got, said = self.skips(*arguments, build, strict=strict)
            self.assertEqual(got, status, said)
            self.assertIn("b: no Python with torch here (2): oracle, partly", said)
            self.assertIn("b: the test did not say why (1): silent", said)
            self.assertNotIn("good", said)

    def test_several_folders(self):
        one = self.build("one", {"a": (77, "echo 'skipped: found no CUDA device';")})
        two = self.build("two", {"b": (77, "echo 'skipped: zsh is not installed';")})
        status, said = self.skips("--strict", "--also", "found no nvcc", one, two)
        self.assertEqual(status, 1, said)
        for words in ("ci: no GPU (1): found no nvcc", "one: no GPU (1): a", "two: zsh is not installed (1): b"):
            self.assertIn(words, said)

    def test_no_log(self):
        status, said = self.skips(self.path("nowhere"))
        self.assertEqual(status, 1)
        self.assertIn("expected the log of a run of ctest", said)

    def test_every_skip_says_why(self):
        """Where the sources of a test exit with 77 they also print the sentence that scripts/skips reads."""
        for path in glob.glob(os.path.join(ROOT, "tests", "*", "*")):
            if re.search(r"\.(c|h|py)$", path) and not path.endswith("test_skips.py"):
                text = read(path)
                if re.search(r"return 77\b|exit\(77\)|SKIPPED = 77", text):
                    self.assertIn('"skipped: ', text, path)


class Pythons(program.Case):
    def test_environment_of_the_build(self):
        """Modules are looked for in the environments beside the program first."""
        known = program.LEMAN
        self.addCleanup(setattr, program, "LEMAN", known)
        program.LEMAN = self.path("leman")
        for venv, module in (("venv", "numbers_only"), ("venv-torch", "torch_only")):
            python = self.write(f"{venv}/bin/python", f"#!/bin/sh\ntest \"$2\" = 'import {module}'\n")
            os.chmod(python, 0o755)
            self.assertEqual(self.python_with(module), python)
        with self.assertRaises(unittest.SkipTest):
            self.python_with("no_such_module_anywhere")


class Setup(program.Case):
    def setup_script(self, *groups):
        """scripts/setup on a computer that has a shell, no compiler and no way to install anything."""
        return subprocess.run(self.command(*groups), capture_output=True, text=True, env={"PATH": self.path("bin")}, timeout=60)

    def command(self, *groups):
        os.makedirs(self.path("bin"), exist_ok=True)
        for name in ("bash", "env", "sed", "sort", "grep", "id", "paste"):
            if not os.path.exists(self.path("bin", name)):
                os.symlink(shutil.which(name), self.path("bin", name))
        return [shutil.which("bash"), os.path.join(ROOT, "scripts", "setup"), *groups]

    def with_apt(self, *groups, answer=None, **environment):
        """scripts/setup where apt-get works and sudo asks for no password; answer: of a person at a terminal, who is asked.
        Returns the exit status, what was said, and the packages that apt-get was told to install."""
        command = self.command(*groups)
        self.write("bin/sudo", '#!/bin/bash\n[ "$1" = -n ] && shift\n[ "$1" = true ] || exec "$@"\n')
        self.write("bin/apt-cache", '#!/bin/bash\necho "  Candidate: 1.0"\n')
        self.write("bin/apt-get", f"""#!/bin/bash
            [[ "$*" != *--print-uris* ]] || {{
                echo "0 upgraded, 12 newly installed, 0 to remove and 3 not upgraded."
                echo "Need to get 4,321 kB/5,000 kB of archives."
                echo "After this operation, 21.5 MB of additional disk space will be used."; exit 0; }}
            [[ "$*" != *" install "* ]] || echo "$*" >>{self.path("installed")}
            """)
        for name in ("sudo", "apt-cache", "apt-get"):
            os.chmod(self.path("bin", name), 0o755)
        self.write("installed", "")
        environment = {"PATH": self.path("bin"), **environment}
        if answer is None:
            run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment, timeout=60)
            return run.returncode, run.stdout + run.stderr, read(self.path("installed"))
        child, terminal = pty.fork()
        if child == 0:
            os.execve(command[0], command, environment)
        said = b""
        try:
            while more := os.read(terminal, 4096):
                if b"[Y/n]" in more:
                    os.write(terminal, answer.encode())
                said += more
        except OSError:  # the terminal is closed when the script ends
            pass
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.close(terminal)
        return status, said.decode(), read(self.path("installed"))

    def test_what_tests_need_is_optional(self):
        run = self.setup_script("test", "oracles")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        for package, tests in (("libcmocka-dev", "tests in C"), ("g++", "emulation"), ("graphviz", "Graphviz"), ("mpich", "MPICH")):
            self.assertRegex(run.stdout, rf"(?m)^setup: {re.escape(package)} is missing and was not installed\. .*{tests}")

    def test_what_a_build_needs_is_not(self):
        run = self.setup_script("build", "test")
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertRegex(run.stderr, r"\Asetup: cannot install anything here [^\n]* gcc [^\n]*\n\Z")

    def test_says_how_much_and_asks_nobody_who_is_not_there(self):
        _, said, installed = self.with_apt("build")
        self.assertRegex(said, r"(?m)^setup: installing [^\n]* gcc [^\n]*12 newly installed, 4,321 kB/5,000 kB to fetch, 21.5 MB on disk")
        self.assertNotIn("[Y/n]", said)
        self.assertIn(" gcc ", installed)

    def test_a_person_is_asked(self):
        for answer, goes_on in (("y\n", True), ("\n", True), ("n\n", False), ("what?\n", False)):
            status, said, installed = self.with_apt("build", answer=answer)
            self.assertIn("12 newly installed", said)
            self.assertEqual(" gcc " in installed, goes_on, (answer, said))
            if not goes_on:
                self.assertEqual(status, 1)
                self.assertIn("nothing was installed. Once these Debian packages are there, try again: ", said)
        status, said, installed = self.with_apt("test", answer="n\n")
        self.assertEqual((status, installed), (0, ""))
        self.assertIn("graphviz is missing and was not installed. Left out without it: ", said)

    def test_the_answer_can_be_given_before(self):
        self.assertIn(" gcc ", self.with_apt("build", answer="n\n", LEMAN_SETUP="yes")[2])
        self.assertIn(" gcc ", self.with_apt("build", answer="n\n", CI="true")[2])
        for answer in (None, "y\n"):
            status, said, installed = self.with_apt("build", answer=answer, LEMAN_SETUP="no")
            self.assertEqual((status, installed), (1, ""))
            self.assertIn("setup: cannot install anything here", said)


if __name__ == "__main__":
    program.main()
