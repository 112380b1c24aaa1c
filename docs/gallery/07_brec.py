"""
Which test tells which pair apart
=================================

Every column is a pair of graphs of BREC, every row a test; 40 of its 400 pairs. A field is filled if the test tells the pair
apart. Rows that reach farther are stronger here. (BREC is not part of Leman; without it, pairs are generated.)
"""
import matplotlib.pyplot as plt
import networkx as nx
import numpy as np

import leman
import sets

file = sets.path("BREC.pairs")
if file:
    graphs = leman.Dataset.read(file, format="pairs")
    pairs, name = [(graphs[2 * i], graphs[2 * i + 1]) for i in [*range(0, 260, 13), *range(260, 300, 2)]], "BREC"
else:
    bases = [nx.cycle_graph(5), nx.grid_2d_graph(2, 3), nx.grid_2d_graph(2, 4), nx.diamond_graph(), nx.wheel_graph(5), nx.grid_2d_graph(3, 3),
             nx.complete_bipartite_graph(3, 3), nx.cubical_graph(), nx.circular_ladder_graph(3), nx.house_graph(), nx.petersen_graph()]
    twisted, skips = leman.generate("cfi", base=[nx.Graph(base.edges) for base in bases]), leman.generate("csl")
    pairs = [tuple(leman.generate("cycles", vertices=n)) for n in range(6, 12, 2)] + [tuple(leman.generate("rook-shrikhande"))]
    pairs += [(twisted[2 * i], twisted[2 * i + 1]) for i in range(len(bases))] + [(skips[0], skips[i]) for i in range(1, 10)]
    name = "generated pairs"
methods = ["1-WL", "2-WL", "SPD-WL", "RD-WL", "SWL(VS)", "PSWL(VS)", "delta-2-LWL", "2-FWL"]
told = np.array([[bool(found) for found in leman.distinguish_pairs(pairs, method)] for method in methods])
for method, row in zip(methods, told):
    print(f"{method:12} {row.sum():3} of {len(pairs)}")

figure, axes = plt.subplots(figsize=(8, 2.8), constrained_layout=True)
axes.imshow(told[:, np.argsort(-told.sum(axis=0), kind="stable")], cmap="Blues", vmin=0, vmax=1.3, aspect="auto", interpolation="nearest")
axes.set(yticks=range(len(methods)), yticklabels=methods, xlabel=f"{len(pairs)} pairs, the easiest first", title=name)
