"""The Python examples of README.md run as they stand, beside the file that the shell examples before them made."""
import contextlib
import io
import os
import re
import subprocess
import tempfile
import unittest

import package
import leman

PROGRAM = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(leman.__file__)))), "leman")


class Examples(unittest.TestCase):
    def test_readme(self):
        if not os.path.exists(PROGRAM):
            self.skipTest("the program is not built")
        with open(os.path.join(package.SOURCE, "README.md"), encoding="utf-8") as file:
            blocks = re.findall(r"```python\n(.*?)```", file.read(), re.S)
        self.assertGreaterEqual(len(blocks), 1)
        before, printed = os.getcwd(), io.StringIO()
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([PROGRAM, "generate", "molecules", "--graphs", "60", "-o", os.path.join(folder, "molecules.zip")],
                           check=True, capture_output=True)
            os.chdir(folder)
            try:
                for block in blocks:
                    with contextlib.redirect_stdout(printed):
                        exec(compile(block, "README.md", "exec"), {})
            finally:
                os.chdir(before)
        self.assertIn("delta-2-LWL", printed.getvalue())

    def test_smoke_of_the_wheel(self):
        with open(os.path.join(package.SOURCE, "python", "smoke.py"), encoding="utf-8") as file:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(file.read(), "smoke.py", "exec"), {})


if __name__ == "__main__":
    package.main()
