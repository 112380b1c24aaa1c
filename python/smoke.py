# What `make wheel` tries in an empty environment: the sentences a newcomer types first.
import networkx
import leman
from leman._walk import walk

graphs = [networkx.cycle_graph(6), networkx.disjoint_union(networkx.cycle_graph(3), networkx.cycle_graph(3))]
data = leman.Dataset.from_networkx(graphs, y=[0, 1])
assert len(data) == 2 and data[0].num_vertices == 6
gram = leman.WLKernel(method="delta-2-LWL", rounds=3).fit_transform(data)
assert gram.shape == (2, 2) and gram[0, 1] < 1
assert not leman.distinguish(*graphs, method="1-WL")
assert leman.distinguish(*graphs, method="delta-2-LWL").round >= 0
assert walk is not None  # libwalk.so is inside
assert len(leman.Dataset.from_grakel([[{(1, 2), (2, 1)}, {1: "a", 2: "b"}]])[0]) == 2
print("leman", leman.__version__, "works:", data)
