"""Binary compatibility, as leman/base.h promises it: tests/api/abi_program.c, compiled against the headers as they are,
against older ones (the last members of every struct that callers fill are cut off) and against newer ones (each has one
more member), runs with the same libleman.so. All three get the same results; a member that the library does not know
must be zero; sizes that no init function set are refused. leman_training is cut in an older header of its own: its last
member is the way to leman_paper_details, which the others try."""
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
STRUCT = re.compile(r"(typedef struct (leman_\w+) \{\n    size_t size; .*?)(\n\} \2;)", re.S)

# The first member that the older header does not have, so that members with a default other than zero are among them;
# where nothing is said, the last. It must not lie in what is padding without it.
CUT_FROM = {
    "leman_settings": "seed",
    "leman_family_options": "degree",
    "leman_read_options": "max_bytes",
    "leman_download_options": "time_limit",
    "leman_kernel": "weight",
    "leman_explained_pair": "graph",
    "leman_protocol": "min_rounds",
    "leman_fit_options": "min_rounds",
    "leman_gp_options": "rounds",
    "leman_architecture": "preset",
    "leman_training": "batch_size",
    "leman_paper_details": "own_fourth_layer",
    "leman_network_protocol": "repetitions",
}


def text(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def cached(name):
    found = re.search(rf"^{name}:\w+=(.*)$", text(BUILD, "CMakeCache.txt"), re.M)
    return found.group(1) if found else ""


def members(body):
    """Declarations of a struct body with where each begins, comments left out of sight."""
    bare = re.sub(r"/\*.*?\*/", lambda comment: re.sub(r"[^\n]", " ", comment.group()), body, flags=re.S)
    begin = bare.index("{") + 1
    found = []
    for end in (match.end() for match in re.finditer(r";", bare)):
        declaration = bare[begin:end]
        found.append((begin, re.findall(r"(\w+)(?:\[\w+\])?\s*[,;]|\(\*(\w+)\)", declaration)))
        begin = end
    return [(begin, [a or b for a, b in names]) for begin, names in found]


def older(headers, is_cut=lambda name: name != "leman_training"):
    """Without the last members; lines of inline functions that use them go too."""
    gone = []

    def shorten(match):
        body, name = match.group(1), match.group(2)
        if not is_cut(name):
            return match.group()
        all_members = members(body)
        first = CUT_FROM.get(name, all_members[-1][1][0])
        at, = [i for i, (_, names) in enumerate(all_members) if first in names]
        gone.extend(n for _, names in all_members[at:] for n in names)
        return body[: all_members[at][0]] + match.group(3)

    headers = {name: STRUCT.sub(shorten, header) for name, header in headers.items()}
    uses = re.compile(rf"^    \w+(\.|->)({'|'.join(gone)}) = .*;\n", re.M)
    return {name: uses.sub("", header) for name, header in headers.items()}


def older_training(headers):
    return older(headers, lambda name: name == "leman_training")


def newer(headers):
    """With one more member, which begins behind what was padding before."""
    return {name: STRUCT.sub(r"\1\n    size_t tomorrow;\3", header) for name, header in headers.items()}


# How the headers of each program differ from ours, and what abi_program.c has to know about it.
PROGRAMS = {
    "same": (dict, []),
    "older": (older, ["-DOLDER_SETTINGS"]),
    "older training": (older_training, ["-DOLDER_TRAINING"]),
    "newer": (newer, ["-DTOMORROW"]),
}


class Abi(program.Case):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.mkdtemp(prefix="leman-abi-")
        cls.addClassCleanup(shutil.rmtree, cls.scratch)
        cls.program = {}
        with open(os.path.join(cls.scratch, "triangle.g6"), "w", encoding="ascii") as file:
            file.write("Bw\n")
        for kind, (change, defines) in PROGRAMS.items():
            cls.program[kind] = cls.build(kind, change, defines)

    @classmethod
    def build(cls, kind, change, defines):
        include = os.path.join(cls.scratch, kind)
        shutil.copytree(os.path.join(ROOT, "include"), include)
        topics = os.path.join(include, "leman")
        for name, header in change({name: text(topics, name) for name in os.listdir(topics)}).items():
            with open(os.path.join(topics, name), "w", encoding="utf-8") as file:
                file.write(header)
        program = os.path.join(cls.scratch, "program-" + kind)
        flags = ["-fsanitize=address,undefined"] if cached("LEMAN_SANITIZE") == "ON" else []
        flags += defines
        done = subprocess.run(
            [cached("CMAKE_C_COMPILER"), "-std=c17", "-Wall", "-Wextra", "-Werror", "-I" + include, *flags,
             os.path.join(ROOT, "tests", "api", "abi_program.c"), "-L" + BUILD, "-lleman", "-Wl,-rpath," + BUILD,
             "-o", program], capture_output=True, text=True)
        if done.returncode:
            raise AssertionError(kind + "\n" + done.stdout + done.stderr)
        return program

    def output(self, kind, *arguments):
        done = subprocess.run([self.program[kind], *arguments], capture_output=True, text=True, cwd=self.scratch,
                              check=False)
        self.assertEqual(done.returncode, 0, f"{kind}: {done.stdout}{done.stderr}")
        return done.stdout.splitlines()

    def test_sizes(self):
        sizes = {kind: {name: int(size) for name, size in (line.split() for line in self.output(kind, "sizes"))}
                 for kind in PROGRAMS}
        self.assertTrue(sizes["same"])
        for name, size in sizes["same"].items():
            cut = sizes["older training" if name in ("leman_training", "leman_communicator", "leman_projections") else "older"][name]
            if name in CUT_FROM:
                self.assertGreater(size, cut, name)
            self.assertGreaterEqual(size, cut, name)
            self.assertLess(size, sizes["newer"][name], name)

    def test_results(self):
        same = self.output("same")
        self.assertTrue(same)
        self.assertEqual(self.output("older"), [line for line in same if "leman_communicator" not in line and "leman_projections" not in line])
        self.assertEqual(self.output("newer"), same)
        self.assertEqual(self.output("older training"), [line for line in same if "leman_paper_details" not in line])

    def test_refusals(self):
        for kind in PROGRAMS:
            lines = self.output(kind, "bad")
            self.assertTrue(lines)
            for line in lines:
                name = line.split()[0]
                self.assertIn(": wrong argument: ", line)
                if name not in ("leman_settings", "leman_communicator"):
                    sentence = line.split(": wrong argument: ")[1]
                    self.assertIn(name + ": found ", sentence)
                    self.assertIn("newer version" if "unknown member" in line else name + "_init()", sentence)
        unknown = [line for line in self.output("newer", "bad") if "unknown member" in line]
        self.assertEqual(len(unknown), len(self.output("newer")))

    def test_every_struct_is_tried(self):
        """A public struct with a size has a row in abi_program.c."""
        tried = {line.split()[0] for line in self.output("same", "sizes")}
        headers = "".join(text(ROOT, "include", "leman", name)
                          for name in os.listdir(os.path.join(ROOT, "include", "leman")))
        structs = re.findall(r"typedef struct (leman_\w+) \{(.*?)\n\} \1;", headers, re.S)
        self.assertEqual({name for name, body in structs if re.search(r"\bsize_t size;", body)}, tried)
        self.assertEqual({match.group(2) for match in STRUCT.finditer(headers)}, tried, "size comes first")


if __name__ == "__main__":
    if not cached("CMAKE_C_COMPILER"):
        print("skipped: expected the compiler of the build, found none in its cache")
        sys.exit(77)
    program.main()
