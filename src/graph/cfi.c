/*
 * The pair G_k, H_k of Cai, Fuerer and Immerman on the complete graph K with vertices 0 .. k, as in the paper's
 * appendix ("Proof of Proposition 1"). With E(v) the k edges of K at v:
 *
 *   vertices   (v, S)    for each v and each even S within E(v)      H_k: odd S at v = 0
 *              e^0, e^1  for each edge e of K
 *   edges      e^0 - e^1
 *              (v, S) - e^1  for e in S;   (v, S) - e^0  for e in E(v) without S
 *
 * Each graph has (k+1) 2^(k-1) + 2 C(k+1, 2) vertices and C(k+1, 2) + (k+1) k 2^(k-1) edges. k-WL does not distinguish
 * the two graphs; its local variants do. Vertices are numbered cloud by cloud, v * 2^(k-1) + S, then e^0, e^1 edge by
 * edge. S is represented by its lowest k-1 bits; the last bit follows from the parity.
 */
#include "graph/families.h"

/* For larger k the sizes do not fit into 64 bits. */
enum { K_MAX = 50 };

leman_status lm_cfi_plan(leman_context *ctx, const leman_family_options *o, lm_family_plan *plan)
{
    uint64_t k = o->k, base_edges = (k + 1) * k / 2;
    if (!k) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "cfi: found k = 0, expected at least 1");
    plan->members = 2;
    plan->vertices = plan->edges = UINT64_MAX;
    if (k > K_MAX) return LEMAN_OK;
    uint64_t clouds = (k + 1) << (k - 1);
    plan->vertices = clouds + 2 * base_edges;
    plan->edges = base_edges + k * clouds;
    return LEMAN_OK;
}

/* Returns the number of edge {u, v} of K if edges are listed as 01, 02, 12, 03, 13, 23, ... */
static size_t edge_number(size_t u, size_t v)
{
    return u < v ? v * (v - 1) / 2 + u : u * (u - 1) / 2 + v;
}

leman_status lm_cfi_draw(lm_family_builder *builder)
{
    bool companion = builder->member == 1;
    size_t k = builder->options->k, cloud = (size_t)1 << (k - 1), base_edges = (k + 1) * k / 2;
    size_t first = (k + 1) * cloud; /* e^b is vertex first + 2 e + b */
    PASS(lm_family_graph(builder, first + 2 * base_edges, "%c_%zu", companion ? 'H' : 'G', k));
    for (size_t e = 0; e < base_edges; e++) PASS(lm_family_edge(builder, first + 2 * e, first + 2 * e + 1));
    for (size_t v = 0; v <= k; v++)
        for (size_t low = 0; low < cloud; low++) {
            bool odd = companion && v == 0, last = (__builtin_popcountll(low) & 1) != odd;
            size_t set = low | (size_t)last << (k - 1);
            for (size_t i = 0; i < k; i++) { /* the i-th edge at v leads to the i-th other vertex */
                size_t e = edge_number(v, i < v ? i : i + 1);
                PASS(lm_family_edge(builder, v * cloud + low, first + 2 * e + (set >> i & 1)));
            }
        }
    return LEMAN_OK;
}
