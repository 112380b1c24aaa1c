/* Reading for the commands about similar graphs, and their output: a table, or JSON. */
#include "cli/similarity/similar.h"
#include "base/drop.h"
#include <string.h>

const char *const LM_SIMILAR_ENDINGS[] = {".csv", ".tsv", ".json", "", NULL};

/* ---- Reading --------------------------------------------------------------------------------- */

static leman_status check_options(lm_work *work, const lm_kernel_options *asked)
{
    PASS(lm_kernels_single(work->ctx, asked, ""));
    if (asked->coloring.apex)
        return MISUSE(work->ctx, "option '--apex' has no effect: the graphs are compared as they are");
    if (asked->attributes)
        return MISUSE(work->ctx, "option '--attributes' has no effect: labels and structure are compared");
    if (!asked->algorithms.text.count)
        for (size_t g = 0; g < LM_GROUPS && work->options->command->groups[g].rows; g++) {
            const lm_group *group = work->options->command->groups + g;
            for (const lm_option *row = group->rows; !strcmp(group->title, "Kernels") && row->name; row++)
                if (lm_option_given(work->options, row->name))
                    return MISUSE(work->ctx, "option '--%s' needs a kernel, -a NAME", row->name);
        }
    return LEMAN_OK;
}

static leman_status usual_kernel(lm_work *work, const lm_kernel_options *asked, lm_similar *s)
{
    leman_coloring chosen = leman_coloring_default();
    PASS_SCRATCH(work->ctx, s->kernels, 1);
    s->count = 1;
    *s->kernels = leman_kernel_default();
    PASS(leman_neighbors_kernel(work->ctx, s->data, s->kernels));
    if (asked->coloring.rounds) {
        PASS(lm_coloring_read(work->ctx, &asked->coloring, &chosen));
        s->kernels->coloring.rounds = chosen.rounds;
    }
    s->kernels->coloring.ignore_vertex_labels = asked->coloring.ignore & LM_IGNORE_VERTEX_LABELS;
    s->kernels->coloring.ignore_edge_labels = asked->coloring.ignore & LM_IGNORE_EDGE_LABELS;
    s->kernels->coloring.in_arcs = asked->coloring.in_arcs;
    return LEMAN_OK;
}

leman_status lm_similar_read(lm_work *work, const lm_kernel_options *asked, const char *path, lm_similar *s)
{
    leman_context *ctx = work->ctx;
    PASS(check_options(work, asked));
    work->atom_labels = LEMAN_ATOM_ECFP;
    if (asked->algorithms.text.count) {
        PASS(lm_kernels_parse(ctx, asked, &s->kernels, &s->count));
        PASS(lm_kernels_atoms(work, s->kernels, s->count));
    }
    work->rows = &s->rows;
    PASS(lm_kernels_read_raw(work, asked, path, &s->data));
    work->rows = NULL;
    if (!s->kernels) PASS(usual_kernel(work, asked, s));
    const size_t graphs = leman_dataset_shape(s->data)->graphs;
    PASS_SCRATCH(ctx, s->row, graphs);
    for (size_t g = 0; g < graphs; g++) s->row[g] = g;
    for (size_t i = 0; i < leman_rows_count(s->rows); i++) {
        const size_t graph = leman_rows_get(s->rows, i).graph;
        if (graph < graphs) s->row[graph] = i;
    }
    return LEMAN_OK;
}

void lm_similar_free(lm_similar *s)
{
    leman_dataset_free(s->data);
    leman_rows_free(s->rows);
}

const char *lm_similar_name(const lm_similar *s, size_t graph, size_t *length)
{
    return leman_dataset_graph_name(s->data, graph, length);
}

const char *lm_similar_smiles(const lm_similar *s, size_t graph)
{
    return s->rows ? leman_rows_get(s->rows, s->row[graph]).smiles : "";
}

/* ---- Output ---------------------------------------------------------------------------------- */

void lm_similar_cell(lm_output *out, char between, const char *text, size_t length)
{
    lm_output_write(out, &between, 1);
    lm_output_csv_field(out, text, length, length && memchr(text, '\t', length));
}

leman_status lm_similar_write(lm_work *work, void *state, lm_similar_fill *fill, lm_similar_table *table)
{
    const char *path = work->options->output;
    AUTO(lm_json_free) lm_json json = {0};
    lm_output *out;
    if (work->options->json) {
        LM_PUT(&work->json, work->json.object, MEMBER(work->options, output));
        fill(state, &work->json, !path);
        if (!path) return LEMAN_OK;
    }
    PASS(lm_work_results(work, &out));
    if (path && lm_path_ends(path, ".json")) {
        json = lm_json_new();
        fill(state, &json, true);
        PASS(lm_json_write(work->ctx, &json, out));
    } else {
        PASS(table(state, out, path && lm_path_ends(path, ".tsv") ? '\t' : ','));
    }
    return work->options->json ? lm_work_finish(work) : LEMAN_OK; /* the object goes to standard output */
}
