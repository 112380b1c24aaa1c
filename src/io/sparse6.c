/*
 * sparse6 stores edges as pairs (b, x) of one bit and k bits. k is the number of binary digits of n - 1 (0 for n = 1).
 *
 *   v = 0;  for each pair:  v += b;  if x > v then v = x, else {x, v} is an edge
 *
 * Self-loops and repeated edges can be written; the policy decides about them. The last character is padded with ones.
 * If a pair of ones would read as a loop at vertex n - 1, a zero is put before the ones.
 *
 * Time and memory O(n + edges).
 */
#include "io/graph6.h"

static unsigned bits_of(uint64_t n)
{
    unsigned k = 0;
    for (uint64_t rest = n ? n - 1 : 0; rest; rest >>= 1) k++;
    return k;
}

/* ---- Reading --------------------------------------------------------------------------------- */

uint64_t lm_bits_read(lm_bits *b, unsigned count)
{
    uint64_t result = 0;
    b->left -= count;
    for (; count; count--) {
        if (!b->held) {
            b->value = (unsigned)(unsigned char)*b->at++ - LM_SIX_LOWEST;
            b->held = 6;
        }
        result = result << 1 | (b->value >> --b->held & 1);
    }
    return result;
}

static bool all_ones(uint64_t value, unsigned count)
{
    return value == (UINT64_C(1) << count) - 1;
}

/* Checks the padding: at most five bits, all ones, or a zero followed by ones. Some programs write the zero where it is
 * not needed. */
static leman_status check_filling(const lm_text *text, lm_bits *p)
{
    unsigned count = (unsigned)p->left;
    if (p->left > 5) return lm_text_fail(text, "the line ends inside an edge");
    uint64_t value = lm_bits_read(p, count);
    if (count && !all_ones(value, count) && !all_ones(value, count - 1))
        return lm_text_fail(text, "found zeros in the bits that fill the last character up, expected ones");
    return LEMAN_OK;
}

leman_status lm_sparse6_body(lm_graph6 *g, uint64_t n)
{
    const unsigned k = bits_of(n);
    lm_bits p = {.at = g->text.at, .left = 6 * (uint64_t)(g->text.end - g->text.at)};
    uint64_t v = 0;
    if (!n && p.left) return lm_text_fail(&g->text, "found edges in a graph without vertices");
    PASS(lm_graph6_begin(g, n));
    while (p.left > k) {
        lm_bits before = p;
        v += lm_bits_read(&p, 1);
        uint64_t x = lm_bits_read(&p, k);
        if (v >= n || x >= n) { /* only the padding may name a vertex that does not exist */
            if (before.left > 5)
                return lm_text_fail(&g->text, "found an edge to vertex %llu, expected one of %llu %s",
                                    (unsigned long long)(x > v ? x : v) + 1, (unsigned long long)n,
                                    lm_plural_of(n, "vertex", "vertices"));
            p = before;
            break;
        }
        if (x > v)
            v = x;
        else
            PASS(lm_graph6_edge(g, x, v));
    }
    return check_filling(&g->text, &p);
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void write_graph(lm_six *six, const leman_graph *g)
{
    const uint64_t n = g->vertices;
    const unsigned k = bits_of(n);
    uint64_t current = 0;
    lm_output_write(six->out, ":", 1);
    lm_six_size(six, n);
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t e = g->start[v]; e < g->start[v + 1] && g->head[e] <= v; e++) {
            if (v > current + 1) { /* a pair that only sets v */
                lm_six_put(six, 1, 1);
                lm_six_put(six, v, k);
                current = v;
            }
            lm_six_put(six, v - current, 1);
            lm_six_put(six, g->head[e], k);
            current = v;
        }
    if (six->filled) {
        unsigned gap = 6 - six->filled;
        bool would_be_loop = gap > k && current + 2 == n && n == UINT64_C(1) << k;
        lm_six_put(six, (1u << (would_be_loop ? gap - 1 : gap)) - 1, gap);
    }
}

leman_status lm_sparse6_write(leman_context *ctx, const leman_dataset *data, lm_output *out)
{
    if (data->directed)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: sparse6 cannot hold directed graphs; write graph6 (digraph6 lines), an edge list, TU or "
                       "binary",
                       data->name);
    return lm_six_write(ctx, data, out, "sparse6", write_graph);
}
