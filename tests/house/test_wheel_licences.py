#!/usr/bin/env python3
"""scripts/wheel-licences on wheels that this file makes: no library without its licence."""
import os
import subprocess
import sys
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import program  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
INFO = "leman-1.0.dist-info"
METADATA = "Metadata-Version: 2.4\nName: leman\nLicense-Expression: BSD-3-Clause\nLicense-File: LICENSE\n\nText.\n"
WHOLE = "BSD-3-Clause AND GPL-3.0-or-later WITH GCC-exception-3.1 AND Zlib"
GOMP, OWN = "leman.libs/libgomp-0123abcd.so.1.0.0", "leman/libleman.so"
CARRIES = "this is OpenBLAS 0.3; inflate 1.2.13 Copyright; Zip archive inconsistent"  # as the code of three libraries has it
LIBRARIES = ("OpenBLAS", "libgomp", "libzip", "zlib")
COMPLETE = METADATA.replace("BSD-3-Clause", WHOLE).replace("LICENSE\n", "LICENSE\n" + "".join(f"License-File: third-party/{name}.txt\n" for name in LIBRARIES))


class Licences(program.Case):
    def run_script(self, *arguments):
        script = os.path.join(self.folder, "tree", "scripts", "wheel-licences")
        if not os.path.exists(script):  # in a tree of its own, so that python/licences is this test's
            with open(os.path.join(ROOT, "scripts", "wheel-licences"), encoding="utf-8") as file:
                self.write("tree/scripts/wheel-licences", file.read())
        return subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True)

    def wheel(self, **changes):
        """A wheel with four libraries and their licences; a file that is changed to None is left out."""
        files = {GOMP: "binary", "leman/libwalk.so": "our own", OWN: CARRIES, f"{INFO}/licenses/LICENSE": "Copyright",
                 f"{INFO}/licenses/THIRD-PARTY.txt": f"\n{GOMP}: libgomp, from X\n" + "".join(f"{OWN}: {name}, from Y\n" for name in LIBRARIES),
                 f"{INFO}/METADATA": COMPLETE, **{f"{INFO}/licenses/third-party/{name}.txt": "Copyright A" for name in LIBRARIES}}
        with zipfile.ZipFile(self.path("leman.whl"), "w") as archive:
            for name, content in (files | changes).items():
                if content is not None:
                    archive.writestr(name, content)
        return self.path("leman.whl")

    def test_check(self):
        good = self.run_script("check", self.wheel())
        self.assertEqual((good.returncode, good.stdout), (0, f"wheel: licences of OpenBLAS, libgomp, libzip, zlib are inside: {WHOLE}\n"), good.stderr)
        for changes, words in (({"leman.libs/libnew-01234567.so.2": "binary"}, "libnew"),
                               ({f"{INFO}/licenses/third-party/libgomp.txt": None}, "libgomp"),
                               ({f"{INFO}/licenses/third-party/libgomp.txt": ""}, "libgomp"),
                               ({f"{INFO}/licenses/third-party/OpenBLAS.txt": None}, "OpenBLAS"),
                               ({f"{INFO}/licenses/THIRD-PARTY.txt": None}, "licence is not in the wheel"),
                               ({f"{INFO}/licenses/third-party/libzip.txt": None}, "libzip"),
                               ({f"{INFO}/METADATA": METADATA}, "licence is not in the wheel"),
                               ({f"{INFO}/METADATA": COMPLETE.replace(" AND Zlib", "")}, f"License-Expression: {WHOLE}")):
            bad = self.run_script("check", self.wheel(**changes))
            self.assertEqual(bad.returncode, 1, changes)
            self.assertIn(words, bad.stderr)

    def unpacked(self, *more):
        for name, content in ((GOMP, "binary"), ("leman/libwalk.so", "our own"), (OWN, CARRIES), (f"{INFO}/METADATA", METADATA), *more):
            self.write(f"unpacked/{name}", content)
        for name in LIBRARIES:
            self.write(f"tree/python/licences/{name}.txt", f"Copyright of {name}\n")
        self.write("tree/LICENSE", "Copyright of ours\n")
        return self.run_script("add", self.path("unpacked"), self.path("build"))

    def test_add(self):
        made = self.unpacked()
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        with zipfile.ZipFile(self.path("made.whl"), "w") as archive:
            for folder, _, files in os.walk(self.path("unpacked")):
                for name in files:
                    path = os.path.join(folder, name)
                    archive.write(path, os.path.relpath(path, self.path("unpacked")))
        checked = self.run_script("check", self.path("made.whl"))
        self.assertEqual(checked.returncode, 0, checked.stderr)
        with open(self.path("unpacked", INFO, "METADATA"), encoding="utf-8") as file:
            self.assertRegex(file.read(), rf"License-Expression: {WHOLE}\nLicense-File: LICENSE\n(License-File: \S+\n){{5}}\nText.\n\Z")

    def test_cuda(self):
        """leman-cuda: the runtime and CUB are inside, and its own licence is not in the folder that it is built from."""
        info = "unpacked/leman_cuda-1.0.dist-info"
        self.write("unpacked/leman_cuda/libleman.so", "libcudart_static_0123 _ZN3cub17CUB_")
        self.write(f"{info}/METADATA", METADATA.replace("License-File: LICENSE\n", ""))
        self.write("tree/LICENSE", "Copyright of ours\n")
        for name in ("CUDA-runtime", "CCCL"):
            self.write(f"tree/python/licences/{name}.txt", f"Copyright of {name}\n")
        self.run_script("check", self.wheel())  # copies the script
        made = self.run_script("add", self.path("unpacked"), self.path("build"))
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        with open(self.path(info, "METADATA"), encoding="utf-8") as file:
            self.assertIn("License-Expression: BSD-3-Clause AND Apache-2.0 WITH LLVM-exception AND LicenseRef-NVIDIA-Proprietary\n"
                          "License-File: LICENSE\nLicense-File: THIRD-PARTY.txt\n", file.read())
        with open(self.path(info, "licenses", "LICENSE"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "Copyright of ours\n")

    def test_unknown_library(self):
        """A library whose licence nobody has looked up stops the wheel."""
        made = self.unpacked(("leman.libs/libnew-01234567.so.2", "binary"))
        self.assertEqual(made.returncode, 1)
        self.assertIn("libnew-01234567.so.2 is a library that scripts/wheel-licences does not know", made.stderr)


if __name__ == "__main__":
    program.main()
