"""The networks of the zinc preset in PyTorch, for the comparisons: delta-2-LGNN, delta-2-GNN, 2-WL-GNN and GINE-eps.

Batches are those of torch_data. Sums over neighbours are linear and self-adjoint, so that backward is the same sum of
the gradient. They are computed

  add     by index_add over the arcs                 (ragged)
  csr     as the product of a sparse matrix          (ragged)
  table   as a sum over the columns of a table       (padded): one kernel where the compiler fuses gathering and adding"""
import torch
from torch import nn

LAYERS = 4
SUMS = {"local": ("near",), "delta": ("near", "others"), "wl": ("all",)}
PAPER = {"local": "delta-2-LGNN", "delta": "delta-2-GNN", "wl": "2-WL-GNN", "gine": "GINE-eps"}
PUBLISHED_LABELS = 21  # width of one-hot bonds in the published GINE-eps; three of them occur

# ---- Sums


def gather(x, table):
    """[rows of the table][width]: the sum of the rows that the table names; the last row means nothing."""
    nothing = x.shape[0] - 1
    if table.shape[1] > 8:
        return torch.where((table != nothing)[:, :, None], x[table], 0).sum(1).to(x.dtype)
    out = torch.where((table[:, 0] != nothing)[:, None], x[table[:, 0]], 0)
    for i in range(1, table.shape[1]):
        out = out + torch.where((table[:, i] != nothing)[:, None], x[table[:, i]], 0)
    return out


class TableSum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, table):
        ctx.save_for_backward(table)
        return gather(x, table)

    @staticmethod
    def backward(ctx, g):
        return gather(g, ctx.saved_tensors[0]), None


class TableLines(torch.autograd.Function):
    """For every row the sum of its line: the rows that the table has for it."""

    @staticmethod
    def forward(ctx, x, table, line):
        ctx.save_for_backward(table, line)
        return gather(x, table)[line]

    @staticmethod
    def backward(ctx, g):
        table, line = ctx.saved_tensors
        return gather(g, table)[line], None, None


def sum_arcs(x, rows, columns, starts, how):
    if how == "csr":
        ones = torch.ones(len(columns), dtype=x.dtype, device=x.device)
        return torch.sparse_csr_tensor(starts, columns, ones, (x.shape[0], x.shape[0])) @ x
    return torch.zeros_like(x).index_add(0, rows, x[columns])


class ArcSum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, rows, columns, starts, how):
        ctx.save_for_backward(rows, columns, starts)
        ctx.how = how
        return sum_arcs(x, rows, columns, starts, how)

    @staticmethod
    def backward(ctx, g):
        return sum_arcs(g.contiguous(), *ctx.saved_tensors, ctx.how), None, None, None, None


def near(x, b, j):
    """The sum over the pairs in which component j is replaced by a neighbour of it."""
    if "live" in b:
        return TableSum.apply(x, b[f"near{j}"])
    return ArcSum.apply(x, b[f"rows{j}"], b[f"columns{j}"], b[f"starts{j}"], b["how"])


def line(x, b, j):
    """The sum over all pairs that differ in component j at most."""
    if "live" in b:
        return TableLines.apply(x, b[f"members{j}"], b[f"line{j}"])
    return x.new_zeros(b["vertices"], x.shape[1]).index_add(0, b[f"line{j}"], x)[b[f"line{j}"]]


class TablePool(torch.autograd.Function):
    """Means over the rows of graphs: over the pairs of every vertex first where rows are pairs."""

    @staticmethod
    def forward(ctx, x, pairs, members, graph, live, scale):
        ctx.save_for_backward(graph, live, scale)
        ctx.kind = x.dtype
        x = x.to(scale.dtype)
        return gather(gather(x, pairs) if pairs is not None else x, members) * scale

    @staticmethod
    def backward(ctx, g):
        graph, live, scale = ctx.saved_tensors
        return ((g * scale)[graph] * live).to(ctx.kind), None, None, None, None, None


def pool(x, b):
    if "live" in b:
        return TablePool.apply(x, b.get("members2"), b["members"], b["graph"], b["live"], b["scale"].to(b["live"].dtype))
    scale = b["scale"].to(torch.promote_types(x.dtype, torch.float32))
    sums = torch.zeros(len(scale), x.shape[1], dtype=scale.dtype, device=x.device)
    return sums.index_add(0, b["graph"], x.to(scale.dtype)) * scale


class LookUp(torch.autograd.Function):
    """Columns of a linear map, one for each one-hot row. Backward is a product: thousands of rows have the same type, and
    adding them one at a time would be slow."""

    @staticmethod
    def forward(ctx, weight, types, kind):
        ctx.save_for_backward(types)
        ctx.types, ctx.kind = weight.shape[1], weight.dtype
        return weight.t().to(kind)[types]

    @staticmethod
    def backward(ctx, g):
        kinds = torch.arange(ctx.types, device=g.device)
        one_hot = (ctx.saved_tensors[0][:, None] == kinds).to(g.dtype)
        return (g.t() @ one_hot).to(ctx.kind), None, None


class TableMessages(torch.autograd.Function):
    """Sums of ReLU(x of the neighbour + e of the bond). Bonds are the same in both directions, so that backward gathers
    too: what x sends along a bond to w was used where x + e > 0."""

    @staticmethod
    def forward(ctx, x, e, near_table, bond):
        ctx.save_for_backward(x, e, near_table, bond)
        there = (near_table != x.shape[0] - 1)[:, :, None]
        return torch.where(there, torch.relu(x[near_table] + e[bond]), 0).sum(1).to(x.dtype)

    @staticmethod
    def backward(ctx, g):
        x, e, near_table, bond = ctx.saved_tensors
        sent = (near_table != x.shape[0] - 1)[:, :, None] & (x[:, None] + e[bond] > 0)
        d = torch.where(sent, g[near_table], 0)
        one_hot = (bond[:, :, None] == torch.arange(e.shape[0], device=e.device)).to(d.dtype)
        return d.sum(1).to(x.dtype), (one_hot.flatten(0, 1).t() @ d.flatten(0, 1)).to(e.dtype), None, None


# ---- Layers


def two_maps(a, b, c):
    return nn.Sequential(nn.Linear(a, b), nn.ReLU(), nn.Linear(b, c))


class Norm(nn.BatchNorm1d):
    """Batch norm over the rows of graphs; those that only fill up a padded batch do not count."""

    def forward(self, x, b):
        if "live" not in b or not self.training:
            return super().forward(x)
        y, live = x.to(b["live"].dtype), b["live"]
        count = live.sum()
        mean = (y * live).sum(0) / count
        variance = ((y - mean).square() * live).sum(0) / count
        with torch.no_grad():
            self.running_mean.lerp_(mean.to(self.running_mean.dtype), self.momentum)
            unbiased = variance * (count / (count - 1))
            self.running_var.lerp_(unbiased.to(self.running_var.dtype), self.momentum)
        return ((y - mean) * torch.rsqrt(variance + self.eps) * self.weight + self.bias).to(x.dtype)


def lowered(x):
    """The type in which rows are stored: that of autocast where there is one."""
    if torch.is_autocast_enabled(x.device.type):
        return torch.get_autocast_dtype(x.device.type)
    return x.dtype


class TupleLayer(nn.Module):
    """Z = (1 + epsilon) X + sum for each sum of the model and both components; X' = Norm(M[ReLU(MLP(Z)), ...])."""

    def __init__(self, kind, inputs, d, table):
        super().__init__()
        self.sums, self.table = SUMS[kind], table
        branches = 2 * len(self.sums)
        self.first = nn.ModuleList(nn.Linear(inputs, d) for _ in range(branches))
        self.second = nn.ModuleList(nn.Linear(d, d) for _ in range(branches))
        self.epsilon = nn.Parameter(torch.zeros(branches))
        self.merge, self.norm = two_maps(branches * d, d, d), Norm(d)

    def added(self, x, b, j, which):
        if which == "near":
            return near(x, b, j)
        rest = line(x, b, j) - x
        return rest - near(x, b, j) if which == "others" else rest

    def forward(self, x, b):
        """x: rows, or in the first layer their types. Returns the new rows and their means over graphs."""
        sides = []
        for j in (1, 2):
            for which in self.sums:
                i = len(sides)
                first = self.first[i]
                own = LookUp.apply(first.weight, x, lowered(first.weight)) if self.table else x
                z = (1 + self.epsilon[i]) * own + self.added(own, b, j, which)
                z = z + first.bias.to(z.dtype) if self.table else first(z)
                sides.append(torch.relu(self.second[i](torch.relu(z))))
        x = self.norm(self.merge(torch.cat(sides, 1)), b)
        return x, pool(x, b)


class GineLayer(nn.Module):
    """x' = MLP((1 + epsilon) x + sum of ReLU(x of the neighbour + MLP(bond)))."""

    def __init__(self, bonds, inputs, d):
        super().__init__()
        self.edges, self.vertices = two_maps(bonds, inputs, inputs), two_maps(inputs, inputs, d)
        self.epsilon = nn.Parameter(torch.zeros(1))
        self.bonds = bonds

    def forward(self, x, b, norm):
        weight = self.edges[0].weight
        e = self.edges(torch.eye(self.bonds, dtype=weight.dtype, device=weight.device)).to(x.dtype)
        if "live" in b:
            sums = TableMessages.apply(x, e, b["near"], b["bond"])
        else:
            sums = torch.zeros_like(x).index_add(0, b["rows"], torch.relu(x[b["columns"]] + e[b["bond"]]))
        x = norm(torch.relu(self.vertices((1 + self.epsilon[0]) * x + sums)), b)
        return x, pool(x, b)


# ---- Networks


class Head(nn.Sequential):
    def __init__(self, d):
        super().__init__(nn.Linear(LAYERS * d, d), nn.ReLU(), nn.Linear(d, d), nn.ReLU(), nn.Linear(d, d), nn.ReLU(),
                         nn.Linear(d, 1))


class TupleNetwork(nn.Module):
    def __init__(self, kind, types, d):
        super().__init__()
        self.layers = nn.ModuleList(TupleLayer(kind, d if t else types, d, not t) for t in range(LAYERS))
        self.head = Head(d)

    def forward(self, b):
        x, means = b["type"], []
        for layer in self.layers:
            x, mean = layer(free_rows(x), b)
            means.append(mean)
        return self.head(torch.cat(means, 1))[:, 0]


class GineNetwork(nn.Module):
    def __init__(self, labels, bonds, d):
        super().__init__()
        self.labels = labels
        self.layers = nn.ModuleList(GineLayer(bonds, d if t else labels, d) for t in range(LAYERS - 1))  # the last is used twice
        self.norms = nn.ModuleList(Norm(d) for _ in range(LAYERS))
        self.head = Head(d)

    def forward(self, b):
        weight = self.head[0].weight
        x = (b["label"][:, None] == torch.arange(self.labels, device=weight.device)).to(lowered(weight))
        means = []
        for t in range(LAYERS):
            x, mean = self.layers[min(t, LAYERS - 2)](x, b, self.norms[t])
            means.append(mean)
        return self.head(torch.cat(means, 1))[:, 0]


def free_rows(x):
    """Tells the compiler that another batch will have another number of rows."""
    if not torch.compiler.is_compiling():
        torch._dynamo.maybe_mark_dynamic(x, 0)
    return x


def make(kind, data, width, bonds=None):
    """The network for the graphs of a torch_data.Resident. bonds: the width of one-hot bonds, where not what there are."""
    if kind == "gine":
        return GineNetwork(data.labels, bonds or data.bonds, width)
    return TupleNetwork(kind, data.types, width)


def parameters(network):
    return sum(p.numel() for p in network.parameters())


# ---- Weights of ours


def load(network, kind, weights):
    """Copies weights that leman train --export wrote."""
    def fill(to, values):
        to.copy_(torch.as_tensor(values.copy()).reshape(to.shape))

    def linear(module, name, table=False):
        fill(module.weight, weights[name + ".table"].T if table else weights[name + ".weight"])
        fill(module.bias, weights[name + ".bias"])

    def norm(module, name):
        for to, part in ((module.weight, "scale"), (module.bias, "shift"), (module.running_mean, "mean"),
                         (module.running_var, "variance")):
            fill(to, weights[f"{name}.{part}"])

    with torch.no_grad():
        for t, layer in enumerate(network.layers):
            name = f"layer{t + 1}."
            if kind == "gine":
                fill(layer.epsilon[0], weights[name + "epsilon"])
                linear(layer.edges[0], name + "edge.linear1", True)
                linear(layer.edges[2], name + "edge.linear2")
                linear(layer.vertices[0], name + "linear1")
                linear(layer.vertices[2], name + "linear2")
                continue
            ways = [""] if len(layer.sums) == 1 else ["local.", "global."]
            for i, way in enumerate(f"position{j}.{w}" for j in (1, 2) for w in ways):
                fill(layer.epsilon[i], weights[name + way + "epsilon"])
                linear(layer.first[i], name + way + "linear1", t == 0)
                linear(layer.second[i], name + way + "linear2")
            linear(layer.merge[0], name + "merge.linear1")
            linear(layer.merge[2], name + "merge.linear2")
            norm(layer.norm, name + "merge.norm")
        for t, module in enumerate(network.norms if kind == "gine" else ()):
            norm(module, f"layer{t + 1}.norm")
        for i in range(LAYERS):
            linear(network.head[2 * i], f"head.linear{i + 1}")
