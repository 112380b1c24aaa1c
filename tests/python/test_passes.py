#!/usr/bin/env python3
"""A Network that the library computes in one call against the same Network computed module by module: outputs, gradients, running
statistics. And that nothing is skipped where somebody looks: hooks, other modules, changed batches, tracers, other types of numbers."""
import contextlib
import copy
import pickle
import unittest

import package
import numpy as np
import leman
import leman.nn

with contextlib.suppress(ImportError):
    import torch
    import torch.nn.utils.parametrize
    from leman.nn.torch import DenseConv, GraphBatch, Network


def molecules(graphs=12):
    return leman.Dataset.generate("molecules", graphs=graphs, vertices=10)


def module_of(model="delta-2-LGNN", preset="zinc", graphs=None, **how):
    graphs = molecules() if graphs is None else graphs
    network = leman.nn.GraphNetwork(model, preset, layers=2, width=6, random_state=3, device="cpu", **how)
    return Network.from_network(network.initialize(graphs, np.random.default_rng(2).normal(size=(len(graphs), 2)))).train()


def whole(module, batch):
    """The outputs of the library."""
    found = module._whole.outputs(module, batch)
    assert found is not None
    return found


def is_whole(module, batch):
    return module._whole.outputs(module, batch) is not None


def factors(y):
    return torch.randn(y.shape, generator=torch.Generator().manual_seed(7))


@package.needs("torch")
class Same(unittest.TestCase):
    def close(self, a, b, scale, what):
        self.assertLess(float((a.detach() - b.detach()).abs().max()), scale, what)

    def compare(self, module, graphs, what):
        other = copy.deepcopy(module)
        batch = module.encode(graphs)
        y, expected = whole(module, batch), other._by_parts(batch)
        self.close(y, expected, 2e-4 * (1 + float(expected.detach().abs().max())), what)
        w = factors(y)
        (y * w).sum().backward()
        (expected * w).sum().backward()
        largest = max(float(p.grad.abs().max()) for p in other.parameters())
        for (name, p), q in zip(module.named_parameters(), other.parameters()):
            self.close(p.grad, q.grad, 2e-3 * largest, f"{what}: {name}")
        for (name, p), q in zip(module.named_buffers(), other.named_buffers()):
            self.close(p, q[1], 1e-4, f"{what}: {name}")
        with torch.no_grad():
            for training in (False, True):
                self.close(whole(module.train(training), batch), other.train(training)._by_parts(batch), 1e-3, what)

    def test_models(self):
        graphs = molecules()
        for model in ("delta-2-LGNN", "delta-2-LGNN+", "delta-2-GNN", "2-WL-GNN", "GINE-eps", "GIN-0", "PPGN"):
            self.compare(module_of(model, graphs=graphs), graphs, model)
        self.compare(module_of("delta-2-LGNN", "alchemy", graphs=graphs), graphs, "alchemy")

    def test_repeated(self):
        """Batches of several sizes in turns, each several times."""
        graphs, module = molecules(12), module_of()
        other = copy.deepcopy(module)
        for _ in range(3):
            for batch in (module.encode(graphs[:3]), module.encode(graphs), module.encode(graphs[5:])):
                self.close(whole(module, batch), other._by_parts(batch), 1e-4, "repeated")

    def test_several_batches_before_a_backward_pass(self):
        graphs, module = molecules(12), module_of()
        other = copy.deepcopy(module)
        batches = [module.encode(graphs[:4]), module.encode(graphs[4:])]
        sum(whole(module, batch).sum() for batch in batches).backward()
        sum(other._by_parts(batch).sum() for batch in batches).backward()
        for (name, p), q in zip(module.named_parameters(), other.parameters()):
            self.close(p.grad, q.grad, 5e-3 * (1 + float(q.grad.abs().max())), name)

    def test_again_and_twice(self):
        """retain_graph, and a gradient of a gradient."""
        graphs, module = molecules(), module_of("GIN-eps")
        batch, statistics = module.encode(graphs), [b.clone() for b in module.buffers()]
        loss = (whole(module, batch) ** 2).sum()
        moved = [b.clone() for b in module.buffers()]
        self.assertTrue(any(bool((a != b).any()) for a, b in zip(statistics, moved)))
        first = torch.autograd.grad(loss, list(module.parameters()), retain_graph=True)
        second = torch.autograd.grad(loss, list(module.parameters()))
        for a, b in zip(first, second):
            self.close(a, b, 1e-2 * (1 + float(a.abs().max())), "again")
        slopes = []
        for outputs in (whole(module, batch), module._by_parts(batch)):
            gradient = torch.autograd.grad((outputs ** 2).sum(), list(module.parameters()), create_graph=True)
            sum((g ** 2).sum() for g in gradient).backward()
            slopes.append([p.grad.clone() for p in module.parameters()])
            module.zero_grad()
        largest = max(float(g.abs().max()) for g in slopes[1])
        for a, b in zip(*slopes):
            self.close(a, b, 1e-3 * largest, "twice")

    def test_frozen_and_changed_weights(self):
        graphs, module = molecules(), module_of()
        batch, (first, *others) = module.encode(graphs), module.parameters()
        first.requires_grad_(False)
        whole(module, batch).sum().backward()
        self.assertIsNone(first.grad)
        self.assertTrue(all(p.grad is not None for p in others))
        y = whole(module, batch).sum()
        with torch.no_grad():
            others[0].add_(1)
        with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
            y.backward()
        for p in module.parameters():
            p.requires_grad_(False)
        self.assertFalse(whole(module, batch).requires_grad)

    def test_trains(self):
        """As modules train it: the same losses, step by step."""
        graphs, module = molecules(), module_of()
        other, batch = copy.deepcopy(module), module.encode(graphs)
        wanted, losses = torch.zeros(len(graphs), 2), ([], [])
        for one, found, compute in ((module, losses[0], module), (other, losses[1], other._by_parts)):
            optimizer = torch.optim.SGD(one.parameters(), 1e-2)
            for _ in range(10):
                optimizer.zero_grad()
                loss = torch.nn.functional.mse_loss(compute(batch), wanted)
                loss.backward()
                optimizer.step()
                found.append(float(loss.detach()))
        np.testing.assert_allclose(losses[0], losses[1], rtol=1e-3)
        self.assertLess(losses[0][-1], losses[0][0])


@package.needs("torch")
class Looks(unittest.TestCase):
    """Modules compute where somebody could see the difference."""

    def setUp(self):
        self.graphs, self.module = molecules(), module_of()
        self.batch = self.module.encode(self.graphs)
        self.assertTrue(is_whole(self.module, self.batch))

    def test_hooks(self):
        seen = []
        part = self.module.layer2.merge.linear1
        hooks = [part.register_forward_hook(lambda *call: seen.append("forward")),
                 part.register_forward_pre_hook(lambda *call: seen.append("before")),
                 part.register_full_backward_hook(lambda *call: seen.append("backward"))]
        self.module(self.batch).sum().backward()
        self.assertEqual(seen, ["before", "forward", "backward"])
        for hook in hooks:
            self.assertFalse(is_whole(self.module, self.batch))
            hook.remove()
        self.assertTrue(is_whole(self.module, self.batch))
        hook = torch.nn.modules.module.register_module_forward_hook(lambda part, *call: seen.append(part))
        try:
            self.module(self.batch)
        finally:
            hook.remove()
        self.assertIn(part, seen)
        self.module.register_forward_hook(lambda *call: seen.append("outside"))
        self.assertTrue(is_whole(self.module, self.batch))
        self.module(self.batch)
        self.assertEqual(seen[-1], "outside")

    def test_other_modules(self):
        changed = copy.deepcopy(self.module)
        self.assertTrue(is_whole(changed, self.batch))
        changed.layer2 = DenseConv(2, 6, 6)  # weights of the same names and shapes
        self.assertFalse(is_whole(changed, self.batch))
        changed = copy.deepcopy(self.module)
        changed.layer1.merge.linear1.forward = lambda x: x
        self.assertFalse(is_whole(changed, self.batch))
        changed = copy.deepcopy(self.module)
        changed.layer1.merge.add_module("more", torch.nn.Identity())
        self.assertFalse(is_whole(changed, self.batch))
        torch.nn.utils.parametrize.register_parametrization(self.module.layer1.merge.linear1, "weight", torch.nn.Identity())
        self.assertFalse(is_whole(self.module, self.batch))
        self.assertEqual(len(self.module(self.batch)), len(self.graphs))

    def test_modes(self):
        module = self.module
        norm = next(part for part in module.modules() if type(part).__name__ == "Norm")
        norm.eval()
        self.assertFalse(is_whole(module, self.batch))
        module.eval()
        self.assertFalse(is_whole(module, self.batch))  # gradients through running statistics
        with torch.no_grad():
            self.assertTrue(is_whole(module, self.batch))
        module.train()
        drops = module_of("delta-2-LGNN", "tu", self.graphs)
        self.assertFalse(is_whole(drops, drops.encode(self.graphs)))  # PyTorch draws what is dropped
        with torch.no_grad():
            self.assertTrue(is_whole(drops.eval(), drops.encode(self.graphs)))

    def test_batches(self):
        module, batch = self.module, self.batch
        self.assertFalse(is_whole(module, pickle.loads(pickle.dumps(batch))))
        other = module_of(graphs=leman.Dataset.generate("molecules", graphs=3, vertices=10, seed=5))  # numbers labels in another order
        self.assertFalse(is_whole(module, other.encode(self.graphs)))
        self.assertTrue(is_whole(copy.deepcopy(module), batch))
        self.assertTrue(is_whole(module, batch.to("cpu")))
        batch.index["tuple type"][0] = -1
        self.assertFalse(is_whole(module, batch))
        self.assertFalse(is_whole(module, batch.to("cpu")))
        batch = module.encode(self.graphs)
        batch.neighbors[0] = batch.neighbors[1]
        self.assertFalse(is_whole(module, batch))
        batch = module.encode(self.graphs)
        batch.index["tuple type"] = batch.index["tuple type"].clone()
        self.assertFalse(is_whole(module, batch))
        self.assertIsNone(GraphBatch.source)

    def test_numbers(self):
        exact = copy.deepcopy(self.module).double()
        self.assertFalse(is_whole(exact, self.batch))
        self.assertEqual(exact(self.batch).dtype, torch.float64)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            self.assertFalse(is_whole(self.module, self.batch))

    def test_tracers(self):
        self.module.requires_grad_(False)
        traced = torch.jit.trace(lambda x: self.module(self.batch) + x, torch.zeros(()))
        text = str(traced.graph)
        self.assertGreater(len(text.splitlines()), 50)  # the steps, not a constant
        module, batch = self.module.eval(), self.batch

        class Around(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = module

            def forward(self, x):
                return self.inner(batch) + x

        graph = torch.fx.Tracer().trace(Around()).nodes
        self.assertGreater(len(list(graph)), 20)

    def test_copies(self):
        with torch.no_grad():
            self.module.eval()
            expected = self.module(self.batch)
            again = pickle.loads(pickle.dumps(self.module))
            self.assertTrue(is_whole(again, self.batch))
            batch = again.encode(self.graphs)
            self.assertTrue(is_whole(again, batch))
            np.testing.assert_allclose(whole(again, batch), expected, atol=1e-6)
            alone = Network(self.module.description)
            alone.load_state_dict(self.module.state_dict())
            np.testing.assert_allclose(alone.eval()(self.batch), expected, atol=1e-4)
            self.assertFalse(is_whole(alone, self.batch))
            other = module_of("2-WL-GNN", graphs=self.graphs)
            wrong = Network(self.module.description, other.network)  # weights of the same shapes, other steps
            self.assertFalse(is_whole(wrong, wrong.encode(self.graphs)))


if __name__ == "__main__":
    package.main()
