/*
 * Types of tuples as exact keys. With V labels of vertices and R relations, a type is one number
 *
 *   (label(v_1) V^(k-1) + .. + label(v_k)) R^p  +  relations of the p = k(k-1)/2 pairs as digits to the base R
 *
 * Once the labels are known, a check ensures that the number fits 64 bits. Relations: 0 is the same vertex. In
 * undirected graphs a relation is 1 + l with l = 0 for no edge and s + 1 for an edge of label s. In directed graphs it
 * is 1 + l (E+1) + l', with l and l' for both directions. O(n^k). Types of sets: [ends adjacent] V^m + sorted labels as
 * digits.
 */
#include "base/hash.h"
#include "base/sort.h"
#include "nn/encode/encoding.h"
#include <string.h>

/* The bases of the digits of a key. */
typedef struct base {
    uint64_t labels, relations; /* V, R */
    uint64_t pairs;             /* R^p */
    uint32_t edge_labels;       /* E */
} base;

static base base_of(const lm_encoding *e)
{
    const unsigned k = e->options.k;
    const uint64_t edges = e->options.parts ? 1 : lm_intern_count(&e->edge_label);
    const uint64_t relations = e->directed ? 1 + lm_saturating_multiply(edges + 1, edges + 1) : edges + 2;
    const uint64_t labels = e->options.parts ? 1 : lm_intern_count(&e->label);
    return (base){labels, relations, lm_power(relations, k * (k - 1) / 2), (uint32_t)edges};
}

leman_status lm_encoding_keys_fit(leman_context *ctx, const lm_encoding *e)
{
    const base b = base_of(e);
    const uint64_t labels = lm_intern_count(&e->label);
    if (e->options.sets[0] && 2 * (unsigned __int128)labels * labels * labels > UINT64_MAX)
        return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED,
                       "found %llu different labels of vertices, more than types of 3-sets can tell apart",
                       (unsigned long long)labels);
    if (lm_saturating_multiply(lm_power(b.labels, e->options.k), b.pairs) < UINT64_MAX) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED,
                   "found %llu different label%s of vertices and %u of edges, more than types of %u-tuples can tell "
                   "apart; a smaller k, or fewer labels, would do",
                   (unsigned long long)b.labels, lm_plural(b.labels), b.edge_labels, e->options.k);
}

static void add_digit(uint32_t *relation, uint32_t label, uint32_t step)
{
    const bool known = label != LM_NO_TYPE && *relation != LM_NO_TYPE;
    *relation = known ? *relation + (label + 1) * step : LM_NO_TYPE;
}

/* Computes relation[n][n]; LM_NO_TYPE if the label of an edge has no number. */
static void relations(const lm_encoding *e, const base *b, const leman_graph *g, const uint32_t *edge_label,
                      uint32_t *relation)
{
    const size_t n = g->vertices;
    const uint32_t step = e->directed ? b->edge_labels + 1 : 1;
    for (size_t i = 0; i < n * n; i++) relation[i] = 1;
    for (size_t u = 0; u < n; u++)
        for (uint64_t a = g->start[u]; a < g->start[u + 1]; a++) {
            const size_t w = g->head[a];
            const uint32_t found = e->options.parts ? 0 : edge_label[a - g->start[0]];
            uint32_t *there = relation + u * n + w, *back = relation + w * n + u;
            add_digit(there, found, step);
            if (e->directed) add_digit(back, found, 1);
        }
    for (size_t v = 0; v < n; v++) relation[v * n + v] = 0;
}

/* A row of tuples: all tuples with the same first k-1 components. */
typedef struct row {
    uint64_t labels, pairs; /* digits of these components */
    bool known;             /* all their labels and relations have numbers */
    const uint32_t *relation[LM_NETWORK_MAX_K - 1];
} row;

static row row_of(const lm_encoding *e, const base *b, const leman_graph *g, const uint32_t *label,
                  const uint32_t *relation, size_t number)
{
    const size_t n = g->vertices, k = e->options.k;
    size_t digit[LM_NETWORK_MAX_K] = {0};
    row r = {.known = true};
    for (size_t j = k - 1; j-- > 0; number /= n) digit[j] = number % n;
    for (size_t j = 0; j + 1 < k; j++) {
        const uint32_t own = e->options.parts ? 0 : label[digit[j]];
        r.known &= own != LM_NO_TYPE;
        r.labels = r.labels * b->labels + own;
        r.relation[j] = relation + digit[j] * n;
        for (size_t i = 0; i < j; i++) {
            r.known &= r.relation[i][digit[j]] != LM_NO_TYPE;
            r.pairs = r.pairs * b->relations + r.relation[i][digit[j]];
        }
    }
    return r;
}

/* Computes the key of the tuple that ends in w. Returns false if it has none. */
static bool key_of(const lm_encoding *e, const base *b, const row *r, const uint32_t *label, size_t w, uint64_t *key)
{
    const uint32_t own = e->options.parts ? 0 : label[w];
    bool known = r->known && own != LM_NO_TYPE;
    uint64_t pairs = r->pairs;
    for (size_t j = 0; j + 1 < e->options.k; j++) {
        known &= r->relation[j][w] != LM_NO_TYPE;
        pairs = pairs * b->relations + r->relation[j][w];
    }
    *key = (r->labels * b->labels + own) * b->pairs + pairs;
    return known;
}

/* A cache, since few types occur again and again: each slot has the last key that was mapped to it, and its number. */
enum { CACHE_BITS = 10 };
typedef struct type_cache {
    uint64_t key[1 << CACHE_BITS];
    uint32_t number[1 << CACHE_BITS]; /* LM_NO_TYPE: empty, or a key without a number */
} type_cache;

static leman_status number_of(const lm_encoding *e, type_cache *m, uint64_t key, uint32_t *number)
{
    const size_t slot = (size_t)(key * LM_MIX_MULTIPLIER >> (64 - CACHE_BITS));
    if (m->number[slot] == LM_NO_TYPE || m->key[slot] != key) {
        m->key[slot] = key;
        PASS(lm_encoding_number(e, &e->type, &key, sizeof key, m->number + slot));
    }
    *number = m->number[slot];
    return LEMAN_OK;
}

leman_status lm_encoding_types(const lm_encoding *e, const leman_graph *g, const uint32_t *label,
                               const uint32_t *edge_label, uint32_t *relation, uint32_t *type,
                               uint64_t *out_of_vocabulary)
{
    const base b = base_of(e);
    const size_t n = g->vertices, rows = lm_power(n, e->options.k - 1);
    type_cache m;
    memset(m.number, 0xff, sizeof m.number);
    relations(e, &b, g, edge_label, relation);
    for (size_t i = 0; n && i < rows; i++) {
        const row r = row_of(e, &b, g, label, relation, i);
        for (size_t w = 0; w < n; w++) {
            uint64_t key;
            uint32_t number = LM_NO_TYPE;
            if (key_of(e, &b, &r, label, w, &key)) PASS(number_of(e, &m, key, &number));
            *out_of_vocabulary += number == LM_NO_TYPE;
            if (type) type[i * n + w] = number;
        }
    }
    return LEMAN_OK;
}

/* ---- One tuple ------------------------------------------------------------------------------- */

bool lm_encoding_arc(const leman_graph *g, size_t tail, size_t head, uint64_t *arc)
{
    *arc = lm_lower_bound(g->head, g->start[tail], g->start[tail + 1], (uint32_t)head);
    return *arc < g->start[tail + 1] && g->head[*arc] == head;
}

/* The relation of two vertices, as relations() computes those of all pairs. */
static uint32_t relation_of(const lm_encoding *e, const base *b, const leman_graph *g, const uint32_t *edge_label,
                            uint32_t u, uint32_t w)
{
    uint32_t relation = 1;
    uint64_t arc;
    if (u == w) return 0;
    if (lm_encoding_arc(g, u, w, &arc))
        add_digit(&relation, e->options.parts ? 0 : edge_label[arc - g->start[0]],
                  e->directed ? b->edge_labels + 1 : 1);
    if (e->directed && lm_encoding_arc(g, w, u, &arc))
        add_digit(&relation, e->options.parts ? 0 : edge_label[arc - g->start[0]], 1);
    return relation;
}

leman_status lm_encoding_tuple_type(const lm_encoding *e, const leman_graph *g, const uint32_t *label,
                                    const uint32_t *edge_label, const uint32_t *tuple, uint32_t *number)
{
    const base b = base_of(e);
    uint64_t labels = 0, pairs = 0;
    *number = LM_NO_TYPE;
    for (size_t j = 0; j < e->options.k; j++) {
        const uint32_t own = e->options.parts ? 0 : label[tuple[j]];
        if (own == LM_NO_TYPE) return LEMAN_OK;
        labels = labels * b.labels + own;
        for (size_t i = 0; i < j; i++) {
            const uint32_t relation = relation_of(e, &b, g, edge_label, tuple[i], tuple[j]);
            if (relation == LM_NO_TYPE) return LEMAN_OK;
            pairs = pairs * b.relations + relation;
        }
    }
    const uint64_t key = labels * b.pairs + pairs;
    return lm_encoding_number(e, &e->type, &key, sizeof key, number);
}

/* ---- Sets ------------------------------------------------------------------------------------ */

/* Computes the key of a set: sorted labels as digits, and whether the ends are adjacent. Returns false if a label has
 * no number. */
static bool set_key(const lm_encoding *e, size_t i, const uint32_t *set, bool joined, const uint32_t *label,
                    uint64_t *key)
{
    const size_t members = lm_set_members(e->options.sets[i]);
    uint32_t sorted[LM_SET_MEMBERS];
    for (size_t j = 0; j < members; j++) {
        size_t at = j;
        if (label[set[j]] == LM_NO_TYPE) return false;
        for (; at && sorted[at - 1] > label[set[j]]; at--) sorted[at] = sorted[at - 1];
        sorted[at] = label[set[j]];
    }
    *key = joined;
    for (size_t j = 0; j < members; j++) *key = *key * lm_intern_count(&e->label) + sorted[j];
    return true;
}

leman_status lm_encoding_set_type(const lm_encoding *e, size_t i, const uint32_t *set, bool joined,
                                  const uint32_t *label, uint32_t *number)
{
    uint64_t key;
    *number = LM_NO_TYPE;
    if (!set_key(e, i, set, joined, label, &key)) return LEMAN_OK;
    return lm_encoding_number(e, e->set_type + i, &key, sizeof key, number);
}

void lm_encoding_type(const lm_encoding *e, size_t type, uint32_t *label, lm_type_relation *relation)
{
    const base b = base_of(e);
    const unsigned k = e->options.k, pairs = k * (k - 1) / 2;
    const uint32_t both = b.edge_labels + 1;
    size_t bytes;
    uint64_t key;
    memcpy(&key, lm_intern_text(&e->type, type, &bytes), sizeof key);
    for (unsigned i = pairs; i-- > 0; key /= b.relations) {
        const uint32_t found = (uint32_t)(key % b.relations), edge = found ? found - 1 : 0;
        relation[i] = (lm_type_relation){
            .same = !found, .there = e->directed ? edge / both : edge, .back = e->directed ? edge % both : edge};
    }
    for (unsigned j = k; j-- > 0; key /= b.labels) label[j] = (uint32_t)(key % b.labels);
}
