#!/usr/bin/env python3
"""Limits that the system sets: little address space, small stacks, few threads. Every command ends with its result, or
with exit 1 and one sentence; it never hangs, dies of a signal, or leaves a temporary file."""
import os
import resource
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(__file__))
import program
from program import Case, LEMAN, leman

KIB, MIB = 1 << 10, 1 << 20
SANITIZED = program.holds("__asan_init", "__tsan_init")


@unittest.skipIf(SANITIZED, "sanitizers take address space and stack of their own")
class Limits(Case):
    SMALL = ("-a", "GIN-0", "--epochs", "1", "--width", "4", "--layers", "2")

    def setUp(self):
        super().setUp()
        self.data = self.path("data.leman")
        self.succeeds("generate", "molecules", "--graphs", "40", "-o", self.data, "-q")
        self.net = self.path("net.lmn")
        self.succeeds("train", self.data, *self.SMALL, "--checkpoint", self.net, "-q")
        self.commands = {
            "train": ("train", self.data, *self.SMALL),
            "predict": ("predict", "--model", self.net, self.data),
            "features": ("features", self.data, "-a", "WL", "-o", self.path("features.svm")),
            "evaluate": ("evaluate", self.data, "-a", "WL", "--repetitions", "1"),
            "gram": ("gram", self.data, "-a", "WL", "-o", self.path("gram.npy")),
            "colors": ("colors", self.data, "-a", "WL"),
        }

    def limited(self, limits, *arguments):
        """Exit status and standard error of the program under limits {which: bytes}."""
        def set_limits():
            for which, value in limits.items():
                resource.setrlimit(which, (value, value))
        result = subprocess.run([LEMAN, *arguments], preexec_fn=set_limits, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, timeout=120)
        return result.returncode, result.stderr

    def ends_well(self, limits, *arguments):
        status, message = self.limited(limits, *arguments, "-q")
        self.assertIn(status, (0, 1), f"{limits} {arguments}: {status} {message}")
        self.assertRegex(message, r"\Aleman: [^\n]+\n\Z" if status else r"\A\Z", f"{limits} {arguments}")
        self.assertEqual(self.left_over(), [])
        return status == 0

    def least_space(self):
        """Address space, in MiB, in which the program itself starts."""
        least = 8
        while self.limited({resource.RLIMIT_AS: least * MIB}, "--version")[0] != 0:
            least += 4
        return least

    def test_a_zip_in_little_space(self):
        """A zip for which memory is short is not called damaged."""
        data, least, short = self.path("data.zip"), self.least_space(), 0
        self.succeeds("generate", "molecules", "--graphs", "40", "-o", data, "-q")
        for space in range(8, least + 64, 4):
            status, message = self.limited({resource.RLIMIT_AS: space * MIB}, "info", data, "-q")
            if status and message.startswith("leman: "):  # otherwise its libraries cannot be loaded
                self.assertRegex(message, r"\Aleman: [^\n]*memory[^\n]*\n\Z", space)
                short += 1
        self.assertGreater(short, 0)

    def test_address_space(self):
        least = self.least_space()
        for name, command in self.commands.items():
            ended = []
            for more in (0, 4, 12, 30, 60, 130, 150, 350):
                for threads in ("1", "16"):
                    ended.append(self.ends_well({resource.RLIMIT_AS: (least + more) * MIB}, *command, "-t", threads))
            self.assertTrue(ended[-1] and ended[-2], name)  # 350 MiB suffice

    def test_stack(self):
        for size in (32 * KIB, 64 * KIB, 256 * KIB):
            for command in self.commands.values():
                for threads in ("1", "4"):
                    self.assertTrue(self.ends_well({resource.RLIMIT_STACK: size}, *command, "-t", threads))

    def test_same_results(self):
        """Fewer threads than asked for give the same bytes."""
        whole = leman(*self.commands["predict"], "-q", "-t", "4").stdout
        space = (self.least_space() + 160) * MIB
        result = subprocess.run([LEMAN, *self.commands["predict"], "-q", "-t", "4"], stdout=subprocess.PIPE, text=True,
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (space, space)), timeout=120)
        self.assertEqual((result.returncode, result.stdout), (0, whole))

    def test_few_processes(self):
        """Where the system lets a user have few threads the program uses fewer. (For root the limit does not hold.)"""
        for command in self.commands.values():
            self.ends_well({resource.RLIMIT_NPROC: 1}, *command, "-t", "16")


if __name__ == "__main__":
    program.main()
