"""The operators behind leman.nn.torch, sums over neighbours and linear maps: values, derivatives, and what PyTorch asks of an operator."""
import unittest

import package
import leman


@package.needs("torch")
class Sums(unittest.TestCase):
    def lists(self, rows=4):
        import torch
        from leman.nn._batch import Lists
        row, other = torch.tensor([3, 0, 0, 3, 1, 0]), torch.tensor([1, 2, 0, 1, 4, 2])  # row 2 has none; pairs occur twice
        dense = torch.zeros(rows, 5, dtype=torch.float64).index_put((row, other), torch.ones(6, dtype=torch.float64), accumulate=True)
        return Lists.of(row, other, rows, 5), dense

    def test_operator(self):
        """A product with a sparse matrix, and its first and second derivatives."""
        import torch
        lists, dense = self.lists()
        x = torch.rand(5, 3, dtype=torch.float64, requires_grad=True)
        torch.testing.assert_close(torch.ops.leman.neighbor_sum(x, None, *lists), dense @ x)
        torch.testing.assert_close(lists.transposed.sum(x[:4]), dense.T @ x[:4])
        torch.testing.assert_close(lists.mean(x), dense @ x / dense.sum(1, keepdim=True).clamp(min=1))
        self.assertTrue(torch.autograd.gradcheck(lambda y: lists.sum(y) ** 2, x))
        self.assertTrue(torch.autograd.gradgradcheck(lambda y: lists.sum(y) ** 2, x))
        self.assertEqual(lists.sum(x.detach().bfloat16()).dtype, torch.bfloat16)
        epsilon = torch.tensor([[0.3]], dtype=torch.float64, requires_grad=True)
        square, matrix = self.lists(rows=5)
        torch.testing.assert_close(square.sum(x, epsilon), 1.3 * x + matrix @ x)
        self.assertTrue(torch.autograd.gradcheck(lambda y, e: square.sum(y, e) ** 2, (x, epsilon)))
        self.assertTrue(torch.autograd.gradgradcheck(lambda y, e: square.sum(y, e) ** 2, (x, epsilon)))
        empty = torch.zeros(0, dtype=torch.int64)
        from leman.nn._batch import Lists
        self.assertEqual(Lists.of(empty, empty, 2, 0).sum(torch.zeros(0, 3)).tolist(), [[0, 0, 0]] * 2)


    def random_lists(self, rows, others, seed, pairs=None):
        import torch
        from leman.nn._batch import Lists
        generator = torch.Generator().manual_seed(seed)
        pairs = 4 * rows if pairs is None else pairs
        return Lists.of(torch.randint(rows, (pairs,), generator=generator), torch.randint(others, (pairs,), generator=generator), rows, others)

    def test_the_library_computes(self):
        """The library's sums are those of a sparse matrix, with one thread and with two; PyTorch's own kernels agree."""
        import torch
        from leman.nn import _batch, _native
        before = torch.get_num_threads()
        for rows, others, width, pairs in ((1000, 1000, 16, None), (3, 2000, 5, 9000), (700, 3, 1, None), (5, 5, 8, 0)):
            lists = self.random_lists(rows, others, rows, pairs)
            row = torch.repeat_interleave(torch.arange(rows), lists.start[1:] - lists.start[:-1])
            for number, tolerance in ((torch.float32, 1e-5), (torch.float64, 1e-12)):
                x = torch.rand(others, width, dtype=number, generator=torch.Generator().manual_seed(1))
                epsilon = torch.tensor([[0.25]], dtype=number) if rows == others else None
                wanted = torch.zeros(rows, width, dtype=torch.float64).index_add_(0, row, x.double()[lists.other])
                wanted = wanted if epsilon is None else wanted + 1.25 * x.double()
                found = {}
                try:
                    for threads in (1, 2):
                        torch.set_num_threads(threads)
                        found[threads] = _native.neighbor_sum(x, epsilon, lists.start, lists.other)
                finally:
                    torch.set_num_threads(before)
                self.assertTrue(torch.equal(found[1], found[2]))
                for y in (found[1], _batch._sum_by_torch(x, epsilon, lists.start, lists.other)):
                    torch.testing.assert_close(y.double(), wanted, rtol=tolerance, atol=tolerance)
                torch.testing.assert_close(_native.neighbor_sum(x.t().contiguous().t(), epsilon, lists.start, lists.other.int()), found[1])

    def test_lists_that_do_not_fit(self):
        import torch
        from leman.nn import _native
        lists, _ = self.lists()
        with self.assertRaisesRegex(leman.InputError, "other: found a row that does not exist, expected numbers from 0 to 2"):
            lists.sum(torch.zeros(3, 2))
        with self.assertRaisesRegex(leman.InputError, "start: found 9 at the end, expected at most 1"):
            torch.ops.leman.neighbor_sum(torch.zeros(3, 2), None, torch.tensor([0, 9]), torch.tensor([1]), lists.back_start, lists.back_other)
        with self.assertRaisesRegex(leman.ArgumentError, "found x, start and other of shapes"):
            torch.ops.leman.neighbor_sum(torch.zeros(3), None, *lists)
        for start, epsilon in ((lists.start.to("meta"), None), (lists.start, torch.zeros(2)), (lists.start, torch.zeros(0))):
            with self.assertRaisesRegex(leman.ArgumentError, "expected one device and one number"):
                _native.neighbor_sum(torch.zeros(5, 2), epsilon, start, lists.other)
        with self.assertRaisesRegex(leman.ArgumentError, "epsilon: found 4 lists and 5 rows of x"):
            lists.sum(torch.zeros(5, 2), torch.zeros(1, 1))

    def test_in_a_child(self):
        """A process that was forked after a sum with two threads computes sums."""
        import os
        import torch
        lists, before = self.random_lists(3000, 3000, 1), torch.get_num_threads()
        x = torch.rand(3000, 8)
        try:
            torch.set_num_threads(2)
            wanted = lists.sum(x)
            child = os.fork()
            if not child:
                os._exit(0 if torch.equal(lists.sum(x), wanted) else 1)
        finally:
            torch.set_num_threads(before)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


@package.needs("torch")
class Maps(unittest.TestCase):
    def random(self, *shape, seed=1):
        import torch
        return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))

    def both(self, relu, biased, rows=1300):
        """Outputs and gradients of the operator, and of PyTorch in 64-bit floats."""
        import torch
        given = [self.random(rows, 6), self.random(5, 6, seed=2), self.random(5, seed=3) if biased else None]
        outer = self.random(rows, 5, seed=4)
        found = []
        for number in (torch.float32, torch.float64):
            x, weight, bias = (None if part is None else part.to(number).requires_grad_() for part in given)
            if number == torch.float32:
                y = torch.ops.leman.linear(x, weight, bias, relu)
            else:
                y = torch.nn.functional.linear(x, weight, bias)
                y = torch.relu(y) if relu else y
            parts = [part for part in (x, weight, bias) if part is not None]
            first = torch.autograd.grad((y * outer).sum(), parts, retain_graph=True)
            again = torch.autograd.grad((y * outer).pow(2).sum(), parts, create_graph=True)
            second = torch.autograd.grad(sum(part.sum() for part in again), parts)
            found.append((y, *first, *second))
        return found

    def test_operator(self):
        import torch
        for relu in (False, True):
            for biased in (False, True):
                for one, other in zip(*self.both(relu, biased)):
                    torch.testing.assert_close(one.double(), other, rtol=1e-4, atol=2e-3)

    def test_no_rows(self):
        import torch
        import leman.nn.torch  # its operators
        for relu in (False, True):
            x, weight, bias = torch.empty(0, 6, requires_grad=True), self.random(5, 6, seed=2).requires_grad_(), torch.zeros(5)
            y = torch.ops.leman.linear(x, weight, bias, relu)
            y.sum().backward()
            self.assertEqual((tuple(y.shape), tuple(x.grad.shape), weight.grad.abs().sum().item()), ((0, 5), (0, 6), 0))

    def test_some_gradients(self):
        """Gradients that nobody asks for are not computed, and those that are asked for are right without the others."""
        import torch
        x, weight, outer = self.random(600, 6), self.random(5, 6, seed=2), self.random(600, 5, seed=4)
        for wanted in range(2):
            given = [x.clone(), weight.clone()]
            given[wanted].requires_grad_()
            (torch.ops.leman.linear(*given, None, False) * outer).sum().backward()
            torch.testing.assert_close(given[wanted].grad, outer @ weight if wanted == 0 else outer.t() @ x, rtol=1e-4, atol=1e-3)
            self.assertIsNone(given[1 - wanted].grad)

    def test_shapes_that_do_not_fit(self):
        import torch
        x, weight = self.random(9, 6), self.random(5, 6, seed=2)
        for wrong in ((x, weight[:, :5], None), (x, weight, torch.zeros(4)), (x, weight, torch.zeros(5, dtype=torch.float64)), (x[0], weight, None)):
            with self.assertRaisesRegex(leman.ArgumentError, "found x, weight and bias of shapes"):
                torch.ops.leman.linear(*wrong, True)
        for wrong in ((x, weight, None, x), (x, weight, x, self.random(9, 5)), (x, weight[:, :5], None, self.random(9, 5))):
            with self.assertRaisesRegex(leman.ArgumentError, "found x, weight and gradient of shapes"):
                torch.ops.leman.linear_backward(*wrong, [True, True, True])

    def test_hooks_see_what_is_before_the_relu(self):
        import torch
        from leman.nn._layers import Linear, rectified
        linear, x = Linear(6, 5), self.random(600, 6)
        wanted = torch.relu(x @ linear.weight.t() + linear.bias)
        torch.testing.assert_close(rectified(linear, x), wanted, rtol=1e-5, atol=1e-5)
        seen = []
        hook = linear.register_forward_hook(lambda module, given, output: seen.append(output))
        torch.testing.assert_close(rectified(linear, x), wanted, rtol=1e-5, atol=1e-5)
        self.assertLess(float(seen[0].min()), -0.1)
        hook.remove()
        x[3, 2] = torch.nan
        self.assertTrue(bool(torch.isnan(rectified(linear, x)[3]).all()))


if __name__ == "__main__":
    package.main()
