#!/usr/bin/env python3
"""The program among others: pipes that close, signals, terminals."""
import os
import pty
import resource
import signal
import subprocess
import threading
import time

import program
from program import LEMAN, Case, leman


class Process(Case):
    def graphs(self, count):
        return self.write("many.g6", "EhEG\n" * count)

    def test_a_closed_pipe_is_quiet(self):
        line = f"'{LEMAN}' convert '{self.graphs(20000)}' - --to graph6 --quiet | head -c 1 >'{self.path('one')}'; " \
               "exit ${PIPESTATUS[0]}"
        run = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60)
        self.assertEqual((run.returncode, run.stderr), (1, ""))

    def test_a_closed_pipe_ends_every_writer(self):
        many = self.write("many.smi", "CCO m\n" * 50000)
        for name in ("sdf", "smiles", "edge-list", "tu-zip", "graph6", "sparse6", "binary"):
            line = f"'{LEMAN}' convert '{many}' - --to {name} --quiet | head -c 1 >'{self.path('one')}'; exit ${{PIPESTATUS[0]}}"
            run = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60)
            self.assertEqual((run.returncode, run.stderr), (1, ""), name)

    def test_a_signal_ends_a_writer_of_files(self):
        """A file of molecules is half written when the signal comes: it goes away, and so does the program."""
        many = self.write("many.smi", "CCOc1ccccc1C(=O)NCCCC1CCCCC1 m\n" * 200000)
        for name in ("out.sdf", "out.smi", "out.csv"):
            before = sorted(os.listdir(self.folder))
            child = subprocess.Popen([LEMAN, "convert", many, self.path(name), "--quiet"], stdin=subprocess.DEVNULL,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            while sorted(os.listdir(self.folder)) == before and child.poll() is None:
                time.sleep(0.001)
            child.send_signal(signal.SIGTERM)
            child.wait(timeout=30)
            self.assertEqual((child.returncode, b"interrupted" in child.stderr.read()), (1, True), name)
            self.assertEqual(sorted(os.listdir(self.folder)), before)
            child.stderr.close()

    def test_starts_in_little_address_space(self):
        """No library under it starts threads or takes memory for them before there is work."""
        if program.holds("__asan_init"):
            self.skipTest("sanitizers take terabytes of address space")
        if program.holds("libopenblas.so"):
            self.skipTest("this build has no copy of OpenBLAS of its own, and a shared one may start threads")
        size = 100000 << 10
        run = subprocess.run([LEMAN, "--version"], capture_output=True, text=True, timeout=20,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertRegex(run.stdout, r"\Aleman [0-9.]+\nCUDA: .+\nMPI: .+\n\Z")

    def test_signals_end_a_wait_in_order(self):
        for number, command in (signal.SIGINT, "info"), (signal.SIGTERM, "info"), (signal.SIGINT, "features"):
            child = subprocess.Popen([LEMAN, command, "-", "--from", "graph6", "-o", "-"], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(0.3)
            child.send_signal(number)
            begin = time.monotonic()
            child.wait(timeout=10)
            self.assertLess(time.monotonic() - begin, 5)
            self.assertEqual(child.returncode, 1)
            self.assertEqual(child.stderr.read(), "leman: interrupted: reading standard input was stopped\n")
            self.assertEqual(child.stdout.read(), "")
            for stream in (child.stdin, child.stdout, child.stderr):
                stream.close()

    def test_an_interrupted_writer_leaves_nothing(self):
        """The output is a pipe that nobody reads: the writer waits until the signal comes."""
        child = subprocess.Popen([LEMAN, "convert", self.graphs(200000), "-", "--to", "graph6", "--quiet"],
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        child.wait(timeout=10)
        self.assertEqual(child.returncode, 1)
        self.assertIn(b"interrupted", child.stderr.read())
        self.assertEqual(self.left_over(), [])
        child.stdout.close()
        child.stderr.close()

    def test_a_file_that_grows_too_large(self):
        """Beyond RLIMIT_FSIZE a write fails with a sentence that names the file, and nothing is left of it."""
        # LLVM's OpenMP writes a file of 1,024 bytes when it starts.
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, resource.RLIM_INFINITY))
        data, model = self.path("d.leman"), self.path("m.model")
        self.succeeds("generate", "molecules", "--graphs", "80", "-o", data, "-q")
        self.succeeds("fit", data, "-a", "wl:1", "-r", "1", "--folds", "3", "-o", model, "-q")
        protocol = ("evaluate", data, "-a", "wl:1", "-r", "0-1", "--folds", "5", "--repetitions", "8")
        train = ("train", data, "--model", "gin", "--width", "8", "--epochs", "1")
        before = sorted(os.listdir(self.folder))
        for name, arguments in [("x" + ending, ("convert", data, "OUT")) for ending in
                                (".leman", ".zip", ".g6", ".s6", ".csv", "")] + [
                ("g.zip", ("generate", "molecules", "--graphs", "100", "-o", "OUT")),
                ("k.npy", ("gram", data, "-o", "OUT")), ("k.csv", ("gram", data, "-o", "OUT")),
                ("k.svm", ("gram", data, "-o", "OUT")), ("f.svm", ("features", data, "-o", "OUT")),
                ("f.npz", ("features", data, "-o", "OUT")), ("f.mtx.gz", ("features", data, "-r", "8", "-o", "OUT")),
                ("f.lmf", ("features", data, "-o", "OUT")), ("m2.model", ("fit", data, "-o", "OUT")),
                ("c.map", ("features", data, "--columns", "OUT", "-o", "-")),
                ("p.html", protocol + ("--report", "OUT")), ("s.txt", protocol + ("--write-splits", "OUT")),
                ("n.lmn", train + ("--checkpoint", "OUT")), ("n.npz", train + ("--export", "OUT")),
                ("n.html", train + ("--report", "OUT")), ("t.npy", ("colors", data, "--graph", "1", "--tuple-colors",
                                                                    "-k", "3", "-o", "OUT")),
                ("p.csv", ("predict", "--model", model, data, "-o", "OUT"))]:
            path = self.path(name)
            run = leman(*(path if word == "OUT" else word for word in arguments), "-q", preexec_fn=limit)
            self.assertEqual(run.returncode, 1, f"{name}: {run.stderr}")
            self.assertRegex(run.stderr, r"\Aleman: [^\n]*File too large[^\n]*\n\Z", name)
            self.assertIn(self.path(name.split(".")[0]), run.stderr)
            self.assertEqual(sorted(os.listdir(self.folder)), before, name)
        run = leman(*protocol, "--resume", self.path("j"), "-q", preexec_fn=limit)  # which keeps what it holds
        self.assertEqual((run.returncode, "File too large" in run.stderr), (1, True), run.stderr)
        whole = self.json(*protocol)
        self.assertEqual(self.json(*protocol, "--resume", self.path("j"))["test_mean"], whole["test_mean"])
        with open(self.path("stdout"), "w") as out:
            run = leman("convert", data, "-", "--to", "tu-zip", stdout=out, preexec_fn=limit)
        self.assertEqual((run.returncode, "standard output" in run.stderr), (1, True), run.stderr)

    def on_a_terminal(self, *arguments, feed):
        """Standard error is a terminal; what it shows. feed(write) sends standard input."""
        try:
            master, slave = pty.openpty()
        except OSError as error:
            self.skipTest(f"no terminal to be had: {error}")  # as in a bare chroot
        child = subprocess.Popen([LEMAN, *arguments], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=slave,
                                 env=dict(os.environ, TERM="xterm"))
        os.close(slave)
        sender = threading.Thread(target=feed, args=(child.stdin,))
        sender.start()
        shown = b""
        try:
            while True:
                part = os.read(master, 4096)
                if not part:
                    break
                shown += part
        except OSError:  # the terminal's other end is closed
            pass
        sender.join()
        os.close(master)
        self.assertEqual(child.wait(timeout=10), 0)
        return shown.decode()

    @staticmethod
    def slowly(stream):
        for _ in range(8):
            stream.write(b"EhEG\n" * 100)
            stream.flush()
            time.sleep(0.15)
        stream.close()

    def test_a_bar_on_a_terminal(self):
        shown = self.on_a_terminal("info", "-", "--from", "graph6", feed=self.slowly)
        self.assertIn("reading standard input", shown)
        self.assertTrue(shown.endswith("\r\033[K"), repr(shown))
        self.assertEqual(self.on_a_terminal("info", "-", "--from", "graph6", "--quiet", feed=self.slowly), "")


if __name__ == "__main__":
    program.main()
