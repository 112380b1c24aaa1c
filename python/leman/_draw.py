"""Small pictures of graphs for notebooks, as SVG.

Vertices stand where classical multidimensional scaling puts them: the two leading eigenvectors of the doubly centred squared
distances, after a few steps that bring neighbours to one length (stress majorisation). O(n^3) for n vertices; graphs of more
than 80 are not drawn. Labels of molecules are shown as symbols of elements, others as colours.
"""
from __future__ import annotations

import html as html_
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._dataset import Dataset
    from ._graph import Graph

LARGEST = 80
_COLORS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#888888", "#dd8452", "#55a868", "#8172b3")


def _distances(n: int, edges: Any) -> Any:
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import shortest_path
    matrix = coo_matrix((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(n, n)).tocsr()
    found = shortest_path(matrix, directed=False, unweighted=True)
    finite = found[np.isfinite(found)]
    found[~np.isfinite(found)] = (finite.max() if finite.size else 1) + 2
    return found


def layout(n: int, edges: Any) -> Any:
    """[n, 2], the same for the same graph."""
    if n < 2:
        return np.zeros((n, 2))
    distance = _distances(n, edges)
    centre = np.eye(n) - 1.0 / n
    values, vectors = np.linalg.eigh(-0.5 * centre @ (distance**2) @ centre)
    place = vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 0))
    place = place + 1e-3 * np.stack([np.cos(np.arange(n)), np.sin(np.arange(n))], axis=1)
    weight = 1.0 / np.maximum(distance, 1) ** 2
    np.fill_diagonal(weight, 0)
    for _ in range(60):
        apart = place[:, None] - place[None]
        length = np.maximum(np.linalg.norm(apart, axis=-1), 1e-6)
        wanted = place[None] + apart * (distance / length)[..., None]
        place = (weight[..., None] * wanted).sum(axis=1) / weight.sum(axis=1, keepdims=True)
    return place


def _looks_like_molecules(labels: list[Any] | None) -> bool:
    from ._molecules import SYMBOLS
    return bool(labels) and all(isinstance(x, int) and 1 <= x % 1000 < len(SYMBOLS) for x in labels or ()) and 6 in (labels or ())


def svg(graph: Graph, size: int = 150, weights: Any = None, caption: str = "") -> str:
    """One graph; weights colours its vertices from blue (negative) over grey to red (positive)."""
    n = graph.num_vertices
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 {size} {size}" role="img">'
    title = f"<title>{html_.escape(caption or repr(graph))}</title>"
    if n == 0 or n > LARGEST:
        text = "no vertices" if n == 0 else f"{n} vertices"
        return f'{head}{title}<text x="{size / 2}" y="{size / 2}" font-size="12" text-anchor="middle" fill="#888">{text}</text></svg>'
    edges, labels = graph.edges, graph.vertex_labels
    place = layout(n, edges)
    low, high = place.min(axis=0), place.max(axis=0)
    place = 14 + (place - (low + high) / 2) / max((high - low).max(), 1e-9) * (size - 28) + (size - 28) / 2
    parts = [head, title, '<g stroke="#999" stroke-width="1.5">']
    for u, v in edges.tolist():
        (x1, y1), (x2, y2) = place[u], place[v]
        parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')
    parts.append("</g>")
    molecule = labels is not None and _looks_like_molecules(labels)
    kinds = {label: i for i, label in enumerate(dict.fromkeys(labels or ()))}
    strongest = float(np.max(np.abs(weights))) if weights is not None and len(weights) else 0.0
    for v in range(n):
        x, y = place[v]
        color = _COLORS[kinds[labels[v]] % len(_COLORS)] if labels is not None else _COLORS[0]
        if weights is not None:
            share = float(weights[v]) / strongest if strongest else 0.0
            color = f"hsl({10 if share > 0 else 215}, {abs(share) * 85:.0f}%, 55%)"
        tip = html_.escape(f"{v}" if labels is None else f"{v}: {labels[v]}")
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{7 if molecule else 5}" fill="{color}"><title>{tip}</title></circle>')
        if molecule and labels is not None:
            from ._molecules import SYMBOLS
            parts.append(f'<text x="{x:.1f}" y="{y + 3:.1f}" font-size="9" fill="#fff" text-anchor="middle">'
                         f"{SYMBOLS[labels[v] % 1000]}</text>")
    return "".join(parts) + "</svg>"


def html(data: Dataset, pictures: int = 6) -> str:
    shown = [f'<div style="display:inline-block;margin:2px">{svg(data[i], 110)}</div>' for i in range(min(pictures, len(data)))]
    return f"<div><div>{html_.escape(repr(data)[1:-1])}</div>{''.join(shown)}</div>"
