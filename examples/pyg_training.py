#!/usr/bin/env python3
"""A training loop of PyTorch Geometric with layers on pairs of vertices.

    examples/pyg_training.py                     generated graphs: two linked rings or two fused ones, without labels
    examples/pyg_training.py MUTAG.zip --epochs 60

Two networks learn in the same loop: GIN of PyG, which sees what colour refinement sees, and one whose layers are
leman.nn.torch.LocalConv on pairs. Everything else (Data, DataLoader, loss, optimiser) is PyG's and PyTorch's own.
"""
import argparse

import torch
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GINConv, global_add_pool

import leman
from leman.nn.torch import GraphBatch, GraphPool, LocalConv, TupleEncoder, TupleTransform


def perceptron(d_in, d_out):
    return torch.nn.Sequential(torch.nn.Linear(d_in, d_out), torch.nn.ReLU(), torch.nn.Linear(d_out, d_out))


class Vertices(torch.nn.Module):
    """GIN: sums over neighbours of vertices."""

    def __init__(self, width, classes):
        super().__init__()
        self.convs = torch.nn.ModuleList(GINConv(perceptron(1 if i == 0 else width, width)) for i in range(3))
        self.head = perceptron(width, classes)

    def forward(self, batch):
        x = torch.ones(batch.num_nodes, 1)
        for conv in self.convs:
            x = conv(x, batch.edge_index).relu()
        return self.head(global_add_pool(x, batch.batch))


class Pairs(torch.nn.Module):
    """Three layers of delta-2-LGNN: sums over local neighbours of pairs, then the mean over all pairs of a graph."""

    def __init__(self, types, width, classes):
        super().__init__()
        self.encoder = TupleEncoder(2, types, width)
        self.convs = torch.nn.ModuleList(LocalConv(2, width, width) for _ in range(3))
        self.pool = GraphPool("mean")
        self.head = perceptron(width, classes)

    def forward(self, batch):
        tuples = GraphBatch.from_pyg(batch)  # sorts the neighbours of pairs, once for all layers
        x = self.encoder(tuples)
        for conv in self.convs:
            x = conv(x, tuples)
        return self.head(self.pool(x, tuples))


def train(model, loader, epochs, lr=0.005):
    optimizer = torch.optim.Adam(model.parameters(), lr)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    for _ in range(epochs):
        model.train()
        for batch in loader:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(batch), batch.y).backward()
            optimizer.step()
        schedule.step()
    return model


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    right = sum(int((model(batch).argmax(1) == batch.y).sum()) for batch in loader)
    return right / len(loader.dataset)


def with_pairs(data):
    """Data objects of PyG, from a data set of Leman, each with its pairs and their neighbours; labels are left out."""
    transform, classes = TupleTransform(k=2), sorted(set(data.y))
    return [transform(Data(edge_index=graph.edge_index, num_nodes=graph.num_nodes, y=torch.tensor([classes.index(y)])))
            for graph, y in zip(data.to_pyg(), data.y)]


def compare(graphs, epochs, width=32, batch_size=16, seed=0):
    """The accuracy of both networks on the last fifth of the shuffled graphs."""
    torch.manual_seed(seed)
    order = torch.randperm(len(graphs)).tolist()
    cut = len(graphs) * 4 // 5
    training, test = ([graphs[i] for i in part] for part in (order[:cut], order[cut:]))
    types = torch.cat([graph.tuple_type for graph in training])
    classes = len({int(graph.y) for graph in graphs})
    models = {"GIN on vertices": Vertices(width, classes), "LocalConv on pairs": Pairs(types, width, classes)}
    return {name: accuracy(train(model, DataLoader(training, batch_size, shuffle=True), epochs), DataLoader(test, batch_size)) for name, model in models.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?")
    parser.add_argument("--epochs", type=int, default=25)
    asked = parser.parse_args()
    data = leman.Dataset.read(asked.data) if asked.data else leman.generate("molecules", graphs=240, vertices=12, seed=1)
    for name, share in compare(with_pairs(data), asked.epochs).items():
        print(f"{name}: {100 * share:.1f} % of new graphs")


if __name__ == "__main__":
    main()
