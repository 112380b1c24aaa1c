/* Writes N-Quads; see rdf.h. */
#include "base/words.h"
#include "io/rdf/rdf.h"

enum { TERMS = LM_RDF_TERMS };

typedef struct rdf_writer {
    leman_context *ctx;
    const leman_dataset *data;
    leman_graph graph;
    uint32_t *subject; /* [vertices] of a statement; UINT32_MAX: none, or no statement */
    uint32_t *blank;   /* [vertices] number of a blank node */
    lm_output *out;
} rdf_writer;

static leman_status refuse(const rdf_writer *w)
{
    return lm_fail(
        w->ctx, LEMAN_ERROR_INPUT,
        "%s cannot be written as N-Quads: expected one graph of terms and statements, as a file of N-Triples "
        "or N-Quads gives",
        w->data->name);
}

static leman_status write_term(const rdf_writer *w, uint32_t vertex)
{
    size_t length;
    const char *name = leman_dataset_vertex_name(w->data, 0, vertex, &length);
    const int64_t label = w->graph.vertex_label[vertex];
    if (label == LM_RDF_BLANK) return lm_output_printf(w->out, "_:b%u ", (unsigned)w->blank[vertex]);
    if (!length || label != lm_rdf_label(name, length)) return refuse(w);
    PASS(lm_output_write(w->out, name, length));
    return lm_write_text(w->out, " ");
}

/* Writes the statement of a vertex. */
static leman_status write_statement(const rdf_writer *w, size_t statement)
{
    uint32_t term[TERMS] = {w->subject[statement], UINT32_MAX, UINT32_MAX, UINT32_MAX};
    for (uint64_t a = w->graph.start[statement]; a < w->graph.start[statement + 1]; a++) {
        const int64_t roles = w->graph.edge_label[a];
        if (roles < LM_RDF_PREDICATE || roles >= 2 * LM_RDF_GRAPH || roles % 2) return refuse(w);
        for (size_t i = 1; i < TERMS; i++) {
            if (!(roles >> i & 1)) continue;
            if (term[i] != UINT32_MAX) return refuse(w);
            term[i] = w->graph.head[a];
        }
    }
    for (size_t i = 0; i < TERMS; i++) {
        if (i < TERMS - 1 && term[i] == UINT32_MAX) return refuse(w);
        if (term[i] != UINT32_MAX) PASS(write_term(w, term[i]));
    }
    return lm_write_text(w->out, ".\n");
}

/* Fills subject[] and blank[]. */
static leman_status list_vertices(const rdf_writer *w)
{
    const leman_graph *g = &w->graph;
    uint32_t blanks = 0;
    for (size_t v = 0; v < g->vertices; v++) {
        w->subject[v] = UINT32_MAX;
        w->blank[v] = g->vertex_label[v] == LM_RDF_BLANK ? blanks++ : 0;
    }
    for (size_t v = 0; v < g->vertices; v++)
        for (uint64_t a = g->start[v]; a < g->start[v + 1] && g->vertex_label[v] != LM_RDF_STATEMENT; a++) {
            const uint32_t statement = g->head[a];
            if (g->edge_label[a] != LM_RDF_SUBJECT || g->vertex_label[statement] != LM_RDF_STATEMENT ||
                w->subject[statement] != UINT32_MAX)
                return refuse(w);
            w->subject[statement] = (uint32_t)v;
        }
    return LEMAN_OK;
}

leman_status lm_rdf_write(leman_context *ctx, const leman_dataset *data, lm_output *out)
{
    SCRATCH_SCOPE(ctx);
    rdf_writer w = {.ctx = ctx, .data = data, .graph = leman_dataset_graph(data, 0), .out = out};
    const leman_columns kept = {.vertex_labels = 1, .edge_labels = 1, .vertex_names = true};
    if (data->graphs != 1 || !data->directed || data->columns.vertex_labels != 1 || data->columns.edge_labels != 1)
        return refuse(&w);
    PASS_SCRATCH(ctx, w.subject, data->vertices);
    PASS_SCRATCH(ctx, w.blank, data->vertices);
    PASS(list_vertices(&w));
    for (size_t v = 0; v < data->vertices; v++)
        if (w.graph.vertex_label[v] == LM_RDF_STATEMENT) PASS(write_statement(&w, v));
    lm_log_dropped(ctx, data, "N-Quads", &kept);
    return LEMAN_OK;
}
