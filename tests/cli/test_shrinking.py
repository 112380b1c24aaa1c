#!/usr/bin/env python3
"""A file that becomes shorter while the program reads it: one sentence, or a result from what was read; never a signal."""
import os
import subprocess
import threading

import program
from program import Case, holds, leman

# Loaded in front of the C library: the file of $SHRINK is cut off at the $SHRINK_AT-th read of it, or once it is mapped.
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int reads;

static void shrink(int file, int by_map)
{
    const char *path = getenv("SHRINK"), *at = getenv("SHRINK_AT");
    struct stat a, b;
    if (!path || !at || file < 0 || fstat(file, &a) || stat(path, &b)) return;
    if (a.st_dev != b.st_dev || a.st_ino != b.st_ino) return;
    if (by_map || ++reads == atoi(at)) (void)!truncate(path, 0);
}

ssize_t read(int file, void *to, size_t size)
{
    ssize_t (*real)(int, void *, size_t) = (ssize_t(*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
    shrink(file, 0);
    return real(file, to, size);
}

void *mmap(void *at, size_t size, int protection, int flags, int file, off_t from)
{
    void *(*real)(void *, size_t, int, int, int, off_t) =
        (void *(*)(void *, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, "mmap");
    void *mapped = real(at, size, protection, flags, file, from);
    shrink(file, 1);
    return mapped;
}
"""


@program.needs("command")
class Shrinking(Case):
    def setUp(self):
        super().setUp()
        if holds("__asan_init", "__msan_init"):
            self.skipTest("a sanitizer wants to be loaded first")
        self.shim = self.path("shim.so")
        subprocess.run([self.command("cc", "gcc", "clang"), "-shared", "-fPIC", "-o", self.shim,
                        self.write("shim.c", SHIM), "-ldl"], check=True)
        self.data = self.path("m.zip")
        self.succeeds("generate", "molecules", "--graphs", "60", "-o", self.data, "-q")

    def shrinks(self, path, *arguments):
        """The program with the file cut off at its first, second, third read."""
        with open(path, "rb") as file:
            content = file.read()
        said = []
        for at in ("1", "2", "3"):
            environment = dict(os.environ, LD_PRELOAD=self.shim, SHRINK=path, SHRINK_AT=at)
            result = leman(*arguments, env=environment)
            self.assertIn(result.returncode, (0, 1), f"{arguments}: {result.stderr}")  # -7 is SIGBUS
            if result.returncode:
                self.assertRegex(result.stderr, r"\A(leman: [^\n]+\n)+\Z")
                self.assertIn(os.path.basename(path), result.stderr)
            said.append(result.stderr)
            with open(path, "wb") as file:
                file.write(content)
        self.assertTrue(any("cut off" in text for text in said), f"{arguments}: {said}")

    def test_data_sets(self):
        for ending in ("leman", "g6", "s6", "csv"):
            path = self.path("d." + ending)
            self.succeeds("convert", self.data, path, "-q")
            self.shrinks(path, "info", path)
        self.shrinks(self.data, "info", self.data)
        folder = self.path("folder")
        self.succeeds("convert", self.data, folder, "-q")
        for name in os.listdir(folder):
            self.shrinks(os.path.join(folder, name), "colors", folder)
        pairs = self.write("pairs.tsv", "C~\tC~\n")
        self.shrinks(pairs, "distinguish", "--pairs", pairs)

    def test_what_was_learned(self):
        model, net, columns, journal = map(self.path, ("svm.model", "net", "f.lmf", "journal"))
        evaluation = ("evaluate", self.data, "-r", "0-1", "--folds", "3", "--repetitions", "1", "--resume", journal, "-q")
        self.succeeds("fit", self.data, "-k", "1", "-o", model, "-q")
        self.succeeds("train", self.data, "--epochs", "1", "--width", "8", "--checkpoint", net, "-q")
        self.succeeds("features", self.data, "-k", "1", "-o", columns, "-q")
        self.succeeds(*evaluation)
        self.shrinks(model, "predict", "--model", model, self.data, "-o", self.path("p.csv"))
        self.shrinks(net, "predict", "--model", net, self.data, "-o", self.path("p.csv"))
        self.shrinks(net, "train", self.data, "--epochs", "1", "--width", "8", "--checkpoint", net, "--resume")
        self.shrinks(columns, "features", self.data, "-k", "1", "--columns", columns, "-o", self.path("g.svm"))
        self.shrinks(journal, *evaluation)


class Read(Case):
    def test_after_it_was_read(self):
        """The first data set is cut off while the program waits for the second: what was read stays."""
        first, second, pipe = self.path("first.leman"), self.path("second.g6"), self.path("pipe")
        self.succeeds("generate", "random", "--graphs", "40", "-o", first, "-q")
        self.succeeds("generate", "random", "--graphs", "5", "--seed", "2", "-o", second, "-q")
        self.succeeds("gram", first, "--against", second, "-o", self.path("whole.npy"), "-q")
        os.mkfifo(pipe)

        def feed():
            with open(pipe, "wb") as to, open(second, "rb") as file:  # opens when the program does
                os.truncate(first, 0)
                to.write(file.read())

        thread = threading.Thread(target=feed, daemon=True)
        thread.start()
        result = leman("gram", first, "--against", pipe, "-o", self.path("cut.npy"), "-q")
        self.assertEqual(result.returncode, 0, result.stderr)
        thread.join()
        with open(self.path("whole.npy"), "rb") as a, open(self.path("cut.npy"), "rb") as b:
            self.assertEqual(a.read(), b.read())


if __name__ == "__main__":
    program.main()
