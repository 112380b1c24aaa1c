"""Items (ordered pairs, vertices with distances, sets) of docs/color_definition.md a second time, from the page alone, on top of
golden_colors.py. golden_hashes.py makes hashes of them."""
import fractions
import itertools

from golden_colors import MESSAGE, Coloring, mix, multiplier

ITEM, PRIME, FAR = 17, 2**61 - 1, 2**32 - 1
# domain, first colours, sums, pool
PAIRS = {
    "swl": ("all", "mark", ("move v",), "rows"),
    "swl-sv": ("all", "mark", ("move v",), "columns"),
    "pswl": ("all", "mark", ("move v", "end"), "rows"),
    "pswl-sv": ("all", "mark", ("move v", "end"), "columns"),
    "gswl": ("all", "mark", ("move v", "all u"), "rows"),
    "sswl": ("all", "mark", ("move v", "move u"), "rows"),
    "lfwl": ("all", "mark", ("paths N(v)",), "rows"),
    "slfwl": ("all", "mark", ("paths union",), "rows"),
    "drfwl": ("near", "distance", ("paths all",), None),
    "ds-nd": ("others", "no u", ("move v",), "rows"),
    "ds-ego": ("near", "no u", ("move v",), "rows"),
    "ds-nm": ("all", "mark no u", ("move v",), "rows"),
}
DISTANCES = {"spd": "d", "rd": "r", "gd": "d r"}
# what LEMAN_ALGORITHM_ has behind it
ENUM = {"swl": "SWL_VS", "swl-sv": "SWL_SV", "pswl": "PSWL_VS", "pswl-sv": "PSWL_SV", "spd": "SPD_WL", "rd": "RD_WL", "gd": "GD_WL",
        "set": "SET_WL", "ds-nd": "BAG_DELETED", "ds-ego": "BAG_EGO", "ds-nm": "BAG_MARKED"}
NAMES = (*PAIRS, *DISTANCES, "set")


def item(position):
    return multiplier(ITEM, position)


def distances(graph):
    """Floyd and Warshall; FAR where there is no path."""
    n = range(graph.n)
    d = {(u, v): 0 if u == v else 1 if (u, v) in graph.arcs else FAR for u in n for v in n}
    for w, u, v in itertools.product(n, repeat=3):
        d[u, v] = min(d[u, v], d[u, w] + d[w, v])
    return d


def resistances(graph):
    """Exact rationals, as residues: every vertex but u and v is eliminated, and its wires become a mesh; 2^64 - 1 between components."""
    joined = {pair for u, v in graph.arcs if u != v for pair in ((u, v), (v, u))}
    found = {}
    for u, v in itertools.product(range(graph.n), repeat=2):
        wire = {pair: fractions.Fraction(1) for pair in joined}
        for w in set(range(graph.n)) - {u, v}:
            ends = [x for x in range(graph.n) if (w, x) in wire]
            total = sum(wire[w, x] for x in ends)
            for a, b in itertools.permutations(ends, 2):
                wire[a, b] = wire.get((a, b), 0) + wire[w, a] * wire[w, b] / total
            for x in ends:
                del wire[w, x], wire[x, w]
        if u == v:
            found[u, v] = 0
        elif (u, v) in wire:
            found[u, v] = wire[u, v].denominator * pow(wire[u, v].numerator, -1, PRIME) % PRIME
        else:
            found[u, v] = 2**64 - 1
    return found


class Items:
    """The interface of golden_colors.Coloring: types(), and next(), which gives the round after the colours of one."""

    def __init__(self, graph, name, k, seed=0, components=0):
        self.algorithm, _, number = name.partition(":")
        self.tuples = Coloring(graph, "local", 1, seed=seed)  # labels, arcs and atomic types; sets do not change the seed
        self.g, self.k, self.seed, self.vertex, self.arc = graph, k, seed, self.tuples.vertex, self.tuples.arc
        self.vertices, self.distance = range(graph.n), int(number or 2)
        self.most = min(components or k, k)
        # what leads to neighbours: lists of neighbours, label of the arc, and 1 for entering arcs
        self.directions = [(graph.out, self.arc, 0)] + [(graph.into, lambda v, w: self.arc(w, v), 1)] * graph.directed

    # ---- round 0

    def types(self):
        if self.algorithm in PAIRS:
            return self.pooled({pair: self.pair_type(*pair) for pair in self.domain()})
        if self.algorithm in DISTANCES:
            return {v: mix(self.vertex(v) * item(1) + mix(self.seed + 5)) for v in self.vertices}
        return {s: self.set_type(s) for size in range(1, self.k + 1) for s in itertools.combinations(self.vertices, size)
                if self.tuples.components(s) <= self.most}

    def domain(self):
        which, d = PAIRS[self.algorithm][0], distances(self.g)
        return [(u, v) for u, v in itertools.product(self.vertices, repeat=2)
                if (which != "others" or u != v) and (which != "near" or d[u, v] <= self.distance)]

    def pair_type(self, u, v):
        first = PAIRS[self.algorithm][1]
        relation = mix(self.seed + 5)
        if "mark" in first:
            relation += (u == v) * item(2)
        if first == "distance":
            relation += distances(self.g)[u, v] * item(3) + (0 if u == v else self.arc(u, v)) * item(4)
        own = 0 if "no u" in first else self.vertex(u) * item(0)
        return mix(own + self.vertex(v) * item(1) + mix(relation) * item(5))

    def set_type(self, s):
        self.tuples.k = len(s)
        self.tuples.tuples = list(itertools.permutations(s))
        return mix(sum(self.tuples.types().values()) + len(s) * item(32))

    def pooled(self, color):
        """The pairs and an item for each row or column."""
        pool, mine = PAIRS[self.algorithm][3], dict(color)
        for x in self.vertices if pool else ():
            total = sum(c for pair, c in color.items() if pair[pool == "columns"] == x)
            mine["pool", x] = mix(total * item(24) + mix(self.seed + 6))
        return mine

    # ---- a round

    def next(self, color, counted):
        if self.algorithm in PAIRS:
            pairs = {pair: c for pair, c in color.items() if pair[0] != "pool"}
            return self.pooled({(u, v): mix(c + sum(self.pair_sum(pairs, u, v, term) for term in PAIRS[self.algorithm][2]))
                                for (u, v), c in pairs.items()})
        return (self.next_vertices if self.algorithm in DISTANCES else self.next_sets)(color)

    def message(self, color, arc):
        return mix(color + arc * multiplier(MESSAGE, 0)) if self.g.edge_columns else color

    def pair_sum(self, color, u, v, term):
        if term == "end":
            return color[v, v] * item(14)
        if term == "all u":
            return sum(color[w, v] for w in self.vertices) * item(13)
        if term == "paths all":
            return item(20) * sum(mix(color[u, w] * item(16) + color[w, v] * item(17)) for w in self.vertices
                                  if (u, w) in color and (w, v) in color)
        total = 0
        for near, arc, entering in self.directions:
            if term == "move v":
                total += item(8 + entering) * sum(self.message(color[u, w], arc(v, w)) for w in near(v) if (u, w) in color)
            elif term == "move u":
                total += item(10 + entering) * sum(self.message(color[w, v], arc(u, w)) for w in near(u) if (w, v) in color)
            else:
                for w in {*near(v), *(near(u) if term == "paths union" else ())}:
                    path = color[u, w] * item(16) + color[w, v] * item(17)
                    if self.g.edge_columns:
                        path += arc(v, w) * item(19) + (arc(u, w) * item(18) if term == "paths union" else 0)
                    total += item(21 + entering) * mix(path)
        return total

    def next_vertices(self, color):
        d, r = distances(self.g), resistances(self.g)

        def seen(v, w, c):
            key = mix(self.seed + 7)
            key += d[v, w] * item(3) if "d" in DISTANCES[self.algorithm] else 0
            key += r[v, w] * item(6) if "r" in DISTANCES[self.algorithm] else 0
            key += self.arc(v, w) * item(4) if self.g.edge_columns else 0
            return mix(mix(key) + c * item(28))

        return {v: mix(color[v] + item(26) * sum(seen(v, w, color[w]) for w in self.vertices)
                       + self.g.directed * item(27) * sum(seen(w, v, color[w]) for w in self.vertices)) for v in self.vertices}

    def next_sets(self, color):
        def near(s, size):
            return sum(c for t, c in color.items() if len(t) == size and len(set(s) ^ set(t)) == 1)

        return {s: mix(c + item(30) * near(s, len(s) - 1) + item(31) * near(s, len(s) + 1)) for s, c in color.items()}
