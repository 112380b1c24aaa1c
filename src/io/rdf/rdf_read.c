/*
 * Reads N-Triples and N-Quads. Statements that occur twice count once, as in a set. Time O(characters), memory O(different
 * terms and statements).
 */
#include "base/drop.h"
#include "io/rdf/rdf.h"

enum { TERMS = LM_RDF_TERMS };

typedef struct rdf_reader {
    lm_text text;
    leman_builder *builder;
    lm_intern terms;      /* space 0: named terms; space 1: blank nodes */
    lm_intern statements; /* the numbers of their terms */
    lm_vector vertex;     /* uint32_t: the vertex of each term */
    size_t vertices;
    lm_rdf_term term;
} rdf_reader;

static void reader_free(rdf_reader *r)
{
    leman_builder_free(r->builder);
    lm_intern_free(&r->terms);
    lm_intern_free(&r->statements);
    lm_vector_release(&r->vertex);
    lm_vector_release(&r->term.text);
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static void skip_blanks(lm_text *line)
{
    while (line->at < line->end && (*line->at == ' ' || *line->at == '\t')) line->at++;
}

/* Sets *vertex to the vertex of the term that was read, which is added if it is new. */
static leman_status find_vertex(rdf_reader *r, uint32_t *vertex)
{
    const bool blank = r->term.kind == LM_RDF_IS_BLANK;
    const char *text = r->term.text.items;
    const size_t length = r->term.text.count, known = lm_intern_count(&r->terms);
    uint32_t number;
    PASS(lm_intern_add(r->text.ctx, &r->terms, blank, text, length, &number));
    if (number == known) {
        const uint32_t next = (uint32_t)r->vertices++;
        const int64_t label = blank ? LM_RDF_BLANK : lm_rdf_label(text, length);
        PASS(lm_vector_append(r->text.ctx, &r->term.text, "", 1, 1)); /* names end with a zero */
        PASS(leman_builder_vertex(r->builder, blank ? NULL : r->term.text.items, &label, NULL));
        PASS(lm_vector_append(r->text.ctx, &r->vertex, &next, 1, sizeof next));
    }
    *vertex = ((const uint32_t *)r->vertex.items)[number];
    return LEMAN_OK;
}

/* Adds the vertex of a statement, and its arcs, unless the statement is known. vertex[TERMS]; UINT32_MAX: no graph. */
static leman_status add_statement(rdf_reader *r, const uint32_t *vertex)
{
    const int64_t label = LM_RDF_STATEMENT, subject = LM_RDF_SUBJECT;
    const size_t known = lm_intern_count(&r->statements), statement = r->vertices;
    uint32_t number;
    PASS(lm_intern_add(r->text.ctx, &r->statements, 0, (const char *)vertex, TERMS * sizeof *vertex, &number));
    if (number < known) return LEMAN_OK;
    PASS(leman_builder_vertex(r->builder, NULL, &label, NULL));
    r->vertices++;
    PASS(leman_builder_edge(r->builder, vertex[0], statement, &subject, NULL));
    for (size_t i = 1; i < TERMS && vertex[i] != UINT32_MAX; i++) {
        int64_t roles = 0;
        bool first = true;
        for (size_t j = 1; j < TERMS; j++)
            if (vertex[j] == vertex[i]) roles |= (int64_t)1 << j, first = first && j >= i;
        if (first) PASS(leman_builder_edge(r->builder, statement, vertex[i], &roles, NULL));
    }
    return LEMAN_OK;
}

/* Reads a line, which may be empty or a comment. */
static leman_status read_statement(rdf_reader *r, lm_text *line)
{
    static const struct {
        unsigned kinds;
        const char *what;
    } PLACES[TERMS] = {{LM_RDF_IS_IRI | LM_RDF_IS_BLANK, "a subject: <IRI> or _:label"},
                       {LM_RDF_IS_IRI, "a predicate: <IRI>"},
                       {LM_RDF_IS_IRI | LM_RDF_IS_BLANK | LM_RDF_IS_LITERAL, "an object: <IRI>, _:label or \"text\""},
                       {LM_RDF_IS_IRI | LM_RDF_IS_BLANK, "'.' or the graph: <IRI> or _:label"}};
    uint32_t vertex[TERMS] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    skip_blanks(line);
    if (line->at == line->end || *line->at == '#') return LEMAN_OK;
    for (size_t i = 0; i < TERMS; i++) {
        if (i == TERMS - 1 && line->at < line->end && *line->at == '.') break;
        PASS(lm_rdf_read_term(line, PLACES[i].kinds, PLACES[i].what, &r->term));
        PASS(find_vertex(r, &vertex[i]));
        skip_blanks(line);
    }
    if (line->at == line->end || *line->at != '.') return lm_text_expected(line, "'.' at the end of the statement");
    line->at++;
    skip_blanks(line);
    if (line->at < line->end && *line->at != '#') return lm_text_expected(line, "the end of the line");
    return add_statement(r, vertex);
}

/* A line ends with LF, CR or both. */
static leman_status read_lines(rdf_reader *r)
{
    const char *begin = r->text.at;
    while (r->text.at < r->text.end) {
        lm_text line = r->text;
        while (r->text.at < r->text.end && *r->text.at != '\n' && *r->text.at != '\r') r->text.at++;
        line.end = r->text.at;
        PASS(read_statement(r, &line));
        if (r->text.at == r->text.end) break;
        r->text.at += r->text.end - r->text.at > 1 && !memcmp(r->text.at, "\r\n", 2) ? 2 : 1;
        r->text.line++;
        PASS(lm_progress_step(r->text.ctx, (uint64_t)(r->text.at - begin)));
    }
    return LEMAN_OK;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Directions belong to the format. A data set of terms and statements has neither loops nor repeated arcs. */
static leman_status rdf_read(leman_context *ctx, const char *path, lm_bytes *bytes, const leman_read_options *options,
                             leman_cleaning *cleaning, leman_dataset **out)
{
    const leman_columns columns = {.vertex_labels = 1, .edge_labels = 1, .vertex_names = true};
    AUTO(reader_free) rdf_reader r = {.text = lm_text_of(ctx, path, *bytes)};
    AUTO(lm_release_at) char *name = NULL;
    leman_policy policy = *options->policy;
    policy.directed = true;
    PASS(lm_path_stem(ctx, path, &name));
    PASS(leman_builder_new(ctx, name, &columns, &r.builder));
    PASS(leman_builder_graph(r.builder, NULL, NULL, NULL));
    lm_progress_begin(ctx, bytes->size, "reading %s", path);
    PASS(read_lines(&r));
    return leman_builder_finish(r.builder, &policy, cleaning, out);
}

/* The first line that is no comment is a statement. */
static bool rdf_is(leman_context *ctx, lm_bytes bytes, const leman_read_options *options)
{
    lm_text text = lm_text_of(ctx, "", bytes);
    (void)options;
    while (text.at < text.end && (strchr(" \t\r\n", *text.at) || *text.at == '#')) {
        if (*text.at == '#')
            while (text.at < text.end && *text.at != '\n') text.at++;
        else
            text.at++;
    }
    const size_t left = (size_t)(text.end - text.at);
    if (left > 2 && !memcmp(text.at, "_:", 2)) return true;
    const char *end = left && *text.at == '<' ? memchr(text.at, '>', left) : NULL;
    return end && end + 2 < text.end && (end[1] == ' ' || end[1] == '\t') && end[2] == '<';
}

const lm_format_row lm_format_nquads = {
    .endings = {".nq", ".nt"}, .read = rdf_read, .write = lm_rdf_write, .is = rdf_is};
