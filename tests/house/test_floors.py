"""The rules of the tree: includes only go down the floors, the header is what the library defines, files and
functions keep their size, and nothing in the tree names a folder of the computer it was written on."""
import os
import re
import shutil
import subprocess
import unittest

ROOT = os.environ.get("LEMAN_SOURCE_DIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
# From the ground up. A file may include its own floor and those before it in this list.
FLOORS = ["base", "graph", "io", "refine", "kernel", "nn", "svm", "learn", "report", "cli"]
LONGEST_FILE = 600
LONGEST_FUNCTION = 60
# Variables of the library that are one for the process: locks around what is so by nature (libcurl's count, work
# space of our copy of OpenBLAS, nauty's flag that ends all searches), and how many threads the system was seen to start.
VARIABLES = {"count_lock", "proven", "search_cancels", "search_changed", "search_lock", "slot", "trim_lock", "work", "work_lock"}
# Functions that change the process they are called in, not only the thread.
PROCESS_WIDE = """openblas_set_\\w+ goto_set_num_threads omp_set_\\w+ kmp_set_\\w+ setlocale signal sigaction bsd_signal
    sigprocmask rand srand random srandom drand48 srand48 putenv setenv unsetenv clearenv umask chdir fchdir chroot atexit
    on_exit at_quick_exit mallopt fesetround fesetenv feenableexcept feraiseexcept setrlimit alarm setitimer strtok
    localtime gmtime asctime ctime tzset daemon fork setvbuf freopen dup2 nice setpriority sched_setaffinity
    pthread_setaffinity_np pthread_atfork prctl""".split()


def tree():
    """Paths of the tree's files, relative to its root: git's list, or a walk where there is no git."""
    if os.path.exists(os.path.join(ROOT, ".git")) and shutil.which("git"):
        command = ["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard"]
        paths = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    else:
        paths = []
        for folder, folders, files in os.walk(ROOT):
            folders[:] = [f for f in folders if not f.startswith("build") and f not in (".git", "__pycache__")]
            paths += [os.path.relpath(os.path.join(folder, f), ROOT) for f in files]
    return [p for p in paths if os.path.isfile(os.path.join(ROOT, p))]


def text(path):
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def sources():
    """But for the functions of POSIX on Windows, which are a part of the C library there and call what a C library calls."""
    return [p for p in tree() if re.match(r"(src|include)/.*\.(c|h|cu|cuh)$", p) and not p.startswith("src/base/system/windows/")]


def comments(code):
    return re.findall(r"/\*.*?\*/|//[^\n]*", code, re.S)


def without_comments(code):
    return re.sub(r"/\*.*?\*/|//[^\n]*|\"(\\.|[^\"\\\n])*\"", '""', code, flags=re.S)


def prose():
    """(path, text) of everything that describes the code: comments and pages."""
    for path in tree():
        if re.search(r"\.(c|h|cu|cuh|inc)$", path):
            yield path, "\n".join(comments(text(path)))
        elif path.endswith(".md"):
            yield path, text(path)


def public_functions():
    header = re.sub(r"/\*.*?\*/", "", "\n".join(text(p) for p in tree() if p.startswith("include/")), flags=re.S)
    return set(re.findall(r"LEMAN_API[^;]*?\b(leman_\w+)\(", header))


def bare(path):
    """The code without comments and without what strings hold."""
    return re.sub(r"/\*.*?\*/|//[^\n]*|\"(\\.|[^\"\\\n])*\"", '""', text(path), flags=re.S)


def library():
    return [path for path in sources() if path.startswith("src/") and not path.startswith("src/cli/")]


def variables(code):
    """Names of what is defined outside functions, or static inside one, and can change. In our formatting a line that
    begins in the first column begins a definition; a pointer is constant where const stands behind its star."""
    outside = re.compile(r"^(?!typedef\b|enum\b|return\b|#|goto\b)(?:[a-z_]\w*[ *]+)+(\w+)(?:\[[^\]]*\])*(?:;| =|,)", re.M)
    inside = re.compile(r"^\s+(?:static|_Thread_local|__thread)\b[^;=({]*?(\w+)(?:\[[^\]]*\])*(?:;| =|,)", re.M)
    for pattern in (outside, inside):
        for found in pattern.finditer(code):
            declared = found.group(0)[: found.start(1) - found.start(0)]
            behind_star = declared.rsplit("*", 1)[-1]
            if not re.search(r"\bconst\b", behind_star):
                yield found.group(1)


def functions(code):
    """(name, lines) of every function: in our formatting its braces alone stand in the first column."""
    opened, name = None, ""
    for number, line in enumerate(code.splitlines()):
        if line == "{":
            opened = number
        elif line == "}" and opened is not None:
            yield name, number - opened - 1
            opened = None
        elif opened is None and re.match(r"\w.*\b(\w+)\(", line):
            name = re.match(r"\w.*?\b(\w+)\(", line).group(1)


class Floors(unittest.TestCase):
    def test_includes_go_down(self):
        for path in sources():
            parts = path.split("/")
            if parts[0] != "src":
                continue
            self.assertIn(parts[1], FLOORS, f"{path}: its folder is no floor")
            for included in re.findall(r'^\s*#\s*include\s+"([^"]+)"', text(path), re.M):
                floor = included.split("/")[0] if "/" in included else None
                if floor in FLOORS:
                    up = FLOORS.index(floor) > FLOORS.index(parts[1])
                    self.assertFalse(up, f"{path} includes {included}, which lies on a floor above it")

    def test_public_functions_are_defined(self):
        code = "\n".join(text(p) for p in sources() if p.endswith(".c"))
        code = re.sub(r"(?m)^LM_ENUM_NAMES\((\w+),", r"char *leman_\1_name(\nleman_status leman_\1_parse(\n", code)
        declared = public_functions()
        self.assertGreater(len(declared), 20)
        for macro, endings in {"LM_ENUM_NAME": ["name"], "LM_ENUM": ["name", "parse"], "LM_OPTIONS": ["init"]}.items():
            for name in re.findall(rf"(?m)^{macro}\((leman_\w+),", code):  # src/base/arguments.h
                code += "".join(f"\ndefines {name}_{ending}(" for ending in endings)
        missing = [n for n in sorted(declared) if not re.search(rf"(?m)^[a-z][^;=\n]*\b{n}\(", code)]
        self.assertEqual(missing, [], "promised in the public headers and not defined")

    def test_sizes(self):
        for path in sources():
            code = text(path)
            self.assertLessEqual(code.count("\n"), LONGEST_FILE, f"{path} is too long: find its seam")
            for name, lines in functions(code):
                self.assertLessEqual(lines, LONGEST_FUNCTION, f"{path}: {name} does not fit a screen")

    def test_library_neither_prints_nor_exits(self):
        banned = re.compile(r"\b(printf|puts|putchar|perror|exit|_exit|abort|quick_exit)\s*\(")
        for path in sources():
            if path.startswith("src/cli/") or path.startswith("include/"):
                continue
            for found in banned.finditer(bare(path)):
                self.fail(f"{path}: {found.group(1)}() in the library")

    def test_memory_comes_from_the_context(self):
        """Every block of the library is counted and may fail: none comes from the C library but those of the default
        allocator, and what OpenBLAS asks for, which knows no context. Chains of strcat() are safe only as long as nobody changes a table."""
        allocators = re.compile(r"(?<![\w>.])(malloc|calloc|realloc|free|strdup|strndup|asprintf|vasprintf|aligned_alloc|posix_memalign)\s*\(")
        chains = re.compile(r"\b(strcat|strncat)\s*\(\s*(strcat|strncat)\b|\b(sprintf|vsprintf|gets)\s*\(")
        for path in library():
            found = allocators.search(bare(path))
            if path not in ("src/base/settings.c", "src/base/private.c"):
                self.assertIsNone(found, f"{path} calls {found and found.group(1)}(), expected lm_alloc() or NEW")
            self.assertIsNone(chains.search(bare(path)), f"{path}: expected lm_joined of base/strings.h")

    def test_pkg_config_names_what_is_used(self):
        """Libraries that cmake/install.cmake writes into the .pc files by hand: the others come from what is linked."""
        self.assertEqual(set(re.findall(r"-l([a-z]\w*)", text("cmake/install.cmake"))), {"m"})

    def test_variables_are_found(self):
        """The search itself: what it must find and what it must leave."""
        code = "static int a;\nlm_x b = {0};\nstatic const char *c[] = {0};\nvoid f(void)\n{\n    static bool d;\n" \
               "    static const int e = 1;\n    int g = 2;\n}\nstatic const char *const h = 0;\ntypedef int i;\n" \
               "static const x j[] = {\n    1};\nextern struct k l;\nleman_status m(int n);\nint *const o = 0;\n"
        self.assertEqual(sorted(variables(code)), ["a", "b", "c", "d", "l"])

    def test_library_keeps_no_process_wide_state(self):
        for path in library():
            code = bare(path)
            if path.endswith(".h"):  # where what is not extern may be a function of a named type
                code = "\n".join(re.findall(r"^extern .*", code, re.M))
            found = set(variables(code)) - VARIABLES
            self.assertEqual(found, set(), f"{path}: variables that are one for the process")
            called = re.search(rf"\b({'|'.join(PROCESS_WIDE)})\s*\(", bare(path))
            self.assertIsNone(called, f"{path} calls {called and called.group(1)}(), which changes the whole process")

    def test_numbers_have_decimal_points(self):
        """Text is formatted and numbers are read by base/strings.h, which knows no locale. Plain snprintf() may stand where
        its format is a literal without a real number; lm_vsnprintf() is for all other formats."""
        real = r"%[-+ #0']*(?:\*|\d+)?(?:\.(?:\*|\d+)?)?L?[aefgAEFG]"
        for path in sources():
            if path.startswith("src/base/strings."):
                continue
            code = re.sub(r"/\*.*?\*/|//[^\n]*", "", text(path), flags=re.S)
            for call in re.findall(r"\b(?:snprintf|sprintf|printf|fprintf|dprintf|\w*scanf)\((?:\"(?:\\.|[^\"\\])*\"|[^\";])*;", code):
                literals = "".join(re.findall(r"\"((?:\\.|[^\"\\])*)\"", call)).replace("%%", "")
                self.assertNotRegex(literals, real, f"{path}: lm_snprintf() of base/strings.h has decimal points in every locale")
                if "scanf" not in call:
                    self.assertIn("\"", call, f"{path}: the format is no literal: {call}")
            plain = re.findall(r"\b(vs?n?printf|vfprintf|strto(?:d|f|ld)|atof|strn?casecmp|uselocale|(?:to|is)(?:lower|upper)|"
                               r"is(?:al\w+|digit|space|blank|print|punct|xdigit))\(", code)
            self.assertEqual(plain, [], f"{path}: base/strings.h and base/ascii.h have the same for every locale")

    def test_sources_open_with_what_they_do(self):
        for path in sources():
            self.assertTrue(text(path).startswith("/*"), f"{path} has no opening comment")

    def test_names_in_prose_exist(self):
        code = "\n".join(without_comments(text(p)) for p in tree() if re.search(r"\.(c|h|cu|cuh|inc)$", p))
        known = set(re.findall(r"\b(?:lm|leman)_\w+", code))
        for path, words in prose():
            # A name that goes on (leman_*, lm_..., leman_KIND_new) stands for many.
            named = set(re.findall(r"\b(?:lm|leman)_[a-z0-9_]*[a-z0-9]\b(?![.*]*\*|\.\.\.)", words))
            self.assertEqual(sorted(named - known), [], f"{path} names what does not exist")

    def test_files_in_prose_exist(self):
        folders = "|".join(FLOORS + ["src", "include", "tests", "bench", "fuzz", "scripts"])
        paths = ["/" + p for p in tree()]
        for path, words in prose():
            for name in re.findall(rf"(?<![\w/.])((?:{folders})/[a-z0-9_/]+\.(?:c|h|cu|inc|py))\b", words):
                self.assertTrue(any(p.endswith("/" + name) for p in paths), f"{path} names {name}, which does not exist")


class Tree(unittest.TestCase):
    def test_no_machine_paths(self):
        # Folders of one person's machine. The pattern is put together so that it does not find itself.
        folders = "|".join(["work", "farm", "home/\\w", "root/", "Users", "tmp/wt"])
        pattern = re.compile(rf"(^|[^.\w$}}\"'])/({folders})(/|\b)", re.M)
        for path in tree():
            if path == "tests/house/test_floors.py" or os.path.getsize(os.path.join(ROOT, path)) > 1 << 20:
                continue
            found = pattern.search(text(path))
            self.assertIsNone(found, f"{path} names a folder of one machine: {found and found.group(0).strip()}")

    def test_portable_flags(self):
        for path in tree():
            if re.search(r"(CMakeLists\.txt|Makefile|\.cmake)$", path):
                self.assertNotIn("-march=native", text(path), path)

    def test_no_large_files(self):
        for path in tree():
            size = os.path.getsize(os.path.join(ROOT, path))
            self.assertLessEqual(size, 512 << 10, f"{path} is {size} bytes: data does not belong here")

    def test_skips_are_seen(self):
        """A test that is skipped makes its program exit with 77, so that ctest does not say Passed."""
        for path in tree():
            if re.match(r"tests/(?!support/).*\.c$", path):
                code = without_comments(text(path))
                self.assertNotRegex(code, r"\bskip\(\)", f"{path}: test_skip() says why, and is counted")
                if re.search(r"\btest_(skip|set)\(", code):
                    self.assertIn("return test_run(tests);", code, path)
            elif re.match(r"tests/(?!house/).*\.py$", path) and "skip" in text(path):
                self.assertNotIn("unittest.main()", text(path), f"{path}: program.main() makes skips seen")

    def test_links_of_the_pages(self):
        for path in tree():
            if path.endswith(".md"):
                for target in re.findall(r"\]\(([^)#\s]+)", text(path)):
                    if "://" not in target:
                        there = os.path.join(ROOT, os.path.dirname(path), target)
                        self.assertTrue(os.path.exists(there), f"{path} points to {target}, which does not exist")


if __name__ == "__main__":
    unittest.main()
