"""two-graphs.svg, the picture of README.md: python docs/pictures/two_graphs.py FILE.svg. A hexagon and two triangles, whose vertices have one
colour by 1-WL, and their 36 pairs of vertices in the colours of delta-2-LWL."""
import math
import sys

import numpy as np

import leman

# Okabe and Ito's colours, which people with colour blindness tell apart.
PALETTE = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#0072b2", "#f0e442")
VERTEX = ("#999999", "#333333")  # colours of vertices are not those of pairs
CELL, RADIUS = 19, 62


def places(graph):
    """Corners of a hexagon, or of two triangles side by side."""
    if graph == 0:
        return [(RADIUS * math.sin(math.pi / 3 * i), -RADIUS * math.cos(math.pi / 3 * i)) for i in range(6)]
    return [(36 * math.sin(2 * math.pi / 3 * i) + x, -36 * math.cos(2 * math.pi / 3 * i) + 8) for x in (-44, 44) for i in range(3)]


def drawn(data, vertices, pairs):
    """The lines of the file. vertices, pairs: the place of a colour in the palette, for each vertex, and for each pair of each graph."""
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 226" role="img" font-family="Helvetica,Arial,sans-serif" font-size="16" text-anchor="middle">'
    yield "<title>1-WL gives all vertices of a hexagon and of two triangles one colour. delta-2-LWL gives their pairs different colours.</title>"
    yield '<rect width="760" height="226" rx="8" fill="#fff"/><g fill="#333"><text x="190" y="24">1-WL: all 12 vertices have one colour</text><text x="570" y="24">δ-2-LWL: pairs share no colour</text>'
    yield "".join(f'<text x="{475 + 190 * g}" y="206" font-size="15">{name}</text>' for g, name in enumerate(("hexagon", "two triangles"))) + "</g>"
    for g in range(2):
        at = places(g)
        yield f'<g transform="translate({95 + 190 * g},122)" stroke="#333" stroke-width="1.6">'
        yield "".join(f'<line x1="{at[u][0]:.1f}" y1="{at[u][1]:.1f}" x2="{at[v][0]:.1f}" y2="{at[v][1]:.1f}"/>' for u, v in data[g].edges if u < v)
        yield "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="10" fill="{VERTEX[c]}"/>' for (x, y), c in zip(at, vertices[g]))
        yield f'</g>\n<g transform="translate({475 - 3 * CELL + 190 * g},{122 - 3 * CELL})" stroke="#fff">'
        yield "".join(f'<rect x="{v * CELL}" y="{u * CELL}" width="{CELL}" height="{CELL}" fill="{PALETTE[pairs[g][u * 6 + v]]}"/>' for u in range(6) for v in range(6))
        yield "</g>"
    yield "</svg>"


def numbered(colors):
    """Colours of both graphs as 0, 1, ... in the order in which they appear."""
    seen = {}
    return [[seen.setdefault(int(c), len(seen)) for c in np.asarray(one).ravel()] for one in colors]


def main():
    data = leman.Dataset.generate("cycles")
    vertices, pairs = (numbered([leman.colors(data[g], method) for g in range(2)]) for method in ("1-WL", "delta-2-LWL"))
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write("\n".join(drawn(data, vertices, pairs)) + "\n")


if __name__ == "__main__":
    main()
