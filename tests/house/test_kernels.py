"""Kernels of networks are launched early (src/base/cuda/kernel.h): each must first wait for the kernels before it."""
import re
import unittest

import test_floors as house

KERNELS = re.compile(r"__global__[^;{}]*?\b(\w+)\([^;{}]*\)\n\{\n(.*)\n")


def kernels(text):
    """Every kernel with its first line; one whose braces are elsewhere has none."""
    text = re.sub(r"__launch_bounds__\([^()]*\)", "", text)
    found = [(name, first.strip()) for name, first in KERNELS.findall(text)]
    return found + [("", "")] * (text.count("__global__") - len(found))


class Kernels(unittest.TestCase):
    def test_early_kernels_wait(self):
        paths = [p for p in house.tree() if re.match(r"src/nn/cuda/\w+\.(cu|h)$", p) and "__global__" in house.text(p)]
        early = [p for p in paths if "LM_LAUNCH(" not in house.text(p)]
        self.assertGreater(len(early), 15)
        for path in early:
            for name, first in kernels(house.text(path)):
                self.assertEqual(first, "lm_after_previous();", f"{path}: the kernel {name} begins before others have ended")

    def test_a_kernel_that_does_not_wait_is_found(self):
        self.assertEqual(kernels("static __global__ void f(int x)\n{\n    lm_after_previous();\n}\n"), [("f", "lm_after_previous();")])
        self.assertEqual(kernels("static __global__ void f(int x)\n{\n    int y;\n}\n"), [("f", "int y;")])
        self.assertEqual(kernels("static __global__ void f(int x) { }\n"), [("", "")])


if __name__ == "__main__":
    unittest.main()
