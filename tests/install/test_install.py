"""Installs into a scratch prefix, then does what a user of the C library does: compiles the examples of leman.h and of
docs/c.md with pkg-config, against libleman.so and libleman.a, and with find_package(leman), and runs them."""
import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.environ["LEMAN_SOURCE_DIR"]
sys.path.append(os.path.join(ROOT, "tests", "cli"))
import program

BUILD = os.path.dirname(os.environ["LEMAN"])


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def text(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def cached(name):
    found = re.search(rf"^{name}:\w+=(.*)$", text(BUILD, "CMakeCache.txt"), re.M)
    return found.group(1) if found else ""


def header_example():
    """The lines of code in leman.h's opening comment, inside a main()."""
    comment = text(ROOT, "include", "leman.h").split("*/")[0]
    lines = [line[5:] for line in comment.splitlines() if line.startswith(" *   ")]
    return "#include <leman.h>\n#include <stdio.h>\n#include <stdlib.h>\nint main(void)\n{\n%s\nreturn 0;\n}\n" % (
        "\n".join(lines)
    )


def page_example(language):
    """An example of docs/c.md, and what the page says that it prints."""
    return re.search(rf"```{language}\n(.*?)```\n.*?```text\n(.*?)```", text(ROOT, "docs", "c.md"), re.S).groups()


class Install(program.Case):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.mkdtemp(prefix="leman-install-")
        cls.addClassCleanup(shutil.rmtree, cls.scratch)
        cls.prefix = os.path.join(cls.scratch, "a prefix")
        environment = {k: v for k, v in os.environ.items() if k != "DESTDIR"}
        done = subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.prefix], capture_output=True, text=True,
                              env=environment)
        if done.returncode:
            raise AssertionError(done.stdout + done.stderr)
        cls.libraries = os.path.join(cls.prefix, cached("CMAKE_INSTALL_LIBDIR"))
        cls.environment = {
            **environment,
            "PKG_CONFIG_PATH": os.path.join(cls.libraries, "pkgconfig"),
            "LD_LIBRARY_PATH": cls.libraries,
        }

    def run_command(self, *command, **options):
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.scratch, env=self.environment, **options)
        self.assertEqual(done.returncode, 0, " ".join(command) + "\n" + done.stdout + done.stderr)
        return done

    def write(self, name, content):
        path = os.path.join(self.scratch, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        return path

    def flags(self, package):
        """pkg-config's answer as words, blanks inside a path kept."""
        out = self.run_command("pkg-config", "--cflags", "--libs", package).stdout.strip()
        return [re.sub(r"\\(.)", r"\1", word) for word in re.split(r"(?<!\\)\s+", out)]

    def compile(self, name, code, package):
        compiler = cached("CMAKE_C_COMPILER")
        self.run_command(compiler, "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", self.write(name + ".c", code),
                         "-o", name, *self.flags(package))
        return os.path.join(self.scratch, name)

    def needed(self, program):
        return re.findall(r"\(NEEDED\).*\[(.*)\]", self.run_command("readelf", "-d", program).stdout)

    def test_what_is_there(self):
        for path in ["bin/leman", "include/leman.h", "include/leman.hpp", "include/leman/base.h", "share/doc/leman/LICENSE", "share/doc/leman/README.md",
                     "share/man/man1/leman.1", "share/man/man1/leman-info.1",
                     "share/bash-completion/completions/leman", "share/zsh/site-functions/_leman",
                     "share/fish/vendor_completions.d/leman.fish"]:
            full = os.path.join(self.prefix, path)
            self.assertTrue(os.path.isfile(full), f"{path} was not installed")
            self.assertGreater(os.path.getsize(full), 100, path)

    def test_program_runs_from_there(self):
        out = self.run_command(os.path.join(self.prefix, "bin", "leman"), "--version").stdout
        self.assertIn(self.run_command("pkg-config", "--modversion", "leman").stdout.strip(), out)

    def test_soname(self):
        library = os.path.join(self.libraries, "libleman.so")
        soname = re.search(r"\(SONAME\).*\[(.*)\]", self.run_command("readelf", "-d", library).stdout).group(1)
        self.assertRegex(soname, r"^libleman\.so\.[0-9]")
        self.assertTrue(os.path.exists(os.path.join(self.libraries, soname)))
        self.assertIn(soname, self.needed(self.compile("shared", header_example(), "leman")))
        self.assertNotIn(soname, self.needed(self.compile("static", header_example(), "leman-static")))

    def test_exported_symbols_are_the_header(self):
        listed = self.run_command("nm", "-D", "--defined-only", os.path.join(self.libraries, "libleman.so")).stdout
        exported = {line.split()[-1].split("@")[0] for line in listed.splitlines()}
        folder = os.path.join(ROOT, "include", "leman")
        headers = "\n".join(text(folder, name) for name in sorted(os.listdir(folder)))
        header = re.sub(r"/\*.*?\*/", "", headers, flags=re.S)
        self.assertEqual(exported, set(re.findall(r"LEMAN_API[^;]*?\b(leman_\w+)\(", header)))

    @unittest.skipUnless(shutil.which("readelf"), "no readelf")
    def test_blas_is_our_own(self):
        """Neither library asks for a BLAS, and libleman.a defines none that a program would get."""
        if not os.path.exists(os.path.join(BUILD, "private.o")):
            self.skipTest("this build has no copy of OpenBLAS of its own")
        programs = [self.compile("blas-" + package, header_example(), package) for package in ["leman", "leman-static"]]
        for file in [os.path.join(self.libraries, "libleman.so"), *programs]:
            self.assertEqual([name for name in self.needed(file) if re.search("blas|liblinear|stdc", name)], [], file)
        listed = self.run_command("nm", "-g", "--defined-only", os.path.join(self.libraries, "libleman.a")).stdout
        names = {line.split()[-1] for line in listed.splitlines() if len(line.split()) == 3}
        self.assertGreater(len(names), 100)
        ours = re.compile(r"leman_|lm_|LM_|\.gomp_critical_user_lm_")
        self.assertEqual([name for name in sorted(names) if not ours.match(name)], [])

    @unittest.skipUnless(shutil.which("objdump"), "no objdump")
    def test_no_variables(self):
        """What the compiler made of the sources: data that can be written to are those that
        tests/house/test_floors.py lists. The copy of OpenBLAS has its own, which nobody else sees."""
        listed = self.run_command("objdump", "-t", os.path.join(self.libraries, "libleman.a")).stdout
        found, member = set(), ""
        for line in listed.splitlines():
            opened = re.match(r"(\S+): +file format", line)
            member = opened.group(1) if opened else member
            variable = re.search(r"\bO (\.data|\.bss|\.tdata|\.tbss|\*COM\*)\s+\S+ (?:\.hidden )?(\S+)$", line)
            if variable and member != "private.o":
                found.add(re.sub(r"\.\d+$", "", variable.group(2)))
        found = {name for name in found if not name.startswith(".gomp_critical_user_")}
        self.assertLessEqual(found, {"count_lock", "proven", "search_cancels", "search_changed", "search_lock", "slot", "trim_lock", "work",
                                     "work_lock"})
        self.assertIn("work_lock", found)  # the search finds what is there

    def test_header_example(self):
        for package in ["leman", "leman-static"]:
            program = self.compile("header-" + package, header_example(), package)
            said = self.run_command(program).stderr
            self.assertRegex(said, r"^MUTAG\.zip: .+\n$")  # there is none here, and the example says so

    def test_example_of_the_page(self):
        """That of the page, which is examples/distinguish.c, too."""
        code, promised = page_example("c")
        self.assertTrue(text(ROOT, "examples", "distinguish.c").endswith("*/\n" + code))
        self.assertIn("$ ./distinguish\n" + promised, text(ROOT, "docs", "tutorials", "engineer.md"))
        for package in ["leman", "leman-static"]:
            self.assertEqual(self.run_command(self.compile("page-" + package, code, package)).stdout, promised)

    def compile_cplusplus(self, compiler, name, code, package="leman"):
        """With the warnings that careful users of C++ turn on, none of which a header of ours may cause in their code."""
        self.run_command(compiler, "-std=c++17", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror",
                         self.write(name + ".cpp", code), "-o", name, *self.flags(package))
        return os.path.join(self.scratch, name)

    def cplusplus(self, what):
        """What a function of this class does with g++ and with clang++, those that are installed."""
        self.command("g++", "clang++")
        for compiler in filter(shutil.which, ("g++", "clang++")):
            with self.subTest(compiler):
                what(compiler)

    @program.needs("command")
    def test_wrapper_of_cplusplus(self):
        def compile_and_run(compiler):
            code = text(ROOT, "tests", "install", "wrapper.cpp")
            said = self.run_command(self.compile_cplusplus(compiler, "wrapper", code), "wrapper.lmm", timeout=600 * program.PATIENCE)
            self.assertEqual(said.stdout, "ok\n")
        self.cplusplus(compile_and_run)

    @program.needs("command")
    def test_examples_of_cplusplus(self):
        """That of the page, and examples/classify.cpp, whose classes and probabilities are those of the program."""
        code, promised = page_example("cpp")
        leman = os.path.join(self.prefix, "bin", "leman")
        for name, seed in (("train.zip", "1"), ("new.zip", "2")):
            self.run_command(leman, "generate", "molecules", "--graphs", "60", "--seed", seed, "--force", "-o", name)
        self.run_command(leman, "fit", "train.zip", "-a", "delta-2-LWL", "--force", "-o", "fitted.lmm")
        rows = list(csv.DictReader(self.run_command(leman, "predict", "--model", "fitted.lmm", "new.zip").stdout.splitlines()))
        expected = [f"{row['graph']},{row['class']},{float(row['probability_' + row['class']]):.6f}" for row in rows]

        def compile_and_run(compiler):
            self.assertEqual(self.run_command(self.compile_cplusplus(compiler, "page", code, "leman-static")).stdout, promised)
            classify = self.compile_cplusplus(compiler, "classify", text(ROOT, "examples", "classify.cpp"))
            found = self.run_command(classify, "train.zip", "new.zip", "delta-2-LWL").stdout.splitlines()
            self.assertEqual(found, ["graph,class,probability", *expected])
            failed = subprocess.run([classify, "nowhere.zip", "new.zip"], capture_output=True, text=True, env=self.environment)
            self.assertEqual((failed.returncode, failed.stdout), (1, ""))
            self.assertRegex(failed.stderr, r"\Aclassify: nowhere.zip: [^\n]+\n\Z")
        self.cplusplus(compile_and_run)

    def test_find_package(self):
        self.write("project/main.c", header_example())
        self.write("project/CMakeLists.txt", "\n".join([
            "cmake_minimum_required(VERSION 3.25)", "project(user C)", "find_package(leman 0.1 REQUIRED COMPONENTS static)",
            "add_executable(dynamic main.c)", "target_link_libraries(dynamic leman::leman)",
            "add_executable(whole main.c)", "target_link_libraries(whole leman::static)", ""]))
        self.run_command("cmake", "-S", "project", "-B", "project/build", "-G", "Ninja",
                         "-DCMAKE_PREFIX_PATH=" + self.prefix, "-DCMAKE_C_COMPILER=" + cached("CMAKE_C_COMPILER"))
        self.run_command("cmake", "--build", "project/build")
        for program in ["dynamic", "whole"]:
            self.assertIn("MUTAG.zip", self.run_command(os.path.join("project/build", program)).stderr)


if __name__ == "__main__":
    if cached("LEMAN_SANITIZE") == "ON":
        skip("a program that links the library would need the sanitizers too")
    program.main()
