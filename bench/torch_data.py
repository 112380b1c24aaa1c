"""Graphs of a TU zip for the comparisons with PyTorch: read into arrays, kept on a device, and gathered into batches.

Row u * n + v of a graph is its pair (u, v). A batch is a dictionary of tensors, of two kinds:

  ragged   rows of the graphs behind each other; neighbours as lists of arcs between rows, sorted by their head
  padded   so many rows as asked for; neighbours as tables [rows][largest degree] in which the last row, which no graph
           has, means nothing. All shapes are known beforehand, so that a CUDA graph can hold the step

Both are computed from graph numbers on the device, without waiting for it."""
import zipfile

import numpy as np
import torch

NODES, PAIRS = "nodes", "pairs"


def numbered(values):
    """0, 1, ... in the order of first occurrence, as our own program numbers; and how many there are."""
    _, at, number = np.unique(values, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(at))[number], len(at)


class Graphs:
    """Vertices, labelled arcs and one target of every graph of a TU zip, as arrays of numpy."""

    def __init__(self, path, target=0):
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()

            def column(name, kind=int):
                members = [n for n in names if n.endswith("_" + name + ".txt")]
                if not members:
                    raise ValueError(f"{path}: no file *_{name}.txt in the zip, expected labels of vertices and edges, and targets")
                lines = archive.read(members[0]).decode().strip().splitlines()
                words = " ".join(lines).replace(",", " ").split()
                return np.array(words, dtype=kind).reshape(len(lines), -1)

            arcs, graph = column("A") - 1, column("graph_indicator")[:, 0] - 1
            self.label, self.labels = numbered(column("node_labels")[:, 0])
            bond, self.bonds = numbered(column("edge_labels")[:, 0])
            self.y = column("graph_attributes", float)[:, target].astype(np.float32)
        self.count = len(self.y)
        self.n = np.bincount(graph, minlength=self.count)
        self.first = np.concatenate(([0], np.cumsum(self.n)))
        order = np.lexsort((arcs[:, 1], arcs[:, 0]))
        self.tail, self.head, self.bond = arcs[order, 0], arcs[order, 1], bond[order]
        self.graph = graph

    def neighbors(self):
        """[vertices][largest degree]: numbers inside the graph and labels of the edges; -1 behind the last."""
        degree = np.bincount(self.tail, minlength=len(self.label))
        place = np.arange(len(self.tail)) - np.repeat(np.cumsum(degree) - degree, degree)
        near = np.full((len(self.label), int(degree.max())), -1)
        bond = np.zeros_like(near)
        near[self.tail, place] = self.head - self.first[self.graph[self.tail]]
        bond[self.tail, place] = self.bond
        return near, bond

    def pair_types(self):
        """The type of every pair, and how many types there are."""
        n = self.n[self.graph]
        end = np.cumsum(n)
        first = self.first[self.graph]
        tail = np.repeat(np.arange(len(n)), n)
        head = np.arange(end[-1]) - np.repeat(end - n, n) + first[tail]
        relation = np.ones(end[-1], int)
        relation[(end - n)[self.tail] + self.head - first[self.tail]] = 2 + self.bond
        relation[tail == head] = 0
        code = (self.label[tail] * self.labels + self.label[head]) * (self.bonds + 2) + relation
        return numbered(code)


    def pair_distances(self, most):
        """The length of a shortest path between the vertices of every pair, `most` if it is longer or there is none."""
        found = []
        for g in range(self.count):
            n, first = self.n[g], self.first[g]
            arcs = slice(np.searchsorted(self.tail, first), np.searchsorted(self.tail, first + n))
            near = np.zeros((n, n), bool)
            near[self.tail[arcs] - first, self.head[arcs] - first] = True
            distance, reached = np.full((n, n), most), np.eye(n, dtype=bool)
            for steps in range(most):
                distance[reached & (distance == most)] = steps
                reached = reached @ near
            found.append(distance.ravel())
        return np.concatenate(found)


def training_part(graphs, path):
    """The graphs of the list train.index in the zip; without one, all."""
    with zipfile.ZipFile(path) as archive:
        lists = [n for n in archive.namelist() if n.endswith("train.index")]
        if not lists:
            return np.arange(graphs.count)
        which = np.array(archive.read(lists[0]).decode().replace(",", " ").split(), dtype=int)
        return which[which < graphs.count]


class Resident:
    """All graphs on a device. Behind them stands an empty graph, whose number fills up batches."""

    def __init__(self, graphs, rows, device="cpu", distances=0):
        """distances: those of pairs up to this one; 0: none."""
        self.rows, self.device, self.empty = rows, device, graphs.count
        self.max_n = int(graphs.n.max())
        near, bond = graphs.neighbors()
        degree = (near >= 0).sum(1)
        arcs = np.bincount(graphs.graph, weights=degree, minlength=graphs.count).astype(int)
        self.host_n = np.append(graphs.n, 0)
        self.host_arcs = np.append(arcs, 0)

        def place(values, kind=torch.int64):
            return torch.as_tensor(np.ascontiguousarray(values)).to(device=device, dtype=kind)

        self.n, self.first = place(self.host_n), place(graphs.first)
        self.near, self.bond, self.degree = place(near), place(bond), place(degree)
        self.label, self.y = place(graphs.label), place(np.append(graphs.y, 0), torch.float32)
        self.labels, self.bonds, self.types = graphs.labels, graphs.bonds, 0
        if rows == PAIRS:
            types, self.types = graphs.pair_types()
            self.type = place(types)
            self.first_pair = place(np.concatenate(([0], np.cumsum(graphs.n**2))))
            self.distance = place(graphs.pair_distances(distances)) if distances else None

    def sizes(self, which):
        """Rows and vertices of a batch, known to the host."""
        n = self.host_n[which]
        return int((n**2).sum() if self.rows == PAIRS else n.sum()), int(n.sum())

    def arcs(self, which):
        """Arcs between the rows of a batch for one component."""
        n = self.host_n[which]
        return int((self.host_arcs[which] * (n if self.rows == PAIRS else 1)).sum())


def spread(size, total):
    """Items of several lists of these sizes behind each other, filled up to total: list, place in it, is there one."""
    end = torch.cumsum(size, 0)
    item = torch.arange(total, device=size.device)
    of = torch.searchsorted(end, item, right=True).clamp(max=len(size) - 1)
    return of, item - (end - size)[of], item < end[-1]


def common(data, which):
    """What batches of both kinds have of their graphs: targets, and the weight of each in the loss."""
    n = data.n[which]
    there = (n > 0).to(torch.float32)
    return n, {"y": data.y[which], "weight": there / there.sum()}


# ---- Ragged


def ragged(data, which, numbers, how):
    """which: numbers of graphs on the device; numbers: the same on the host. how: see torch_networks."""
    n, b = common(data, which)
    total, vertices = data.sizes(numbers)
    of_vertex, vertex, _ = spread(n, vertices)
    source = data.first[which[of_vertex]] + vertex
    b["how"] = how
    if data.rows == NODES:
        b["label"], b["graph"], b["scale"] = data.label[source], of_vertex, 1 / n[:, None]
        b["rows"], b["columns"], b["starts"], place = arcs(data.degree[source], data.arcs(numbers))
        at = source[b["rows"]]
        b["columns"] = data.near[at, place] + (torch.cumsum(n, 0) - n)[of_vertex[b["rows"]]]
        b["bond"] = data.bond[at, place]
        return b
    of, local, _ = spread(n * n, total)
    row = local // n[of], local % n[of]
    start = (torch.cumsum(n * n, 0) - n * n)[of]
    first = torch.cumsum(n, 0) - n
    b["type"], b["graph"], b["scale"] = data.type[data.first_pair[which[of]] + local], of, 1 / (n * n)[:, None]
    b["vertices"] = vertices
    for j in (1, 2):
        own, other = row[j - 1], row[2 - j]
        place_of = data.first[which[of]] + own
        rows, _, starts, place = arcs(data.degree[place_of], data.arcs(numbers))
        near = data.near[place_of[rows], place]
        pair = near * n[of[rows]] + other[rows] if j == 1 else other[rows] * n[of[rows]] + near
        b[f"rows{j}"], b[f"columns{j}"], b[f"starts{j}"] = rows, start[rows] + pair, starts
        b[f"line{j}"] = first[of] + other  # all pairs that differ in component j have the other one in common
        if data.distance is not None:
            b[f"bond{j}"] = data.bond[place_of[rows], place]
            b[f"diagonal{j}"] = start + other * (n[of] + 1)
            ends = (own[rows], near) if j == 1 else (near, own[rows])  # of the edge: the pair that moves, seen from the other side
            b[f"edges{j}"], b[f"edge{j}"] = torch.unique(start[rows] + ends[0] * n[of[rows]] + ends[1], return_inverse=True)
    if data.distance is not None:
        second = torch.where(n[of] > 0, row[1], 0)
        b["label2"], b["distance"] = data.label[data.first[which[of]] + second], data.distance[data.first_pair[which[of]] + local]
        b["vertex_graph"], b["vertex_scale"] = of_vertex, 1 / n[:, None]
    return b


def arcs(degree, total):
    """For so many neighbours of every row: the row of each arc, nothing yet, where each row's arcs begin, its place there."""
    starts = torch.cat((degree.new_zeros(1), torch.cumsum(degree, 0)))
    rows = torch.repeat_interleave(torch.arange(len(degree), device=degree.device), degree, output_size=total)
    return rows, None, starts, torch.arange(total, device=degree.device) - starts[rows]


# ---- Padded


def padded(data, which, rows, vertices, lines=True):
    """rows, vertices: more than the batch has. lines: with the tables of sums over all pairs of a line."""
    n, b = common(data, which)
    of_vertex, vertex, there = spread(n, vertices)
    source = torch.where(there, data.first[which[of_vertex]] + vertex, 0)
    first = torch.cumsum(n, 0) - n
    column = torch.arange(data.max_n, device=which.device)
    b["members"] = torch.where(column < n[:, None], first[:, None] + column, vertices - 1)
    if data.rows == NODES:
        near, live = data.near[source], there[:, None]
        b["label"], b["bond"] = data.label[source], data.bond[source]
        b["near"] = torch.where((near >= 0) & live, near + first[of_vertex][:, None], vertices - 1)
        b["live"], b["graph"] = live.to(torch.float32), of_vertex
        b["scale"] = 1 / n.clamp(min=1).to(torch.float32)[:, None]
        return b
    of, local, live = spread(n * n, rows)
    size = n[of].clamp(min=1)
    row = torch.where(live, local // size, 0), torch.where(live, local % size, 0)
    start = (torch.cumsum(n * n, 0) - n * n)
    b["type"] = data.type[torch.where(live, data.first_pair[which[of]] + local, 0)]
    b["live"], b["graph"] = live[:, None].to(torch.float32), of
    b["scale"] = 1 / (n * n).clamp(min=1).to(torch.float32)[:, None]
    for j in (1, 2):
        own, other = row[j - 1][:, None], row[2 - j][:, None]
        near = data.near[torch.where(live, data.first[which[of]] + own[:, 0], 0)]
        pair = near * size[:, None] + other if j == 1 else other * size[:, None] + near
        b[f"near{j}"] = torch.where((near >= 0) & live[:, None], start[of][:, None] + pair, rows - 1)
        if lines or j == 2:
            of_n, base, of_v = n[of_vertex][:, None], start[of_vertex][:, None], vertex[:, None]
            member = column * of_n + of_v if j == 1 else of_v * of_n + column
            b[f"members{j}"] = torch.where((column < of_n) & there[:, None], base + member, rows - 1)
        if lines:
            b[f"line{j}"] = torch.where(live, first[of] + other[:, 0], vertices - 1)
    return b
