#!/usr/bin/env python3
"""Files of ours that were made wrong on purpose, with their checksums right: nothing hangs or crashes, the file is named."""
import os
import subprocess
import sys

import program
from program import LEMAN, PATIENCE, SOURCE, Case
from test_tasks import tasks

sys.path.insert(0, os.path.join(SOURCE, "tests", "base"))
from golden_hash import checksum  # noqa: E402: the checksum of base/hash.h in plain integers

LARGEST = (1 << 64) - 1
NAME_BYTES = 24 + 8 * 14  # of a data set, by docs/formats.md
HEADER = 192


def word(value):
    return value.to_bytes(8, "little")


def number(content, at, size=8):
    return int.from_bytes(content[at:at + size], "little")


def sealed(content):
    """A file of base/serialize.h with the checksum that belongs to it."""
    return content[:16] + word(checksum(content[24:], number(content, 8))) + content[24:]


def sealed_data(content):
    """The same of a data set: header, name and block, each the seed of the next."""
    name = min((number(content, NAME_BYTES) + 63) // 64 * 64, len(content) - HEADER)
    total = checksum(content[24:HEADER], number(content, 12, 4))
    for part in (content[HEADER:HEADER + name], content[HEADER + name:]):
        total = checksum(part, total)
    return content[:16] + word(total) + content[24:]


def replaced(content, at, value):
    return content[:at] + word(value) + content[at + 8:]


class Forged(Case):
    def setUp(self):
        super().setUp()
        self.data = self.path("inside.leman")
        self.succeeds("generate", "molecules", "--graphs", "12", "-o", self.data, "-q")

    def content(self, path):
        with open(path, "rb") as file:
            return file.read()

    def sentence(self, path, *command):
        """What the program says about it, "" where it takes it; it ends soon, with 0 or 1, and names the file."""
        done = subprocess.run([LEMAN, *command], capture_output=True, timeout=20 * PATIENCE, stdin=subprocess.DEVNULL, cwd=self.folder)
        said = done.stderr.decode()
        self.assertIn(done.returncode, (0, 1), said)
        done.stdout.decode()  # printable, whatever the file holds
        if not done.returncode:
            return ""
        self.assertTrue(said.startswith(f"leman: {path}: "), said)
        return said

    def sweep(self, content, seal, places, *command):
        """Every one of these words becomes an impossible count; how many were refused."""
        refused = 0
        for at in places:
            for value in (0, LARGEST):
                forged = replaced(content, at, value)
                if forged == content:
                    continue
                self.write("a", seal(forged))
                refused += bool(self.sentence("a", *command))
        return refused

    def test_data(self):
        content = self.content(self.data)
        self.assertEqual(sealed_data(content), content)
        counts = range(24, 24 + 8 * 18, 8)
        self.assertGreater(self.sweep(content, sealed_data, counts, "info", "a", "-q"), 20)
        block = HEADER + 64
        self.assertGreater(self.sweep(content, sealed_data, range(block, len(content), 64 * 5), "info", "a", "-q"), 10)

    def test_the_name_inside(self):
        """The name of the data set in the file is shown as printable text and never stands for the file."""
        content = self.content(self.data)
        for name in (b"\xff\x1b[31m\x07x", b"elsewhere", b"a: found"):
            forged = bytearray(content)
            forged[HEADER:HEADER + 64] = name.ljust(64, b"\0")
            forged[NAME_BYTES:NAME_BYTES + 8] = word(len(name))
            path = self.write("f.leman", sealed_data(bytes(forged)))
            for line in (self.succeeds("info", path).stdout, self.succeeds("info", path, "--json").stdout):
                self.assertNotIn("\x1b", line)
                self.assertNotIn("\x07", line)
            forged[HEADER + 64:HEADER + 72] = word(5)  # where the first graph begins
            path = self.write("f.leman", sealed_data(bytes(forged)))
            self.assertTrue(self.fails("info", path, words=("offsets",)).startswith(f"leman: {path}: the offsets"))

    def test_kernel_model(self):
        for method in ("1-WL", "WLOA"):
            model = self.path("k.model")
            self.succeeds("fit", self.data, "-a", method, "-r", "0-1", "--folds", "2", "-o", model, "-q")
            content = self.content(model)
            self.assertEqual(sealed(content), content)
            places = range(32, min(len(content), 480), 8)
            self.assertGreater(self.sweep(content, sealed, places, "predict", "--model", "a", self.data, "-q"), 40)

    def test_network(self):
        model = self.path("n.model")
        network = ("train", self.data, "--model", "gin", "--layers", "1", "--width", "2", "--epochs", "1", "-q")
        self.succeeds(*network, "--checkpoint", model)
        content = self.content(model)
        self.assertEqual(sealed(content), content)
        places = range(32, 720, 8)
        self.assertGreater(self.sweep(content, sealed, places, "predict", "--model", "a", self.data, "-q"), 40)

    def test_task_models(self):
        data, model = self.path("TASKS"), self.path("t.model")
        tasks(data)
        self.succeeds("fit", data, "-a", "1-WL", "-r", "0-1", "--folds", "2", "--class", "0,1", "-o", model, "-q")
        content = self.content(model)
        self.assertEqual(sealed(content), content)
        self.assertGreater(self.sweep(content, sealed, range(32, 480, 8), "predict", "--model", "a", data, "-q"), 40)

    def test_gaussian_process(self):
        data, model = self.write("g.csv", "smiles,y\nCCO,1\nCCN,2\nCCC,3\nCCCC,4\n"), self.path("g.model")
        self.succeeds("fit", data, "-a", "1-WL", "-r", "1", "--gp", "--target", "y", "-o", model, "-q")
        content = self.content(model)
        self.assertEqual(sealed(content), content)
        self.assertGreater(self.sweep(content, sealed, range(32, len(content), 8), "predict", "--model", "a", data, "-q"), 100)

    def test_budget(self):
        """A network that is too large for the budget is refused with the name of its file, not that of the data."""
        model = self.path("n.model")
        self.succeeds("train", self.data, "--model", "gin", "--layers", "1", "--width", "1600", "--epochs", "1", "-q",
                      "--checkpoint", model)
        said = self.fails("predict", "--model", model, self.data, "--memory", program.little_memory(), words=("budget",))
        self.assertIn(model, said)
        self.assertNotIn(self.data, said)


if __name__ == "__main__":
    program.main()
