/*
 * Coordinates of molecules as chemists draw them, for files that have coordinates. Bonds have the usual length of such
 * files, 1.5. About 0.1 ms for a molecule (molecule_layout.c), on all threads.
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "base/thread_pool.h"
#include "graph/dataset.h"
#include "io/molecule/molecule.h"
#include "report/drawing/molecule_layout.h"
#include <string.h>

static const double BOND = 1.5, DIGITS = 1e4;

typedef struct laying {
    const leman_dataset *data;
    bool molecules; /* they are known to be; otherwise their labels decide */
    double *place;  /* [vertices][3] */
    bool *drawn;    /* [workers] some molecule was placed */
} laying;

/* Returns true if the graph has coordinates x, y, z that are not all 0. */
static bool has_places(const leman_graph *g)
{
    if (g->vertex_attributes != 3) return false;
    for (size_t i = 0; i < 3 * g->vertices; i++)
        if (g->vertex_attribute[i] < 0 || g->vertex_attribute[i] > 0) return true;
    return false;
}

/* Returns a coordinate in the unit and with the digits of files. */
static double rounded(double x)
{
    return round(BOND * x * DIGITS) / DIGITS + 0.0; /* no -0 */
}

/* Places the atoms of one molecule. */
static leman_status lay_out(lm_worker *worker, void *state, size_t item)
{
    const laying *all = state;
    leman_context *ctx = worker->ctx;
    const leman_graph g = leman_dataset_graph(all->data, item);
    double *to = all->place + 3 * all->data->graph_start[item];
    lm_point *place;
    uint8_t *order;
    bool *small, clean;
    if (has_places(&g)) {
        memcpy(to, g.vertex_attribute, 3 * g.vertices * sizeof *to);
    } else if (g.vertices > 1 && lm_skeleton_suits(&g) && (all->molecules || leman_graph_is_molecule(&g))) {
        all->drawn[worker->number] = true;
        PASS_SCRATCH(ctx, place, g.vertices);
        PASS_SCRATCH(ctx, small, g.vertices);
        PASS_SCRATCH(ctx, order, g.arcs + 1);
        for (size_t i = 0; i < g.arcs; i++)
            order[i] = (uint8_t)lm_bond_of_label(g.edge_label[(g.start[0] + i) * g.edge_labels]);
        for (size_t v = 0; v < g.vertices; v++) small[v] = lm_atom_element(g.vertex_label[v * g.vertex_labels]) == 1;
        PASS(lm_molecule_layout(ctx, &g, order, small, place, &clean));
        for (size_t v = 0; v < g.vertices; v++) to[3 * v] = rounded(place[v].x), to[3 * v + 1] = rounded(place[v].y);
    }
    return lm_worker_advance(worker, 1);
}

leman_status leman_dataset_lay_out(leman_context *ctx, const leman_dataset *data, leman_dataset **out)
{
    AUTO(leman_dataset_drop) leman_dataset *made = NULL;
    REQUIRE(ctx, data, out);
    SCRATCH_SCOPE(ctx);
    leman_dataset shape = *data;
    shape.columns.vertex_attributes = 3;
    PASS(lm_dataset_derive(ctx, data, &shape, &made));
    if (!data->vertices) return HAND_OVER(out, made);
    const int workers = lm_thread_pool_workers(ctx);
    const bool molecules = data->reading & LEMAN_READING_MOLECULES && !(data->reading & LEMAN_READING_ASSUMED);
    laying all = {.data = data, .molecules = molecules, .place = LM_WRITABLE(double, made->vertex_attribute)};
    PASS_SCRATCH_ZERO(ctx, all.drawn, (size_t)workers);
    memset(all.place, 0, 3 * data->vertices * sizeof *all.place);
    lm_progress_begin(ctx, data->graphs, "placing the atoms of %s", data->name);
    PASS(lm_thread_pool_run(ctx, NULL, data->graphs, 0, lay_out, &all));
    for (int i = 0; i < workers; i++) made->drawn |= all.drawn[i];
    return HAND_OVER(out, made);
}
