"""examples/kernels.rs, the library from Rust: its declarations beside the headers, and its output beside that of the program."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.environ["LEMAN_SOURCE_DIR"]
sys.path.append(os.path.join(ROOT, "tests", "cli"))
import program

BUILD = os.path.dirname(os.environ["LEMAN"])
SOURCE = os.path.join(ROOT, "examples", "kernels.rs")


def structs():
    """{name: members} of the structs that the example declares."""
    with open(SOURCE, encoding="utf-8") as file:
        found = re.findall(r"pub struct (leman_\w+) \{(.*?)\n    \}", file.read(), re.S)
    return {name: re.findall(r"pub (\w+):", body) for name, body in found}


@program.needs("command")
class Rust(program.Case):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.mkdtemp(prefix="leman-rust-")
        cls.addClassCleanup(shutil.rmtree, cls.scratch)
        cls.environment = {**os.environ, "LD_LIBRARY_PATH": BUILD}

    def output_of(self, *command):
        done = subprocess.run(command, capture_output=True, text=True, env=self.environment, cwd=self.scratch)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def compile(self, source, name):
        rustc = self.command("rustc")
        self.output_of(rustc, "--edition", "2021", "-D", "warnings", "-L", BUILD, source, "-o", name)
        return os.path.join(self.scratch, name)

    def test_declarations(self):
        """Sizes and offsets of all members, as the C compiler has them."""
        rust = [f"#[allow(dead_code)]\n#[path = {quoted(SOURCE)}]\nmod example;", "use example::c::*;", "fn main() {"]
        lines = ["#include <leman.h>", "#include <stdio.h>", "int main(void) {"]
        for name, members in structs().items():
            lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
            rust.append(f'println!("{name} {{}}", std::mem::size_of::<{name}>());')
            rust.append(f"let one = std::mem::MaybeUninit::<{name}>::uninit(); let begin = one.as_ptr();")
            for member in members:
                lines.append(f'printf("{name}.{member} %zu\\n", offsetof({name}, {member}));')
                rust.append(f'println!("{name}.{member} {{}}", unsafe {{ std::ptr::addr_of!((*begin).{member}) as usize }} - begin as usize);')
        theirs = self.compile(self.write("layout.rs", "\n".join([*rust, "}"])), "layout_rust")
        ours = os.path.join(self.scratch, "layout_c")
        self.output_of(self.command("cc", "gcc", "clang"), "-I", os.path.join(ROOT, "include"),
                       self.write("layout.c", "\n".join([*lines, "return 0;", "}"])), "-o", ours)
        found, expected = self.output_of(theirs).splitlines(), self.output_of(ours).splitlines()
        self.assertEqual(found, expected)
        self.assertGreater(len(found), 50)

    def test_output(self):
        example = self.compile(SOURCE, "kernels")
        smiles = ["CCO", "CCN", "c1ccccc1O", "Cc1ccccc1O", "OCC"]
        found = self.output_of(example, *smiles).splitlines()
        pair = self.path("pair.g6")
        self.succeeds("generate", "cfi", "-o", pair)
        for line, method in zip(found, ["2-WL", "delta-2-LWL"]):
            told = self.json("distinguish", pair, "-a", method, "-r", "stable")["results"][0]
            self.assertEqual(line, f"{method}: told apart in round {told['round']}" if told["distinguished"] else f"{method}: the same")
        data = self.write("molecules.smi", "\n".join(smiles) + "\n")
        rows = self.succeeds("gram", data, "-a", "WLOA", "-r", "3", "--normalize", "-o", "-").stdout.splitlines()
        self.assertEqual(found[2:], [" ".join(f"{float(value):.6f}" for value in row.split(",")) for row in rows])
        self.assertEqual(len(found), 2 + len(smiles))

    def test_failure(self):
        failed = subprocess.run([self.compile(SOURCE, "kernels"), "CCO", "C(("], capture_output=True, text=True, env=self.environment)
        self.assertEqual(failed.returncode, 1)
        self.assertRegex(failed.stderr, r"\Akernels: SMILES:1: [^\n]+\n\Z")


def quoted(path):
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'


if __name__ == "__main__":
    if program.holds("__asan_init"):
        print("skipped: a program that links the library would need the sanitizers too")
        sys.exit(77)
    program.main()
