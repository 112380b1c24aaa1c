"""The parts of a Network are modules that PyTorch's tools work with, and weights go from the library to PyTorch and back."""
import copy
import io
import unittest
import warnings

import numpy as np

import package
import leman
from test_torch import MODELS, labelled


@package.needs("torch")
class Modules(unittest.TestCase):
    def made(self, model, preset="zinc"):
        import torch
        from leman.nn.torch import Network
        graphs = labelled(8)
        network = leman.nn.GraphNetwork(model, preset, layers=2, width=4, epochs=1, device="cpu", random_state=0)
        module = Network.from_network(network.fit(graphs, [float(len(g)) for g in graphs]))
        batch = module.encode(graphs)
        with torch.no_grad():
            return module, batch, module(batch)

    def test_many_rows(self):
        """Batches whose linear maps the library computes: outputs and gradients are those of PyTorch in 64-bit floats."""
        import torch
        from leman.nn.torch import Network
        graphs = labelled(60)
        for model, preset in (("delta-2-LGNN", "zinc"), ("delta-2-GNN", "alchemy"), ("GIN-eps", "zinc"), ("delta-2-LGNN+", "zinc")):
            network = leman.nn.GraphNetwork(model, preset, layers=2, width=6, device="cpu", random_state=0).initialize(graphs)
            module, gradients, outputs = Network.from_network(network).train(), [], []
            batch = module.encode(graphs * (1 if "delta" in model else 8))
            self.assertGreater(batch.rows["tuples" if "delta" in model else "vertices"], 1024)
            for number in (torch.float32, torch.float64):
                one = copy.deepcopy(module).to(number)
                outputs.append(one(batch).double())
                outputs[-1].square().sum().backward()
                gradients.append({name: weight.grad.double() for name, weight in one.named_parameters()})
            torch.testing.assert_close(outputs[0], outputs[1], rtol=1e-3, atol=1e-4)
            size = max(float(part.abs().max()) for part in gradients[1].values())
            for name, part in gradients[1].items():
                torch.testing.assert_close(gradients[0][name], part, rtol=1e-2, atol=1e-3 * size, msg=f"{model}: {name}")

    def test_layers_of_networks(self):
        from leman.nn.torch import DeltaConv, DenseConv, LocalConv, LocalPlusConv
        for model, kind in (("delta-2-LGNN", LocalConv), ("delta-2-LGNN+", LocalPlusConv), ("delta-2-GNN", DeltaConv), ("2-WL-GNN", DenseConv)):
            module, batch, _ = self.made(model)
            for name in ("layer1", "layer2"):
                self.assertIs(type(module.get_submodule(name)), kind)
            seen = {}
            module.layer1.register_forward_hook(lambda part, given, x: seen.update(first=x))
            module.layer2.register_forward_hook(lambda part, given, x: seen.update(given=given[0], second=x))
            module(batch)
            self.assertIs(seen["given"], seen["first"])
            self.assertEqual(seen["second"].shape, (batch.rows["tuples"], 4))

    def test_hooks(self):
        """Every named module is called, and what a hook returns is used."""
        import torch
        for model in MODELS:
            for preset in ("zinc", "alchemy"):
                module, batch, wanted = self.made(model, preset)
                called = set()
                for name, part in module.named_modules():
                    part.register_forward_hook(lambda part, given, y, name=name: called.add(name))
                module(batch)
                self.assertEqual(called, {name for name, _ in module.named_modules()}, model)
                module.head.linear1.register_forward_hook(lambda part, given, y: y + 1)
                self.assertFalse(torch.equal(module(batch), wanted))

    def test_embeddings(self):
        """The head maps the features of graphs to the outputs; features of vertices are those of the diagonal; in preset zinc the features
        of graphs are means of the features of all layers, of which the last come last."""
        import torch
        for model in MODELS:
            module, batch, wanted = self.made(model)
            with torch.no_grad():
                tuples, vertices, graphs = module.embed(batch)
            head = graphs
            maps = [part for _, part in module.head.named_children()]
            for i, part in enumerate(maps):
                head = part(head)
                head = head if i == len(maps) - 1 else torch.nn.functional.elu(head) if "1-" in model else torch.relu(head)
            torch.testing.assert_close(head, wanted, msg=model)
            sizes = batch.sizes
            self.assertEqual((len(vertices), len(graphs)), (sum(sizes), len(sizes)), model)
            if tuples is None:
                self.assertIn(model.split("-")[0], ("GIN", "GINE", "MPNN", "1"))
                parts = torch.split(vertices, sizes)
            else:
                parts = torch.split(tuples, [n * n for n in sizes])
                for n, part, diagonal in zip(sizes, parts, torch.split(vertices, sizes)):
                    torch.testing.assert_close(part.reshape(n, n, -1).diagonal().T, diagonal)
            if model not in ("MPNN", "PPGN"):
                pooled = graphs[:, :4] if "1-" in model else graphs[:, -4:]  # set networks have vertices first, then sets
                torch.testing.assert_close(torch.stack([part.mean(0) for part in parts]), pooled, msg=model)

    def check_compiled(self, module, batch, wanted):
        """In both modes, and for batches of other sizes, for which PyTorch compiles sizes that vary."""
        import torch
        smaller = module.encode(labelled(5))
        for training in (False, True):
            one, other = copy.deepcopy(module).train(training), copy.deepcopy(module).train(training)
            compiled = torch.compile(one, backend="aot_eager", fullgraph=True)
            for given in (batch, smaller, batch):
                torch.testing.assert_close(compiled(given), other(given), rtol=1e-4, atol=1e-5)
            if not training:
                torch.testing.assert_close(compiled(batch), wanted)
            torch._dynamo.reset()

    def test_batches_in_files(self):
        """torch.save() of a batch, which torch.load() reads without trusting the file."""
        import torch
        module, batch, wanted = self.made("delta-2-LGNN")
        kept = io.BytesIO()
        torch.save(batch, kept)
        kept.seek(0)
        torch.testing.assert_close(module(torch.load(kept)), wanted)

    def test_tools(self):
        """torch.fx, and torch.export and torch.compile where PyTorch has them; 64-bit floats; mixed precision; copies."""
        import torch
        for model in MODELS:
            module, batch, wanted = self.made(model, "zinc" if model != "MPNN" else "alchemy")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # the trace is that of this batch
                traced = torch.fx.symbolic_trace(module, concrete_args={"batch": batch})
            torch.testing.assert_close(traced(batch), wanted, msg=model)
            slow = model in ("GINE-eps", "delta-2-GNN", "1-2-3-GNN")  # of each kind one
            if slow and hasattr(torch, "compile"):
                self.check_compiled(module, batch, wanted)
            if slow and hasattr(torch, "export"):
                exported = torch.export.export(module, (batch,))
                torch.testing.assert_close(exported.module()(batch), wanted, msg=model)
                kept = io.BytesIO()
                torch.export.save(exported, kept)
                kept.seek(0)
                torch.testing.assert_close(torch.export.load(kept).module()(batch), wanted, msg=model)
            double = copy.deepcopy(module).double()(batch)
            self.assertEqual(double.dtype, torch.float64)
            torch.testing.assert_close(double, wanted.double(), rtol=1e-4, atol=1e-5)
            module.train()
            with torch.autocast("cpu", dtype=torch.bfloat16):
                mixed = module(batch)
            self.assertEqual(mixed.dtype, torch.bfloat16)
            mixed.float().sum().backward()
            self.assertTrue(all(weight.grad is not None for weight in module.parameters()), model)

    def test_pair_networks(self):
        """torch.fx, 64-bit floats and mixed precision for networks on pairs, whose messages have features of edges, on all pairs and on some."""
        import torch
        from leman.nn.torch import Network
        graphs = labelled(8)
        for model, more in (("Local-2-GNN", {"encodings": "distance:3,walk:4"}), ("Local-2-FGNN", {}), ("SSWL+", {"components": 1}), ("Message-Passing", {})):
            network = leman.nn.GraphNetwork(model, layers=2, width=4, device="cpu", random_state=0, **more).initialize(graphs, [float(len(g)) for g in graphs])
            module = Network.from_network(network)
            batch = module.encode(graphs)
            wanted = module(batch)
            traced = torch.fx.symbolic_trace(module, concrete_args={"batch": batch})
            torch.testing.assert_close(traced(batch), wanted, msg=model)
            torch.testing.assert_close(copy.deepcopy(module).double()(batch), wanted.double(), rtol=1e-4, atol=1e-5, msg=model)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                mixed = module(batch)
            torch.testing.assert_close(mixed.float(), wanted, rtol=0.1, atol=0.05, msg=model)
            mixed.float().sum().backward()
            self.assertTrue(all(weight.grad is None or bool(torch.isfinite(weight.grad).all()) for weight in module.parameters()), model)
            self.assertGreater(sum(weight.grad is not None for weight in module.parameters()), 10)

    def test_message_passing(self):
        """Message-Passing is pairs:local2 without encodings, whose h[u,v] are equal for all u. Where all graphs have the same number of vertices
        the norms see the same means, so that outputs and gradients agree in training, too."""
        import networkx as nx
        import torch
        from leman.nn.torch import Network
        rng = np.random.default_rng(11)
        graphs = [nx.gnp_random_graph(7, 0.4, seed=seed) for seed in range(20)]
        for g in graphs:
            nx.set_node_attributes(g, {v: int(rng.integers(3)) for v in g}, "label")
            nx.set_edge_attributes(g, {e: int(rng.integers(2)) for e in g.edges}, "label")
        y = [float(g.number_of_edges()) for g in graphs]
        vertices, pairs = (Network.from_network(leman.nn.GraphNetwork(model, layers=2, width=8, device="cpu", random_state=3, **more).initialize(graphs, y)).double()
                           for model, more in (("Message-Passing", {}), ("pairs:local2", {"encodings": "none"})))
        pairs.load_state_dict({name.replace("local1", "local2"): weight for name, weight in vertices.state_dict().items()})
        found = []
        for module in (vertices, pairs):
            outputs = module.train()(module.encode(graphs))
            outputs.square().sum().backward()
            found.append((outputs, {name.replace("local1", "local2"): w.grad for name, w in module.named_parameters() if w.grad is not None}))
        torch.testing.assert_close(found[0], found[1], rtol=1e-9, atol=1e-9)


@package.needs("torch")
class ThereAndBack(unittest.TestCase):
    """From parameters to fresh weights, to PyTorch, and back into the library."""

    def network(self, **more):
        return leman.nn.GraphNetwork(**{**dict(model="delta-2-LGNN", preset="zinc", layers=2, width=8, device="cpu", random_state=3), **more})

    def test_fresh_weights(self):
        graphs = labelled(12)
        y = [float(len(g)) for g in graphs]
        weights = self.network().initialize(graphs, y).state_dict()
        for name, weight in weights.items():
            if name.endswith("linear2.weight"):
                bound = weight.shape[1] ** -0.5
                self.assertLessEqual(np.abs(weight).max(), bound)
                self.assertGreater(np.abs(weight).max(), 0.8 * bound)
                self.assertGreater(weight.std(), 0.3 * bound)
        self.assertEqual(weights["layer1.position1.epsilon"], 0)
        again, other = (self.network(random_state=seed).initialize(graphs, y).state_dict() for seed in (3, 4))
        self.assertTrue(all(np.array_equal(weights[name], again[name]) for name in weights))
        self.assertFalse(np.array_equal(weights["head.linear1.weight"], other["head.linear1.weight"]))
        moved = self.network(epochs=1, learning_rate=1e-6).fit(graphs, y).state_dict()
        for name in weights:  # fit() begins with these weights; a step of Adam is at most as long as the learning rate
            if not name.endswith(("mean", "variance")):
                np.testing.assert_allclose(moved[name], weights[name], rtol=0, atol=1e-5)

    def test_what_is_predicted(self):
        graphs = labelled(12)
        bare = self.network().initialize(graphs, outputs=3)
        self.assertEqual((bare.n_outputs_, bare.is_classifier_, bare.history_), (3, False, []))
        self.assertEqual(bare.predict(graphs).shape, (12, 3))
        classes = self.network(preset="tu").initialize(graphs, ["odd" if len(g) % 2 else "even" for g in graphs])
        self.assertEqual(classes.classes_.tolist(), ["even", "odd"])
        np.testing.assert_allclose(classes.predict_proba(graphs).sum(1), 1, rtol=1e-6)

    def test_weights_of_torch(self):
        """A network trained in PyTorch predicts in C what the module predicts, explains, and is saved and loaded."""
        import tempfile
        import torch
        from leman.nn.torch import Network
        graphs = labelled(12)
        wanted = torch.tensor([[float(len(g))] for g in graphs])
        for model in ("delta-2-LGNN", "delta-2-GNN", "GINE-eps", "PPGN"):
            fresh = self.network(model=model).initialize(graphs)
            module = Network.from_network(fresh).train()
            optimizer, batch = torch.optim.Adam(module.parameters(), 1e-2), module.encode(graphs)
            for _ in range(5):
                optimizer.zero_grad()
                torch.nn.functional.mse_loss(module(batch), wanted).backward()
                optimizer.step()
            module.eval()
            trained = leman.nn.GraphNetwork.from_torch(module)
            predicted = trained.predict(graphs)
            self.assertGreater(np.abs(predicted - fresh.predict(graphs)).max(), 0.1, model)
            np.testing.assert_allclose(predicted, module.predict(graphs)[:, 0], rtol=2e-4, atol=2e-4, err_msg=model)
            without = leman.Dataset.from_networkx([graphs[0].subgraph([v for v in graphs[0] if v != 2])])
            self.assertAlmostEqual(trained.explain(graphs[0]).weights[2], predicted[0] - trained.predict(without)[0], places=4)
            with tempfile.TemporaryDirectory() as folder:
                trained.save(f"{folder}/net.lmn")
                np.testing.assert_array_equal(leman.nn.GraphNetwork.load(f"{folder}/net.lmn").predict(graphs), predicted)
            with torch.no_grad():
                module.head.linear1.weight.zero_()
            np.testing.assert_array_equal(trained.predict(graphs), predicted)
            self.assertEqual(trained.get_params(), fresh.get_params())

    def test_what_is_refused(self):
        import torch
        from leman.nn.torch import Network
        module = Network.from_network(self.network().initialize(labelled(12)))
        with self.assertRaisesRegex(leman.InputError, "without a GraphNetwork"):
            leman.nn.GraphNetwork.from_torch(Network(module.description))
        module.own = torch.nn.Linear(2, 2)
        with self.assertRaisesRegex(leman.ArgumentError, "the weight own.weight, which the network does not have"):
            leman.nn.GraphNetwork.from_torch(module)
        del module.own
        with torch.no_grad():
            module.head.linear1.bias[0, 0] = torch.nan
        with self.assertRaisesRegex(leman.ArgumentError, "head.linear1.bias: found a number that is not finite"):
            leman.nn.GraphNetwork.from_torch(module)
        module.head.linear1.weight = torch.nn.Parameter(torch.zeros(3, 3))
        with self.assertRaisesRegex(leman.ArgumentError, "weight head.linear1.weight: found the shape 3 x 3"):
            leman.nn.GraphNetwork.from_torch(module)
        del module.head.linear1.weight
        with self.assertRaisesRegex(leman.InputError, "found no weight head.linear1.weight"):
            leman.nn.GraphNetwork.from_torch(module)


if __name__ == "__main__":
    package.main()
