/*
 * Reads graph6, digraph6 and sparse6 lines in any mixture. A header (>>graph6<< and the like) may stand before any
 * graph or alone in its line. Memory for a graph6 or digraph6 graph is allocated only after the length of its line was
 * checked. A sparse6 line may announce vertices that take no characters; their number is compared with the limits.
 *
 * Time O(characters), which is O(n^2 / 6) a graph for graph6. Memory O(edges).
 */
#include "io/graph6.h"
#include "base/drop.h"
#include <string.h>

enum {
    VERTEX_BYTES = 48, /* peak memory of a vertex during reading: in file order, in graph order, in the block */
    MAX_VERTICES = UINT32_MAX / 2 /* the most vertices that a data set can number */
};

lm_graph6 lm_graph6_of(leman_context *ctx, const char *file, lm_bytes bytes, const leman_read_options *options,
                       leman_builder *builder)
{
    return (lm_graph6){.text = lm_text_of(ctx, file, bytes),
                       .builder = builder,
                       .lines = lm_policy_refuses(options->policy),
                       .max_by_limit = options->max_bytes / VERTEX_BYTES,
                       .max_by_budget = lm_budget(ctx) / VERTEX_BYTES};
}

/* ---- Characters ------------------------------------------------------------------------------ */

static unsigned six_of(char c)
{
    return (unsigned)(unsigned char)c - LM_SIX_LOWEST;
}

static leman_status check_characters(const lm_text *text)
{
    for (const char *p = text->at; p < text->end; p++) {
        unsigned char c = (unsigned char)*p;
        if (c >= LM_SIX_LOWEST && c <= LM_SIX_HIGHEST) continue;
        if (c > 0x20 && c < 0x7f)
            return lm_text_fail(text, "found '%c', expected only characters from '?' to '~' in a graph", c);
        return lm_text_fail(text, "found byte 0x%02x, expected only characters from '?' to '~' in a graph", c);
    }
    return LEMAN_OK;
}

/* Decodes N(n) at p. Returns the number of its characters, or 0 if the text ends inside it. The three forms are
 * unambiguous, so a longer form than needed is accepted. */
static size_t decode_size(const char *p, const char *end, uint64_t *n)
{
    size_t left = (size_t)(end - p), marks = 0;
    while (marks < 2 && marks < left && p[marks] == LM_SIX_HIGHEST) marks++;
    size_t digits = marks == 0 ? 1 : marks == 1 ? 3 : 6;
    if (left < marks + digits) return 0;
    uint64_t value = 0;
    for (size_t i = 0; i < digits; i++) value = value << 6 | six_of(p[marks + i]);
    *n = value;
    return marks + digits;
}

static leman_status read_size(lm_text *text, uint64_t *n)
{
    size_t length = decode_size(text->at, text->end, n);
    if (!length) return lm_text_fail(text, "the line ends inside its number of vertices");
    if (*n > MAX_VERTICES)
        return lm_text_fail(text, "found a graph of %llu %s, expected at most %llu", (unsigned long long)*n,
                            lm_plural_of(*n, "vertex", "vertices"), (unsigned long long)MAX_VERTICES);
    text->at += length;
    return LEMAN_OK;
}

/* Returns the number of bits of the matrix of n <= MAX_VERTICES vertices. */
static uint64_t matrix_bits(uint64_t n, bool directed)
{
    return directed ? n * n : n ? n * (n - 1) / 2 : 0;
}

static uint64_t characters_of(uint64_t bits)
{
    return bits / 6 + (bits % 6 > 0);
}

/* Checks that the matrix takes exactly the rest of the line and that the padding bits of the last character are
 * zero. */
static leman_status check_matrix(const lm_text *text, uint64_t n, bool directed)
{
    uint64_t bits = matrix_bits(n, directed), expected = characters_of(bits), found = (uint64_t)(text->end - text->at);
    if (found != expected)
        return lm_text_fail(text, "found %llu characters behind the number of vertices %llu, expected %llu",
                            (unsigned long long)found, (unsigned long long)n, (unsigned long long)expected);
    if (expected && six_of(text->end[-1]) & ((1u << (6 * expected - bits)) - 1))
        return lm_text_fail(text, "found ones in the bits that fill the last character up, expected zeros");
    return LEMAN_OK;
}

static bool graph6_is(leman_context *ctx, lm_bytes bytes, const leman_read_options *options)
{
    (void)ctx, (void)options;
    if (!bytes.size) return false;
    const char *p = bytes.data, *newline = memchr(p, '\n', bytes.size), *end = newline ? newline : p + bytes.size;
    uint64_t n = 0;
    char kind = *p;
    if (end > p && end[-1] == '\r') end--;
    if (kind == ':' || kind == '&') p++;
    for (const char *q = p; q < end; q++)
        if ((unsigned char)*q < LM_SIX_LOWEST || (unsigned char)*q > LM_SIX_HIGHEST) return false;
    size_t size = decode_size(p, end, &n);
    if (!size || n > MAX_VERTICES) return false;
    return kind == ':' || (uint64_t)(end - p) - size == characters_of(matrix_bits(n, kind == '&'));
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

leman_status lm_graph6_begin(lm_graph6 *g, uint64_t n)
{
    uint64_t all = lm_builder_raw(g->builder)->vertex_graph.count + n;
    if (all > g->max_by_limit)
        return lm_text_fail(&g->text, "found %llu %s up to here, more than the limit on bytes has room for (%llu)",
                            (unsigned long long)all, lm_plural_of(all, "vertex", "vertices"),
                            (unsigned long long)g->max_by_limit);
    if (all > g->max_by_budget)
        return lm_fail(g->text.ctx, LEMAN_ERROR_BUDGET, "%s:%zu: %llu %s up to here need more than the memory budget",
                       g->text.file, g->text.line, (unsigned long long)all, lm_plural_of(all, "vertex", "vertices"));
    PASS(leman_builder_graph(g->builder, NULL, NULL, NULL));
    for (uint64_t v = 0; v < n; v++) PASS(leman_builder_vertex(g->builder, NULL, NULL, NULL));
    return LEMAN_OK;
}

leman_status lm_graph6_edge(lm_graph6 *g, uint64_t u, uint64_t v)
{
    leman_status st = leman_builder_edge(g->builder, u, v, NULL, NULL);
    return st || u == v ? st : leman_builder_edge(g->builder, v, u, NULL, NULL);
}

/* Iterates over the edges (u, v), u < v, of the upper triangle, column after column. */
typedef struct triangle {
    const char *at, *end;
    unsigned six;   /* bits of the character before `at` that were not visited yet */
    uint64_t bits;  /* number of bits before `at` */
    uint64_t u, v;  /* the edge that was found last */
    uint64_t first; /* number of the first bit of column v */
} triangle;

static bool next_edge(triangle *t)
{
    while (!t->six) {
        if (t->at == t->end) return false;
        t->six = six_of(*t->at++);
        t->bits += 6;
    }
    const unsigned highest = 31 - (unsigned)__builtin_clz(t->six);
    const uint64_t bit = t->bits - 1 - highest;
    t->six ^= 1u << highest;
    while (bit - t->first >= t->v) t->first += t->v++;
    t->u = bit - t->first;
    return true;
}

/* In column order every vertex meets its neighbours in increasing order. The arcs are therefore written straight to
 * their final places, sorted as in a data set. */
static leman_status read_triangle(lm_graph6 *g, uint64_t n)
{
    leman_context *ctx = g->text.ctx;
    SCRATCH_SCOPE(ctx);
    lm_raw *raw = lm_builder_raw(g->builder);
    const triangle all = {.at = g->text.at, .end = g->text.end, .v = 1};
    size_t *next, arcs = 0;
    PASS(check_matrix(&g->text, n, false));
    PASS(lm_graph6_begin(g, n));
    PASS_SCRATCH_ZERO(ctx, next, n + 1);
    for (triangle t = all; next_edge(&t); arcs += 2) next[t.u + 1]++, next[t.v + 1]++;
    if (!arcs) return LEMAN_OK;
    PASS(lm_vector_reserve(ctx, &raw->tail, arcs, sizeof(uint32_t)));
    PASS(lm_vector_reserve(ctx, &raw->head, arcs, sizeof(uint32_t)));
    const uint32_t first = (uint32_t)(raw->vertex_graph.count - n);
    uint32_t *tail = (uint32_t *)raw->tail.items + raw->tail.count,
             *head = (uint32_t *)raw->head.items + raw->head.count;
    for (uint64_t v = 0; v < n; v++) {
        for (size_t i = 0; i < next[v + 1]; i++) *tail++ = first + (uint32_t)v;
        next[v + 1] += next[v];
    }
    for (triangle t = all; next_edge(&t);) {
        head[next[t.u]++] = first + (uint32_t)t.v;
        head[next[t.v]++] = first + (uint32_t)t.u;
    }
    raw->tail.count += arcs;
    raw->head.count += arcs;
    return LEMAN_OK;
}

static leman_status read_matrix(lm_graph6 *g, uint64_t n)
{
    lm_bits b = {.at = g->text.at, .left = n * n};
    PASS(check_matrix(&g->text, n, true));
    PASS(lm_graph6_begin(g, n));
    for (uint64_t u = 0; u < n; u++)
        for (uint64_t v = 0; v < n; v++)
            if (lm_bits_read(&b, 1)) PASS(leman_builder_edge(g->builder, u, v, NULL, NULL));
    return LEMAN_OK;
}

leman_status lm_graph6_line(lm_graph6 *g)
{
    lm_text *text = &g->text;
    uint64_t n = 0;
    char kind = text->at < text->end ? *text->at : 0;
    if (!kind) return lm_text_fail(text, "found an empty line, expected a graph");
    if (kind == ';')
        return lm_text_fail(text, "found ';', an incremental sparse6 graph, which is not read; write it as sparse6");
    if (kind == ':' || kind == '&') text->at++;
    PASS(check_characters(text));
    PASS(read_size(text, &n));
    PASS(kind == ':' ? lm_sparse6_body(g, n) : kind == '&' ? read_matrix(g, n) : read_triangle(g, n));
    if (g->lines) PASS(lm_raw_lines(text->ctx, lm_builder_raw(g->builder), text->line));
    return LEMAN_OK;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Skips one header at the beginning of a line; returns true if there was one. */
static bool skip_header(lm_text *text)
{
    for (const char *const *header = lm_format_graph6.marks; *header; header++) {
        size_t length = strlen(*header);
        if ((size_t)(text->end - text->at) < length || memcmp(text->at, *header, length)) continue;
        text->at += length;
        return true;
    }
    return false;
}

leman_status lm_graph6_next(lm_graph6 *g, lm_text *text, bool *header)
{
    const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
    g->text = *text;
    if (newline) g->text.end = newline;
    if (g->text.end > g->text.at && g->text.end[-1] == '\r') g->text.end--;
    bool has_header = skip_header(&g->text);
    *header |= has_header;
    if (!has_header || g->text.at < g->text.end) PASS(lm_graph6_line(g));
    text->at = newline ? newline + 1 : text->end;
    text->line++;
    return LEMAN_OK;
}

leman_status lm_graph6_file(leman_context *ctx, const char *path, const lm_bytes *bytes,
                            const leman_read_options *options, leman_cleaning *cleaning, lm_graph6_reader *next,
                            const char *expected, leman_dataset **out)
{
    AUTO(leman_builder_drop) leman_builder *builder = NULL;
    AUTO(lm_release_at) char *name = NULL;
    bool header = false;
    PASS(lm_path_stem(ctx, path, &name));
    PASS(leman_builder_new(ctx, name, &(leman_columns){0}, &builder));
    lm_graph6 g = lm_graph6_of(ctx, path, *bytes, options, builder);
    if (g.lines) lm_builder_raw(builder)->edge_file = path;
    lm_text text = g.text;
    lm_progress_begin(ctx, bytes->size, "reading %s", path);
    while (!lm_text_end(&text)) {
        PASS(next(&g, &text, &header));
        PASS(lm_progress_step(ctx, (uint64_t)(text.at - bytes->data)));
    }
    if (!header && !lm_builder_raw(builder)->graphs)
        return lm_text_fail(&text, "found the end of the file, expected %s", expected);
    return leman_builder_finish(builder, options->policy, cleaning, out);
}

static leman_status graph6_read(leman_context *ctx, const char *path, lm_bytes *bytes,
                                const leman_read_options *options, leman_cleaning *cleaning, leman_dataset **out)
{
    return lm_graph6_file(ctx, path, bytes, options, cleaning, lm_graph6_next, "a graph6 or sparse6 graph", out);
}

const lm_format_row lm_format_graph6 = {.endings = {".g6", ".graph6"},
                                        .marks = {">>graph6<<", ">>sparse6<<", ">>digraph6<<"},
                                        .read = graph6_read,
                                        .write = lm_graph6_write,
                                        .is = graph6_is,
                                        .in_tables = true,
                                        .slices = LM_STREAM_GRAPH6};
const lm_format_row lm_format_sparse6 = {
    .endings = {".s6", ".sparse6"}, .read = graph6_read, .write = lm_sparse6_write, .slices = LM_STREAM_GRAPH6};
