"""MPNN and PPGN in PyTorch, in double precision, as their authors wrote them: a matrix for every arc, nn.GRUCell and
nn.LSTMCell, torch.matmul over channels. Run as a program it reads graphs (JSON) and weights (.npz of leman train
--export) and prints the outputs of every graph as JSON.

  python torch_networks.py mpnn|ppgn GRAPHS.json WEIGHTS.npz

A graph is {"n": n, "edges": [[u, v, label], ...], "reals": [[...], ...]}; the last three reals of a vertex are its
position, labels count from 0."""
import ast
import json
import sys
import zipfile

import torch
from torch import nn

HIDDEN, TURNS = 128, 3
torch.set_default_dtype(torch.float64)


def weights_of(path):
    """The arrays of an .npz as tensors of doubles; without numpy."""
    arrays = {}
    with zipfile.ZipFile(path) as file:
        for name in (name for name in file.namelist() if name.endswith(".npy")):
            content = file.read(name)
            length = int.from_bytes(content[8:10], "little")
            head = ast.literal_eval(content[10:10 + length].decode())
            assert head["descr"] == "<f4" and not head["fortran_order"], head
            numbers = torch.frombuffer(bytearray(content[10 + length:]), dtype=torch.float32)
            arrays[name.removesuffix(".npy")] = numbers.reshape(head["shape"]).double()
    return arrays


def linear(w, name):
    module = nn.Linear(w[name + ".weight"].shape[1], w[name + ".weight"].shape[0])
    module.weight.data, module.bias.data = w[name + ".weight"], w[name + ".bias"][0]
    return module


def cell(w, name, kind):
    module = kind(w[name + ".input"].shape[1], w[name + ".hidden"].shape[1])
    module.weight_ih.data, module.weight_hh.data = w[name + ".input"], w[name + ".hidden"]
    module.bias_ih.data, module.bias_hh.data = w[name + ".input_bias"][0], w[name + ".hidden_bias"][0]
    return module


def head(w, x, maps):
    for i in range(1, maps + 1):
        x = linear(w, f"head.linear{i}")(x)
        x = torch.relu(x) if i < maps else x
    return x


def set2set(w, x, turns):
    d, lstm = x.shape[1], cell(w, "set2set", nn.LSTMCell)
    star, h, c = x.new_zeros(1, 2 * d), x.new_zeros(1, d), x.new_zeros(1, d)
    for _ in range(turns):
        h, c = lstm(star, (h, c))
        a = torch.softmax(x @ h[0], 0)
        star = torch.cat([h, (a @ x)[None]], 1)
    return star[0]


def mpnn(w, graph, labels, layers):
    n, reals = graph["n"], torch.tensor(graph["reals"])
    position = reals[:, -3:]
    bonds = torch.zeros(n, n, labels)
    for u, v, label in graph["edges"]:
        bonds[u, v, label] = bonds[v, u, label] = 1
    distance = (position[:, None] - position[None]).norm(dim=2)
    arcs = [(u, v) for u in range(n) for v in range(n) if u != v]
    x = torch.relu(linear(w, "input")(reals[:, :-3]))
    d = x.shape[1]
    maps = w["edge.maps"].reshape(HIDDEN + 1, d, d)  # [k][output][input]
    matrix = {}
    for u, v in arcs:
        hidden = torch.relu(linear(w, "edge.linear1")(torch.cat([bonds[u, v], distance[u, v][None]])))
        matrix[u, v] = (maps[0] + (hidden[:, None, None] * maps[1:]).sum(0)).t()  # [input][output]
    gru, h = cell(w, "gru", nn.GRUCell), x
    for _ in range(layers):
        mean = torch.zeros(n, d)
        for u, v in arcs:
            mean[u] += x[v] @ matrix[u, v] / (n - 1)
        x = h = gru(torch.relu(mean + linear(w, "root")(x)), h)
    return head(w, set2set(w, x, TURNS), 2)


def ppgn(w, graph, labels, layers):
    n, reals = graph["n"], torch.tensor(graph["reals"])
    x = torch.zeros(n, n, 2 + labels + reals.shape[1])
    for u, v, label in graph["edges"]:
        x[u, v, 0] = x[v, u, 0] = x[u, v, 2 + label] = x[v, u, 2 + label] = 1
    for v in range(n):
        x[v, v, 1] = 1
        x[v, v, 2 + labels:] = reals[v]
    for t in range(1, layers + 1):
        sides = []
        for side in ("left", "right"):
            y = torch.relu(linear(w, f"layer{t}.{side}.linear1")(x))
            sides.append(torch.relu(linear(w, f"layer{t}.{side}.linear2")(y)).permute(2, 0, 1))
        product = torch.matmul(*sides).permute(1, 2, 0)
        x = linear(w, f"layer{t}.merge")(torch.cat([x, product], 2))
    diagonal = torch.eye(n, dtype=torch.bool)
    beside = x[~diagonal].max(0).values if n > 1 else x.new_zeros(x.shape[2])
    return head(w, torch.cat([x[diagonal].max(0).values, beside]), 3)


def main(kind, graphs, weights):
    with open(graphs) as file:
        asked = json.load(file)
    w = weights_of(weights)
    with torch.no_grad():
        print(json.dumps([{"mpnn": mpnn, "ppgn": ppgn}[kind](w, g, asked["labels"], asked["layers"]).tolist()
                          for g in asked["graphs"]]))


if __name__ == "__main__":
    main(*sys.argv[1:])
