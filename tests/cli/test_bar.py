#!/usr/bin/env python3
"""The progress bar on a terminal: it is gone before results appear, counts no further than it should, and its time left is
that of the run."""
import fcntl
import os
import pty
import re
import struct
import termios

import program
from program import LEMAN, Case


def on_terminal(*arguments, columns=100):
    """What a terminal gets, with standard output and error in one stream, as lines of pieces between redraws."""
    process, terminal = pty.fork()
    if not process:
        os.environ["TERM"] = "xterm"
        os.execv(LEMAN, [LEMAN, *arguments])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    text = b""
    while True:
        try:
            more = os.read(terminal, 1 << 16)
        except OSError:  # Linux: the other end is closed
            break
        if not more:
            break
        text += more
    os.close(terminal)
    _, status = os.waitpid(process, 0)
    return os.waitstatus_to_exitcode(status), text.decode()


def screen(text):
    """The lines that are left to see: a carriage return and an erased line take back what was written there."""
    return [line.split("\r\x1b[K")[-1].rstrip("\r") for line in text.split("\n")]


class Bar(Case):
    def setUp(self):
        super().setUp()
        self.data = self.path("m.zip")

    def on_terminal(self, *arguments, bars=1):
        """With as many graphs as this machine needs to take longer than the 0.3 s without a bar, and to show that many: ten a second."""
        for graphs in (400, 1200, 3600, 10800):
            self.succeeds("generate", "molecules", "--graphs", str(graphs), "-o", self.data, "--quiet")
            status, text = on_terminal(*arguments)
            self.assertEqual(status, 0, text)
            if "\x1b[K" in text and len(re.findall(r"\d%", text)) >= bars:
                break
        self.assertIn("\x1b[K", text)
        for line in screen(text):
            self.assertNotRegex(line, r"\[[#.]{4,}\]|\d%  |100%", text[-500:])
        return text

    def test_results_follow_a_cleared_line(self):
        text = self.on_terminal("evaluate", self.data, "-a", "local", "-k", "2", "-r", "0-3", "--repetitions", "1", "-t", "1")
        self.assertRegex("\n".join(screen(text)), r"(?m)^m: ")

    def test_epochs_are_counted_to_the_last(self):
        text = self.on_terminal("train", self.data, "--epochs", "3", "--layers", "2", "--width", "16", "-t", "1")
        for epoch, of in re.findall(r"epoch (\d+) of (\d+)", text):
            self.assertLessEqual(int(epoch), int(of))

    def test_time_left_is_that_of_the_run(self):
        text = self.on_terminal("fit", self.data, "-a", "local", "-k", "2", "-r", "0-4", "-t", "1", "-o", self.path("model"), "--force", bars=8)
        bars = re.findall(r"training with (\d+) of 4 rounds.*?(\d+)%", text)
        self.assertGreater(len(bars), 3, text)
        parts = [int(part) for _, part in bars]
        self.assertEqual(parts, sorted(parts))  # one count, from the first number of rounds to the last
        self.assertTrue(all(20 * int(h) <= part + 1 and part <= 20 * (int(h) + 1) for (h, _), part in zip(bars, parts)), bars)

    def test_share_is_that_of_all_methods(self):
        """Each of three methods has a third of the bar, which never goes back."""
        text = self.on_terminal("compare", self.data, "-a", "1-WL", "-a", "delta-2-LWL", "-a", "WLOA", "-r", "0-3",
                                "--repetitions", "1", "-t", "1", bars=4)
        parts = [int(part) for part in re.findall(r"(\d+)%", text)]
        self.assertGreater(len(parts), 3, text)
        self.assertEqual(parts, sorted(parts))
        self.assertGreater(parts[-1], 66)


if __name__ == "__main__":
    program.main()
