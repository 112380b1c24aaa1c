#!/usr/bin/env python3
"""mpirun -n P leman ...: the same command with the same bytes, once; one sentence where it fails."""
import json
import os
import re
import shutil
import signal
import subprocess
import time

import program

# How each MPI is started, with more ranks than cores.
OPEN_MPI = ("mpirun.openmpi", "--oversubscribe", "--allow-run-as-root")
MPICH = ("mpirun.mpich",)


# Without what our tests ask of glibc: the mpirun of Open MPI reads memory that it has freed.
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "GLIBC_TUNABLES"}


def built(name):
    return name in program.leman("--version").stdout.split("MPI: ")[1]


class Ranks:
    """What each MPI does."""

    def environment(self):
        """Open MPI keeps files in one folder for all jobs of a user; one that ends may take it away from one that begins."""
        return {**ENVIRONMENT, "OMPI_MCA_orte_tmpdir_base": self.folder}
    launcher, name = (), ""

    def setUp(self):
        super().setUp()
        self.command(self.launcher[0])
        if not built(self.name):
            self.skipTest(f"this build has no module for {self.name}")
        if program.holds("__asan_init"):
            self.skipTest("MPI libraries are not built with AddressSanitizer")
        self.data = self.path("M.zip")
        self.succeeds("generate", "molecules", "--graphs", "60", "-o", self.data, "-q")

    def start(self, ranks, *arguments, **options):
        options.setdefault("timeout", 120)
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("env", self.environment())
        if "input" in options:
            options.pop("stdin")
        return subprocess.run([*self.launcher, "-n", str(ranks), program.LEMAN, *arguments], capture_output=True,
                              text=True, **options)

    def same_file(self, name, ranks, *arguments):
        """The file that each number of ranks writes is that of the program alone."""
        one = self.path(f"one-{name}")
        self.succeeds(*arguments, "-o", one, "-q")
        with open(one, "rb") as file:
            want = file.read()
        for count in ranks:
            many = self.path(f"{count}-{name}")
            result = self.start(count, *arguments, "-o", many, "-q")
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(many, "rb") as file:
                self.assertEqual(file.read(), want, f"{arguments} on {count} ranks")
        self.assertEqual(self.left_over(), [])

    def sentences(self, result):
        return re.findall(r"(?m)^leman: .*$", result.stderr)

    def test_gram(self):
        self.same_file("K.npy", (2, 3, 4), "gram", self.data, "-a", "delta-2-LWL", "-r", "3", "--normalize")

    def test_little_memory(self):
        """Where matrix and pairs do not fit, all ranks take the same rows and slices."""
        data = self.path("L.zip")
        self.succeeds("generate", "molecules", "--graphs", "1200", "-o", data, "-q")
        self.same_file("K.npy", (2,), "gram", data, "-a", "1-WL", "--memory", "18M", "-t", "1")

    def test_features(self):
        self.same_file("F.svm", (3,), "features", self.data, "-a", "delta-2-LWL+SP", "-r", "2")
        for _ in range(2):  # the second time files are replaced
            self.same_file("F.npz", (4,), "features", self.data, "-a", "1-WL", "--normalize", "--with-labels")

    def test_features_that_all_ranks_write(self):
        """Slices are dealt out, and each rank writes the text of its own; what comes from a pipe too."""
        data = self.path("L.leman")
        self.succeeds("generate", "molecules", "--graphs", "900", "-o", data, "-q")
        self.same_file("F.mtx", (2, 4), "features", data, "-a", "delta-2-LWL", "-r", "1", "--with-labels", "-t", "1")
        self.succeeds("convert", data, self.path("L.g6"), "-q")
        one = self.succeeds("features", self.path("L.g6"), "-a", "1-WL", "--hash-bits", "8", "-o", "-", "-q").stdout
        with open(self.path("L.g6"), encoding="ascii") as file:
            many = self.start(3, "features", "-", "-a", "1-WL", "--hash-bits", "8", "-t", "1", "-o", "-", "-q", input=file.read())
        self.assertEqual(many.stdout, one, many.stderr)
        result = self.start(3, "features", data, "-a", "1-WL", "-t", "1", "-o", self.path("F.svm"), "--json", "-q")
        work = [rank["work"] for rank in json.loads(result.stdout)["ranks"]]
        self.assertEqual(sum(work), 900)
        self.assertLess(max(work), 500)

    def test_colors(self):
        for count in 2, 4:
            result = self.start(count, "colors", self.data, "-r", "stable")
            self.assertEqual(result.stdout, self.succeeds("colors", self.data, "-r", "stable").stdout)

    def test_standard_input_is_that_of_rank_0(self):
        self.succeeds("convert", self.data, self.path("M.g6"), "-q")
        with open(self.path("M.g6"), encoding="ascii") as file:
            lines = file.read()
        result = self.start(3, "gram", "-", "-a", "1-WL", "-o", "-", "-q", input=lines)
        self.assertEqual(result.stdout, self.succeeds("gram", self.path("M.g6"), "-a", "1-WL", "-o", "-", "-q").stdout)

    def test_traffic(self):
        """What the ranks report: every byte that is sent is received, and work is shared."""
        result = self.start(3, "gram", self.data, "-a", "delta-2-LWL", "-o", self.path("K.npy"), "--json")
        ranks = json.loads(result.stdout)["ranks"]
        self.assertEqual([rank["rank"] for rank in ranks], [0, 1, 2])
        self.assertEqual(sum(rank["sent"] for rank in ranks), sum(rank["received"] for rank in ranks))
        work = [rank["work"] for rank in ranks]
        self.assertLessEqual(max(work), 1.2 * sum(work) / 3)

    def test_evaluate(self):
        """Folds are handed out to ranks; every digit is that of one process, whatever the SVM."""
        for svm in "kernel", "linear":
            asked = ("evaluate", self.data, "-a", "1-WL", "-r", "0-2", "--folds", "5", "--repetitions", "2", "--svm", svm,
                     "--json", "-q")
            one = self.numbers(self.succeeds(*asked).stdout)
            for count in (2,) if svm == "linear" else (3,):
                result = self.start(count, *asked)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(self.numbers(result.stdout), one)

    def test_fewer_folds_than_ranks(self):
        """Each number of rounds of the last folds is a task: two folds of three rounds are six of them."""
        asked = ("evaluate", self.data, "-a", "1-WL", "-r", "0-2", "--folds", "2", "--repetitions", "1", "-t", "1", "--json", "-q")
        one = self.numbers(self.succeeds(*asked).stdout)
        for count in (3, 4):
            result = self.start(count, *asked, "--resume", self.path(f"few{count}.journal"))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(self.numbers(result.stdout), one)
            self.assertGreaterEqual(sum(rank["work"] for rank in json.loads(result.stdout)["ranks"]), 6)
            again = self.succeeds(*asked, "--resume", self.path(f"few{count}.journal"))
            self.assertEqual(self.numbers(again.stdout), one)
            self.assertEqual(self.lines(self.path(f"few{count}.journal")), 3)
            over = self.start(count, *asked, "--resume", self.path(f"few{count}.journal"))  # nothing is left to do
            self.assertEqual(self.numbers(over.stdout), one)
            self.assertFalse([name for name in os.listdir(self.folder) if ".rank" in name])

    def numbers(self, text):
        """Everything but what depends on the time and the processes."""
        def strip(value):
            if isinstance(value, dict):
                return {key: strip(part) for key, part in value.items()
                        if not key.startswith("seconds") and key not in ("ranks", "resumed")}
            return [strip(part) for part in value] if isinstance(value, list) else value
        return strip(json.loads(text))

    def process_of(self, rank, word):
        """The id of the process of a rank whose command line has this word."""
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    if word.encode() not in file.read() or os.path.realpath(f"/proc/{name}/exe") != os.path.realpath(program.LEMAN):
                        continue
                with open(f"/proc/{name}/environ", "rb") as file:
                    variables = file.read().split(b"\0")
            except OSError:
                continue
            if any(v in variables for v in (b"OMPI_COMM_WORLD_RANK=%d" % rank, b"PMI_RANK=%d" % rank)):
                return int(name)
        return None

    def test_a_lost_rank_loses_no_finished_fold(self):
        """A rank is killed after some folds: the run ends, and goes on with what all ranks had finished."""
        data, journal = self.path("L.zip"), self.path("run.journal")
        self.succeeds("generate", "molecules", "--graphs", "300", "-o", data, "-q")
        asked = ("evaluate", data, "-a", "delta-2-LWL", "-r", "0-3", "--folds", "10", "--repetitions", "5", "--json", "-t", "1")
        with subprocess.Popen([*self.launcher, "-n", "3", program.LEMAN, *asked, "--resume", journal], text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=self.environment()) as run:
            def finished():
                return os.path.exists(f"{journal}.rank2") and self.lines(f"{journal}.rank2") > 2
            for _ in range(3000):
                if finished() or run.poll() is not None:
                    break
                time.sleep(0.01)
            process = self.process_of(1, journal)
            self.assertIsNotNone(process, "the run was over before its rank could be killed")
            os.kill(process, signal.SIGKILL)
            said = "".join(run.communicate(timeout=60))
            self.assertNotEqual(run.returncode, 0)
            self.assertRegex(said, "(?i)signal|killed", "mpirun says what happened")
        kept = sum(self.lines(path) - 1 for path in (journal, f"{journal}.rank1", f"{journal}.rank2"))
        self.assertGreater(kept, 3)
        again = self.start(2, *asked, "--resume", journal)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn(f"found {kept} finished folds", again.stderr)
        self.assertEqual(self.lines(journal), 51)
        self.assertFalse([name for name in os.listdir(self.folder) if ".rank" in name])
        self.assertEqual(self.numbers(again.stdout), self.numbers(self.succeeds(*asked, "-q").stdout))

    def test_an_interrupted_rank_does_not_leave_a_call_in_its_middle(self):
        """One that is told to stop while it waits goes on to where all learn of it: what it sends and receives stays
        in place, and there is one sentence."""
        data, matrix = self.path("I.leman"), self.path("interrupted.npy")
        self.succeeds("generate", "molecules", "--graphs", "10000", "-o", data, "-q")
        command = (program.LEMAN, "gram", data, "-a", "delta-2-LWL", "-r", "3", "-t", "1", "-o", matrix)
        with subprocess.Popen([*self.launcher, "-n", "2", *command], text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment()) as run:
            late = None
            while late is None and run.poll() is None:
                time.sleep(0.02)
                late = self.process_of(0, matrix)
            time.sleep(1)  # until they have joined
            os.kill(late, signal.SIGSTOP)
            time.sleep(2)  # the other has nothing left to do
            os.kill(self.process_of(1, matrix), signal.SIGINT)
            time.sleep(0.5)
            os.kill(late, signal.SIGCONT)
            said = run.communicate(timeout=60)[1]
            self.assertNotEqual(run.returncode, 0)
        self.assertRegex("\n".join(re.findall("leman: .*", said)), r"\Aleman: [^\n]+ was stopped\Z", said)
        self.assertFalse([name for name in os.listdir(self.folder) if "interrupted.npy" in name])

    def lines(self, path):
        with open(path, "rb") as file:
            return file.read().count(b"\n")

    def test_train(self):
        """Two ranks do what two devices of one process do, to the bit: each adds up gradients in the order of the ranks."""
        asked = ("train", self.data, "--model", "local", "-k", "2", "--layers", "2", "--width", "8", "--epochs", "2", "--batch",
                 "8", "--json", "-q")
        one = json.loads(self.succeeds(*asked, "--device", "cpu,cpu").stdout)
        result = self.start(2, *asked, "--checkpoint", self.path("network.bin"))
        self.assertEqual(result.returncode, 0, result.stderr)
        many = json.loads(result.stdout)
        for a, b in zip(one["epochs"], many["epochs"], strict=True):
            for key in "train_loss", "val_error", "test_error":
                self.assertEqual(a[key], b[key])
        self.succeeds("predict", "--model", self.path("network.bin"), self.data, "-o", self.path("P.csv"), "-q")

    def test_other_commands_run_once(self):
        result = self.start(3, "info", self.data, "--memory", "1G")
        self.assertEqual(result.stdout, self.succeeds("info", self.data, "--memory", "1G").stdout)

    def test_in_another_program(self):
        """leman/mpi.h in a program that has its own MPI, on parts of its ranks."""
        compiler = self.command(self.launcher[0].replace("mpirun", "mpicc"))
        host, build = self.path("host"), os.path.dirname(program.LEMAN)
        if not os.path.exists(os.path.join(build, "libleman.so")):
            self.skipTest("the shared library is not built")
        done = subprocess.run([compiler, "-std=c17", "-Wall", "-Wextra", "-Werror", "-I", os.path.join(program.SOURCE, "include"),
                               os.path.join(program.SOURCE, "tests", "cli", "mpi_host.c"), "-L", build, "-lleman",
                               f"-Wl,-rpath,{build}", "-o", host], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        result = subprocess.run([*self.launcher, "-n", "4", host], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                                timeout=120, env=self.environment())
        self.assertEqual(result.stdout, "same\n", result.stderr)

    def test_failures(self):
        """One sentence, whether all ranks fail or one does."""
        missing = self.start(3, "colors", self.path("nothing.zip"))
        self.assertEqual(missing.returncode, 1)
        self.assertEqual(len(self.sentences(missing)), 1, missing.stderr)
        unwritable = self.start(2, "gram", self.data, "-a", "1-WL", "-o", self.path("no", "K.npy"))
        self.assertEqual(unwritable.returncode, 1)
        self.assertEqual(len(self.sentences(unwritable)), 1, unwritable.stderr)
        alone = self.start(1, "colors", self.data, ":", "-n", "1", program.LEMAN, "colors", self.path("nothing.zip"))
        self.assertEqual(alone.returncode, 1)
        self.assertEqual(len(self.sentences(alone)), 1, alone.stderr)
        self.assertIn("nothing.zip", self.sentences(alone)[0])
        self.assertEqual(alone.stdout, "")
        wrong = self.start(2, "colors", "--nonsense")
        self.assertEqual(wrong.returncode, 2)
        self.assertEqual(len(self.sentences(wrong)), 1, wrong.stderr)

    def on_ranks(self, *arguments, ranks=3, timeout=120):
        """Every rank with {} as its number, but for rank 2, which has that of rank 0."""
        script = ('r=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; [ "$r" = 2 ] && r=0; for a; do shift; '
                  'set -- "$@" "$(printf %s "$a" | sed "s/{}/$r/g")"; done; exec "$@"')
        return subprocess.run([*self.launcher, "-n", str(ranks), "sh", "-c", script, "sh", program.LEMAN, *arguments],
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=timeout, env=self.environment())

    def differs(self, what, *arguments):
        """One sentence that names the rank and what it has; nothing is written, and nobody is left waiting."""
        result = self.on_ranks(*arguments)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(len(self.sentences(result)), 1, result.stderr)
        self.assertRegex(self.sentences(result)[0], f"^leman: rank 1 of 3: found {what} than on rank 0")
        self.assertEqual(result.stdout, "")
        self.assertFalse([name for name in os.listdir(self.folder) if name.startswith("result.")])

    def test_other_data(self):
        """A stale copy on one computer: the same number of graphs, or a few fewer."""
        for graphs, seed in ("60", "5"), ("58", "0"):
            for name, chosen in ("same0", ("60", "0")), ("same1", (graphs, seed)):
                self.succeeds("generate", "molecules", "--graphs", chosen[0], "--seed", chosen[1], "-o",
                              self.path(f"{name}.leman"), "-q")
                self.succeeds("convert", self.path(f"{name}.leman"), self.path(f"{name}.g6"), "-q")
            for ending in ".leman", ".g6":
                data = self.path("same{}" + ending)
                self.differs("other data", "gram", data, "-a", "1-WL", "-o", self.path("result.npy"))
                self.differs("other data", "features", data, "-a", "1-WL", "-o", self.path("result.svm"))
                self.differs("other data", "features", data, "-a", "1-WL", "-o", self.path("result.npz"))
                self.differs("other data", "colors", data)
            data = self.path("same{}.leman")
            self.differs("other data", "gram", self.data, "--against", data, "-a", "1-WL", "-o", self.path("result.npy"))
            self.differs("other data", "evaluate", data, "-a", "1-WL", "-r", "0-1", "--folds", "3", "--repetitions", "1")
            self.differs("other data", "train", data, "--model", "gin", "--layers", "1", "--width", "4", "--epochs", "1")

    def test_other_files(self):
        """Columns that one rank does not have, or has from other data; the same data under other names is fine."""
        for rank, seed in ("0", "0"), ("1", "5"):
            data = self.path(f"other{rank}.zip")
            self.succeeds("generate", "molecules", "--graphs", "60", "--seed", seed, "-o", data, "-q")
            self.succeeds("features", data, "-a", "1-WL", "--columns", self.path(f"map{rank}"), "-o", self.path("F.svm"), "-q")
        self.differs("other options", "features", self.data, "-a", "1-WL", "--columns", self.path("map{}"), "-o",
                     self.path("result.svm"))
        os.remove(self.path("map1"))
        self.differs("other options", "features", self.data, "-a", "1-WL", "--columns", self.path("map{}"), "-o",
                     self.path("result.svm"))
        for rank in "01":
            shutil.copy(self.data, self.path(f"copy{rank}.zip"))
        result = self.on_ranks("colors", self.path("copy{}.zip"), "-t", "1{}")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_other_command(self):
        """Other options, or another command; and a file that one rank alone does not have."""
        self.differs("another command line", "colors", self.data, "-r", "{}")
        self.differs("another command line", "gram", self.data, "-a", "1-WL", "-r", "{}", "-o", self.path("result.npy"))
        result = self.start(1, "colors", self.data, ":", "-n", "1", program.LEMAN, "info", self.data)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(len(self.sentences(result)), 1, result.stderr)
        shutil.copy(self.data, self.path("lost0.zip"))
        for command in ("colors",), ("gram", "-a", "1-WL", "-o", self.path("result.npy")):
            result = self.on_ranks(*command, self.path("lost{}.zip"))
            self.assertEqual(result.returncode, 1)
            self.assertEqual(len(self.sentences(result)), 1, result.stderr)
            self.assertIn("lost1.zip: cannot be opened", self.sentences(result)[0])


@program.needs("command")
class OpenMPI(Ranks, program.Case):
    launcher, name = OPEN_MPI, "Open MPI"


@program.needs("command")
class Mpich(Ranks, program.Case):
    launcher, name = MPICH, "MPICH"


class WithoutModule(program.Case):
    """Processes that mpirun started, of a program that has no module for it, do not all write the same file."""

    def test_refuses(self):
        alone = self.path("leman")
        shutil.copy(program.LEMAN, alone)
        for rank, sentences in ("0", 1), ("1", 0):
            for variables in ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"), ("PMI_SIZE", "PMI_RANK"):
                environment = dict(os.environ, **{variables[0]: "2", variables[1]: rank})
                result = subprocess.run([alone, "generate", "csl", "-o", self.path("C.g6")], capture_output=True, text=True,
                                        env=environment, timeout=60)
                self.assertEqual(result.returncode, 1)
                self.assertEqual(result.stderr.count("leman: "), sentences, result.stderr)
                self.assertFalse(os.path.exists(self.path("C.g6")))

    def test_can_be_switched_off(self):
        environment = dict(os.environ, OMPI_COMM_WORLD_SIZE="2", OMPI_COMM_WORLD_RANK="1", LEMAN_MPI="0")
        self.succeeds("generate", "csl", "-o", self.path("C.g6"), "-q", env=environment)
        self.assertTrue(os.path.exists(self.path("C.g6")))

    def test_version(self):
        self.assertRegex(program.leman("--version").stdout, r"(?m)^MPI: (not built in|Open MPI|MPICH|Open MPI, MPICH)$")


if __name__ == "__main__":
    program.main()
