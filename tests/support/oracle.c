#include "support/oracle.h"
#include "support/support.h"

enum { MAX_COMPONENTS = 8 };
static const uint32_t NOT_IN_SET = UINT32_MAX; /* the colour of tuples that the colouring leaves out */

static void *allocate(size_t count, size_t size)
{
    void *pointer = calloc(count ? count : 1, size);
    assert_non_null(pointer);
    return pointer;
}

/* ---- The dictionary: signatures are lists of numbers, sorted to be numbered ------------------ */

typedef struct book {
    int64_t *word; /* all signatures, one behind the other */
    size_t words, room;
    size_t *end; /* [signatures] */
    size_t signatures;
} book;

static void write_word(book *b, int64_t word)
{
    if (b->words == b->room) {
        b->room = b->room ? 2 * b->room : 1024;
        b->word = realloc(b->word, b->room * sizeof *b->word);
        assert_non_null(b->word);
    }
    b->word[b->words++] = word;
}

static size_t begin_of(const book *b, size_t i)
{
    return i ? b->end[i - 1] : 0;
}

static int compare_words(const int64_t *a, const int64_t *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

static int compare_signatures(const void *x, const void *y, void *state)
{
    const book *b = state;
    size_t i = *(const size_t *)x, j = *(const size_t *)y;
    size_t length = b->end[i] - begin_of(b, i), other = b->end[j] - begin_of(b, j);
    if (length != other) return length < other ? -1 : 1;
    return compare_words(b->word + begin_of(b, i), b->word + begin_of(b, j), length);
}

/* Numbers the signatures 0, 1, ... in their order; equal ones alike. number[signatures]; returns how many. */
static size_t number_signatures(book *b, uint32_t *number)
{
    size_t *order = allocate(b->signatures, sizeof *order), different = 0;
    for (size_t i = 0; i < b->signatures; i++) order[i] = i;
    qsort_r(order, b->signatures, sizeof *order, compare_signatures, b);
    for (size_t i = 0; i < b->signatures; i++) {
        if (!i || compare_signatures(order + i - 1, order + i, b)) different++;
        number[order[i]] = (uint32_t)(different - 1);
    }
    free(order);
    return different;
}

/* Sorts the items that were written since `begin`, `width` words each: a list becomes a multiset. */
static int compare_items(const void *x, const void *y, void *state)
{
    return compare_words(x, y, *(const size_t *)state);
}

static void sort_items(book *b, size_t begin, size_t width)
{
    if (b->words > begin)
        qsort_r(b->word + begin, (b->words - begin) / width, width * sizeof *b->word, compare_items, &width);
}

/* A multiset stands behind its number of items, so that lists behind each other cannot be taken for one another. */
static size_t begin_multiset(book *b)
{
    write_word(b, 0);
    return b->words;
}

static void end_multiset(book *b, size_t begin, size_t width)
{
    sort_items(b, begin, width);
    b->word[begin - 1] = (int64_t)((b->words - begin) / width);
}

/* ---- Graphs and tuples ----------------------------------------------------------------------- */

/* The arc u -> w, or UINT64_MAX. */
static uint64_t arc_between(const leman_graph *g, size_t u, size_t w)
{
    for (uint64_t e = g->start[u]; e < g->start[u + 1]; e++)
        if (g->head[e] == w) return e;
    return UINT64_MAX;
}

static void components(const oracle *o, size_t g, size_t tuple, size_t *v)
{
    for (size_t j = o->coloring.k; j-- > 0; tuple /= o->graph[g].vertices) v[j] = tuple % o->graph[g].vertices;
}

/* The number of phi_j(v, w). */
static size_t replaced(const oracle *o, size_t g, const size_t *v, size_t j, size_t w)
{
    size_t tuple = 0;
    for (size_t i = 0; i < o->coloring.k; i++) tuple = tuple * o->graph[g].vertices + (i == j ? w : v[i]);
    return tuple;
}

/* Does the tuple have at most as many components as asked for? Its vertices are joined until nothing changes. */
static bool in_set(const oracle *o, size_t which, const size_t *v)
{
    const leman_graph *g = o->graph + which;
    size_t k = o->coloring.k, part[MAX_COMPONENTS], different = 0;
    if (!o->coloring.components || k == 1) return true;
    for (size_t i = 0; i < k; i++) part[i] = i;
    for (size_t step = 0; step < k; step++)
        for (size_t i = 0; i < k; i++)
            for (size_t j = 0; j < k; j++) {
                bool joined = v[i] == v[j] || arc_between(g, v[i], v[j]) != UINT64_MAX ||
                              arc_between(g, v[j], v[i]) != UINT64_MAX;
                if (joined && part[j] < part[i]) part[i] = part[j];
            }
    for (size_t i = 0; i < k; i++) different += part[i] == i;
    return different <= o->coloring.components;
}

/* ---- Round 0: the ordered induced labelled subgraph, written out ----------------------------- */

static void write_arc_labels(const oracle *o, const leman_graph *g, uint64_t e, book *b)
{
    if (o->coloring.ignore_edge_labels) return;
    for (size_t i = 0; i < g->edge_labels; i++) write_word(b, g->edge_label[e * g->edge_labels + i]);
}

static void write_type(const oracle *o, size_t which, const size_t *v, book *b)
{
    const leman_graph *g = o->graph + which;
    unsigned k = o->coloring.k;
    for (size_t i = 0; i < k && !o->coloring.ignore_vertex_labels; i++)
        for (size_t c = 0; c < g->vertex_labels; c++) write_word(b, g->vertex_label[v[i] * g->vertex_labels + c]);
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++) { /* i = j too: loops */
            uint64_t e = arc_between(g, v[i], v[j]);
            write_word(b, v[i] == v[j]);
            write_word(b, e != UINT64_MAX);
            if (e != UINT64_MAX) write_arc_labels(o, g, e, b);
        }
}

/* ---- A round --------------------------------------------------------------------------------- */

/* #_j(x): how many tuples of x's j-line have x's colour. */
static int64_t count_on_line(const oracle *o, size_t g, const size_t *v, size_t j, uint32_t color)
{
    int64_t count = 0;
    for (size_t w = 0; w < o->graph[g].vertices; w++) count += o->colors[g][replaced(o, g, v, j, w)] == color;
    return count;
}

/* One multiset over the j-line of v, by the variant's row. entering: neighbours are the tails of entering arcs. */
static void write_line(const oracle *o, size_t which, const size_t *v, size_t j, bool entering, bool counted, book *b)
{
    const leman_graph *g = o->graph + which;
    leman_algorithm a = o->coloring.algorithm;
    bool message = o->coloring.k == 1 && !o->coloring.ignore_edge_labels;
    size_t width = (a == LEMAN_ALGORITHM_DELTA ? 3 : 2) + (message ? g->edge_labels : 0), begin = begin_multiset(b);
    for (size_t w = 0; w < g->vertices; w++) {
        uint64_t e = entering ? arc_between(g, w, v[j]) : arc_between(g, v[j], w);
        bool near = e != UINT64_MAX, asked = near || a == LEMAN_ALGORITHM_WL || a == LEMAN_ALGORITHM_DELTA;
        uint32_t color = o->colors[which][replaced(o, which, v, j, w)];
        if (!asked || color == NOT_IN_SET) continue;
        write_word(b, color);
        write_word(b, counted ? count_on_line(o, which, v, j, color) : 0);
        if (a == LEMAN_ALGORITHM_DELTA) write_word(b, near);
        for (size_t i = 0; i < g->edge_labels && message; i++)
            write_word(b, near ? g->edge_label[e * g->edge_labels + i] : 0);
    }
    end_multiset(b, begin, width);
}

static void write_vectors(const oracle *o, size_t g, const size_t *v, book *b)
{
    size_t begin = begin_multiset(b);
    for (size_t w = 0; w < o->graph[g].vertices; w++) {
        bool any = false;
        for (size_t j = 0; j < o->coloring.k; j++) any |= o->colors[g][replaced(o, g, v, j, w)] != NOT_IN_SET;
        for (size_t j = 0; j < o->coloring.k && any; j++) write_word(b, o->colors[g][replaced(o, g, v, j, w)]);
    }
    end_multiset(b, begin, o->coloring.k);
}

static void write_next(const oracle *o, size_t g, size_t tuple, const size_t *v, bool counted, book *b)
{
    leman_algorithm a = o->coloring.algorithm;
    write_word(b, o->colors[g][tuple]);
    if (a == LEMAN_ALGORITHM_FOLKLORE) {
        write_vectors(o, g, v, b);
        return;
    }
    for (size_t j = 0; j < o->coloring.k; j++) {
        write_line(o, g, v, j, false, counted, b);
        if (o->coloring.in_arcs && o->graph[g].directed && a != LEMAN_ALGORITHM_WL)
            write_line(o, g, v, j, true, counted, b);
    }
}

/* ---- The oracle ------------------------------------------------------------------------------ */

static oracle *oracle_alloc(const leman_graph *graph, size_t graphs, const leman_coloring *coloring)
{
    oracle *o = allocate(1, sizeof *o);
    *o = (oracle){.graph = graph, .graphs = graphs, .coloring = *coloring};
    assert_in_range(coloring->k, 1, MAX_COMPONENTS);
    if (coloring->k == 1 &&
        (coloring->algorithm == LEMAN_ALGORITHM_WL || coloring->algorithm == LEMAN_ALGORITHM_FOLKLORE))
        o->coloring.algorithm = LEMAN_ALGORITHM_LOCAL;
    o->tuples = allocate(graphs, sizeof *o->tuples);
    o->colors = allocate(graphs, sizeof *o->colors);
    for (size_t g = 0; g < graphs; g++) {
        o->tuples[g] = 1;
        for (unsigned i = 0; i < coloring->k; i++) o->tuples[g] *= graph[g].vertices;
        o->colors[g] = allocate(o->tuples[g], sizeof **o->colors);
    }
    return o;
}

/* Colours o by what `before` says, or by atomic types. */
static void color_all(oracle *o, const oracle *before, bool counted)
{
    book b = {0};
    size_t all = 0, v[MAX_COMPONENTS];
    for (size_t g = 0; g < o->graphs; g++) all += o->tuples[g];
    b.end = allocate(all, sizeof *b.end);
    for (size_t g = 0; g < o->graphs; g++)
        for (size_t t = 0; t < o->tuples[g]; t++) {
            components(o, g, t, v);
            if (!in_set(o, g, v)) continue;
            if (before)
                write_next(before, g, t, v, counted, &b);
            else
                write_type(o, g, v, &b);
            b.end[b.signatures++] = b.words;
        }
    uint32_t *number = allocate(all, sizeof *number);
    o->classes = number_signatures(&b, number);
    for (size_t g = 0, next = 0; g < o->graphs; g++)
        for (size_t t = 0; t < o->tuples[g]; t++) {
            components(o, g, t, v);
            o->colors[g][t] = in_set(o, g, v) ? number[next++] : NOT_IN_SET;
        }
    free(number);
    free(b.end);
    free(b.word);
}

oracle *oracle_new(const leman_graph *graph, size_t graphs, const leman_coloring *coloring)
{
    oracle *o = oracle_alloc(graph, graphs, coloring);
    color_all(o, NULL, false);
    return o;
}

oracle *oracle_next(const oracle *before, bool counted)
{
    oracle *o = oracle_alloc(before->graph, before->graphs, &before->coloring);
    color_all(o, before, counted && before->coloring.algorithm == LEMAN_ALGORITHM_LOCAL_PLUS);
    return o;
}

void oracle_free(oracle *o)
{
    if (!o) return;
    for (size_t g = 0; g < o->graphs; g++) free(o->colors[g]);
    free(o->colors);
    free(o->tuples);
    free(o);
}

oracle *oracle_at(const leman_graph *graph, size_t graphs, const leman_coloring *coloring, uint32_t round)
{
    oracle *o = oracle_new(graph, graphs, coloring);
    for (uint32_t r = 1; r <= round; r++) {
        oracle *next = oracle_next(o, coloring->count_every_round || r == coloring->rounds);
        oracle_free(o);
        o = next;
    }
    return o;
}

/* ---- What is asked of it --------------------------------------------------------------------- */

static size_t *counts_of(const oracle *o, size_t g)
{
    size_t *count = allocate(o->classes, sizeof *count);
    for (size_t t = 0; t < o->tuples[g]; t++)
        if (o->colors[g][t] != NOT_IN_SET) count[o->colors[g][t]]++;
    return count;
}

size_t oracle_classes_of(const oracle *o, size_t g)
{
    size_t *count = counts_of(o, g), classes = 0;
    for (size_t c = 0; c < o->classes; c++) classes += count[c] > 0;
    free(count);
    return classes;
}

size_t oracle_count(const oracle *o, size_t g, uint32_t color)
{
    size_t count = 0;
    for (size_t t = 0; t < o->tuples[g]; t++) count += o->colors[g][t] == color;
    return count;
}

bool oracle_differ(const oracle *o)
{
    size_t *a = counts_of(o, 0), *b = counts_of(o, 1);
    bool differ = o->classes && memcmp(a, b, o->classes * sizeof *a);
    free(a);
    free(b);
    return differ;
}

static int compare_colors(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return a < b ? -1 : a > b;
}

/* As many different numbers as classes, and within a class all numbers alike: a bijection. */
bool oracle_same_partition(const oracle *o, uint64_t *const *colors)
{
    uint64_t *of_class = allocate(o->classes, sizeof *of_class);
    bool *seen = allocate(o->classes, sizeof *seen), same = true;
    for (size_t g = 0; g < o->graphs; g++)
        for (size_t t = 0; t < o->tuples[g]; t++) {
            uint32_t c = o->colors[g][t];
            if (c == NOT_IN_SET) {
                same &= colors[g][t] == 0;
                continue;
            }
            if (seen[c] && of_class[c] != colors[g][t]) same = false;
            of_class[c] = colors[g][t];
            seen[c] = true;
        }
    qsort(of_class, o->classes, sizeof *of_class, compare_colors);
    for (size_t c = 1; c < o->classes; c++) same &= of_class[c - 1] != of_class[c];
    free(of_class);
    free(seen);
    return same;
}
