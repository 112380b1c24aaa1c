/* leman canonical: canonical forms, automorphisms and orbits of the graphs of a data set. */
#include "base/drop.h"
#include "base/strings.h"
#include "cli/commands.h"
#include "cli/options/choices.h"
#include "cli/options/coloring.h"
#include <math.h>

typedef struct canonical_options {
    lm_common common;
    uint64_t ignore; /* bits of LM_IGNORABLE */
    bool orbits;
    const char *to;
} canonical_options;

#define FIELD(member) offsetof(canonical_options, member)

static const lm_option ROWS[] = {
    LM_FLAG_ROW("orbits", FIELD(orbits), HELP_CANONICAL_ORBITS),
    LM_ROW("ignore", 0, LM_SET, FIELD(ignore), "LIST", HELP_COLORING_IGNORE, .choices = LM_IGNORABLE),
    LM_ROW("to", 0, LM_CHOICE, FIELD(to), "FORMAT", lm_choices_format_help, .choices = lm_choices_writable),
    LM_OUTPUT_ROW(HELP_CANONICAL_OUTPUT),
    {0},
};

/* What is known about the graphs. */
typedef struct answer {
    const leman_dataset *data, *canonical;
    const leman_symmetry *symmetry; /* [graphs] */
    const uint32_t *orbit;          /* [vertices] */
} answer;

/* ---- Text ------------------------------------------------------------------------------------ */

/* Graph sizes are exact up to here. */
static const double EXACT = 1e15;

static double size_of(const leman_symmetry *s)
{
    return s->exponent > 15 ? INFINITY : round(s->mantissa * pow(10, s->exponent));
}

static const char *size_text(const leman_symmetry *s, char text[64])
{
    if (size_of(s) < EXACT)
        lm_snprintf(text, 64, "%.0f", size_of(s));
    else
        lm_snprintf(text, 64, "%.9ge%d", s->mantissa, s->exponent);
    return text;
}

/* Writes the name of a graph, or its number if it has none. */
static leman_status write_name(const answer *a, size_t graph, lm_output *out)
{
    size_t length;
    const char *name = leman_dataset_graph_name(a->data, graph, &length);
    if (length) return lm_output_write(out, name, length);
    return lm_output_integer(out, (int64_t)graph);
}

/* Allocates the line of a graph in scratch memory. */
static leman_status form_of(leman_context *ctx, const answer *a, size_t graph, char **line, size_t *length)
{
    const leman_graph g = leman_dataset_graph(a->canonical, graph);
    *length = leman_graph_text(&g, NULL, 0);
    PASS_SCRATCH(ctx, *line, *length + 1);
    leman_graph_text(&g, *line, *length + 1);
    return LEMAN_OK;
}

static leman_status write_form(leman_context *ctx, const answer *a, size_t graph, lm_output *out)
{
    SCRATCH_SCOPE(ctx);
    char *line;
    size_t length;
    PASS(form_of(ctx, a, graph, &line, &length));
    return lm_output_write(out, line, length);
}

/* Writes the orbits of a graph, "{0,2} {1}", by their smallest vertices. `next` links the vertices of an orbit. */
static leman_status write_orbits(leman_context *ctx, const uint32_t *orbit, size_t vertices, lm_output *out)
{
    SCRATCH_SCOPE(ctx);
    uint32_t *next, *last;
    PASS_SCRATCH(ctx, next, vertices);
    PASS_SCRATCH(ctx, last, vertices);
    for (size_t v = 0; v < vertices; v++) {
        next[v] = UINT32_MAX;
        if (orbit[v] != v) next[last[orbit[v]]] = (uint32_t)v;
        last[orbit[v]] = (uint32_t)v;
    }
    for (size_t v = 0; v < vertices; v++) {
        if (orbit[v] != v) continue;
        PASS(lm_output_printf(out, "%s{%zu", v ? " " : "", v));
        for (uint32_t u = next[v]; u != UINT32_MAX; u = next[u]) PASS(lm_output_printf(out, ",%u", (unsigned)u));
        PASS(lm_write_text(out, "}"));
    }
    return LEMAN_OK;
}

static leman_status write_lines(lm_work *work, const answer *a, bool orbits)
{
    lm_output *out;
    char text[64];
    const uint32_t *orbit = a->orbit;
    PASS(lm_work_results(work, &out));
    for (size_t i = 0; i < leman_dataset_shape(a->data)->graphs; i++) {
        const size_t vertices = leman_dataset_graph(a->data, i).vertices;
        PASS(write_name(a, i, out));
        PASS(lm_write_text(out, "\t"));
        if (orbits) {
            PASS(lm_output_printf(out, "%s\t", size_text(&a->symmetry[i], text)));
            PASS(write_orbits(work->ctx, orbit, vertices, out));
        } else {
            PASS(write_form(work->ctx, a, i, out));
        }
        PASS(lm_write_text(out, "\n"));
        orbit += vertices;
    }
    return LEMAN_OK;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static leman_status put_graph(lm_work *work, const answer *a, size_t graph, const uint32_t *orbit, json_t *parent)
{
    lm_json *json = &work->json;
    const leman_symmetry *s = a->symmetry + graph;
    const double size = size_of(s);
    char *line;
    size_t length, name_length;
    SCRATCH_SCOPE(work->ctx);
    const char *name = leman_dataset_graph_name(a->data, graph, &name_length);
    PASS(form_of(work->ctx, a, graph, &line, &length));
    LM_PUT(json, parent, KEY("graph", graph), KEY_TEXT("name", name, name_length), KEY_TEXT("form", line, length),
           KEY_IF(size < EXACT, "automorphisms", (uint64_t)(size < EXACT ? size : 0)),
           KEY("automorphisms_mantissa", s->mantissa), KEY("automorphisms_exponent", s->exponent), MEMBER(s, orbits));
    if (orbit) LM_PUT_EACH(json, parent, "orbit", leman_dataset_graph(a->data, graph).vertices, orbit[i]);
    return LEMAN_OK;
}

static leman_status put_graphs(lm_work *work, const answer *a, bool orbits)
{
    lm_json *json = &work->json;
    const size_t graphs = leman_dataset_shape(a->data)->graphs;
    const uint32_t *orbit = a->orbit;
    LM_PUT(json, json->object, KEY("graphs", graphs), KEY("nauty", leman_nauty_version()));
    json_t *list = lm_json_array(json, json->object, "results");
    for (size_t i = 0; i < graphs; i++) {
        PASS(put_graph(work, a, i, orbits ? orbit : NULL, lm_json_object(json, list, NULL)));
        orbit += leman_dataset_graph(a->data, i).vertices;
    }
    return LEMAN_OK;
}

/* ---- The command ----------------------------------------------------------------------------- */

/* Replaces *data by a copy without the columns that are ignored. */
static leman_status drop_ignored(leman_context *ctx, uint64_t ignore, leman_dataset **data)
{
    enum { VERTEX_LABELS = 1, EDGE_LABELS = 2, ATTRIBUTES = 4 };
    leman_dataset *fewer = NULL;
    const leman_columns keep = {.vertex_labels = !(ignore & VERTEX_LABELS),
                                .edge_labels = !(ignore & EDGE_LABELS),
                                .vertex_attributes = !(ignore & ATTRIBUTES),
                                .edge_attributes = !(ignore & ATTRIBUTES),
                                .targets = 1,
                                .classes = true,
                                .graph_names = true,
                                .vertex_names = true};
    PASS(leman_dataset_keep(ctx, *data, &keep, &fewer));
    leman_dataset_free(*data);
    *data = fewer;
    return LEMAN_OK;
}

static leman_status canonical_run(lm_work *work, const void *options)
{
    const canonical_options *asked = options;
    const lm_common *common = &asked->common;
    AUTO(leman_dataset_drop) leman_dataset *data = NULL, *canonical = NULL;
    leman_symmetry *symmetry;
    uint32_t *orbit;
    if (common->output) PASS(lm_written_check(work, common->output, asked->to));
    if (common->output && asked->orbits)
        return MISUSE(work->ctx, "found both --output and --orbits, expected one of them");
    PASS(lm_work_read(work, common->operand[0], NULL, &data));
    if (asked->ignore) PASS(drop_ignored(work->ctx, asked->ignore, &data));
    const leman_shape *shape = leman_dataset_shape(data);
    SCRATCH_SCOPE(work->ctx);
    PASS_SCRATCH(work->ctx, symmetry, shape->graphs);
    PASS_SCRATCH(work->ctx, orbit, shape->vertices);
    PASS(leman_dataset_canonical(work->ctx, data, symmetry, orbit, &canonical));
    const answer a = {data, canonical, symmetry, orbit};
    if (common->output) return lm_written_save(work, canonical, common->output, asked->to, NULL, 0);
    return common->json ? put_graphs(work, &a, asked->orbits) : write_lines(work, &a, asked->orbits);
}

const lm_command lm_command_canonical = {
    .name = "canonical",
    .help = &LM_HELP_CANONICAL,
    LM_DATA_OPERAND,
    .common = "orbits ignore output json",
    .groups = {{"Canonical forms", ROWS}, {"Reading", LM_READING_OPTIONS}, {"General", LM_GENERAL_OPTIONS}},
    .size = sizeof(canonical_options),
    .run = canonical_run,
};
