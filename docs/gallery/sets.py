"""What pictures of the gallery share: published data sets where there are any, and the places of vertices."""
import os

import networkx as nx


def path(name):
    """The path of a file in the folder LEMAN_DATA, or "" with a sentence if it is not there."""
    found = os.path.join(os.environ.get("LEMAN_DATA", ""), name)
    if "LEMAN_DATA" in os.environ and os.path.exists(found):
        return found
    print(f"{name} is not in the folder LEMAN_DATA: generated graphs stand in for it")
    return ""


def draw(axes, graph, colors, size=260, labels=None, **options):
    """One graph of a data set, its vertices in these colours."""
    picture = nx.Graph()
    picture.add_nodes_from(range(graph.num_vertices))
    picture.add_edges_from(graph.edges.tolist())
    places = {}
    for number, part in enumerate(nx.connected_components(picture)):  # beside each other
        part = picture.subgraph(part)
        start = nx.planar_layout(part) if nx.is_planar(part) else None  # so that few edges cross
        places.update(nx.kamada_kawai_layout(part, pos=start, center=(2.5 * number, 0)))
    nx.draw_networkx(picture, places, ax=axes, node_color=colors, node_size=size, edgecolors="#333333", edge_color="#777777", labels=labels, with_labels=labels is not None, **options)
    axes.set_aspect("equal")
    axes.set_axis_off()
