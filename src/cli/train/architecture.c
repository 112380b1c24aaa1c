/* leman train: the network that the options ask for, and messages about options that it does not have. */
#include "cli/networks.h"
#include "cli/options/coloring.h"
#include "cli/train/train.h"

/* Returns the single number of a list, or 0 if the option was not given. Fails if there are several. */
static leman_status single(leman_context *ctx, const lm_ranges *ranges, const char *name, size_t *out)
{
    const lm_range *range = ranges->range.items;
    *out = 0;
    if (!ranges->range.count) return LEMAN_OK;
    if (ranges->range.count > 1 || range->first != range->last)
        return MISUSE(ctx, "option '--%s': found a list, expected one number without --folds or --splits", name);
    *out = (size_t)range->first;
    return LEMAN_OK;
}

/* Reads the network and its k from -a and -k. */
leman_status lm_train_model(leman_context *ctx, const lm_train_options *o, leman_architecture *a)
{
    const unsigned usual = a->k;
    if (o->model) {
        a->k = 0;
        PASS(leman_architecture_parse(ctx, o->model, a));
        PASS(lm_k_check(ctx, o->model, a->k, o->k));
    }
    if (!o->model || !a->k) a->k = o->k ? (unsigned)o->k : usual;
    return LEMAN_OK;
}

/* Returns true if the network computes distances from positions. PPGN uses attributes as they are. */
static bool reads_distances(const leman_architecture *a)
{
    return a->preset == LEMAN_PRESET_QM9 && a->kind != LEMAN_NETWORK_KIND_PPGN;
}

/* Determines which vertex attributes are a position, and whether some of them repeat the labels. */
static leman_status read_attributes(leman_context *ctx, const lm_train_options *o, const leman_dataset *data,
                                    leman_architecture *a)
{
    static const char COMPANION[] = "those of QM9 are in QM9_node_attributes.zip, to be unpacked into the same folder";
    const size_t columns = leman_dataset_shape(data)->columns->vertex_attributes;
    const lm_range *at = o->coordinates.range.items;
    bool known;
    if (at && !columns)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "option '--coordinates': the data has no vertex attributes, expected some; %s", COMPANION);
    if (at && (o->coordinates.range.count > 1 || at->last >= columns))
        return lm_fail(
            ctx, LEMAN_ERROR_INPUT,
            "option '--coordinates': expected one range of the %zu column%s of vertex attributes, which count from 0, "
            "such as 0-2",
            columns, lm_plural(columns));
    if (at) {
        a->first_coordinate = (size_t)at->first;
        a->coordinates = (size_t)(at->last - at->first + 1);
    }
    PASS(leman_architecture_attributes(ctx, data, a, &known));
    if (known || (columns && !reads_distances(a))) return LEMAN_OK;
    if (!columns)
        return lm_fail(
            ctx, LEMAN_ERROR_INPUT,
            "the preset qm9 computes distances from vertex attributes, and the data has none; %s; --ignore attributes "
            "trains without",
            COMPANION);
    return lm_fail(
        ctx, LEMAN_ERROR_INPUT,
        "the preset qm9 computes distances, and it is not known which of the %zu vertex attributes are a position; "
        "expected --coordinates, such as 13-15, or --ignore attributes",
        columns);
    return LEMAN_OK;
}

/* Logs the given options that the network does not have. */
static void remark(lm_work *work, const lm_train_options *o, const leman_architecture *a)
{
    const bool gine = a->kind == LEMAN_NETWORK_KIND_GINE || a->kind == LEMAN_NETWORK_KIND_GINE0;
    char name[64];
    leman_architecture_paper_name(a, name, sizeof name);
    if (o->k && !lm_network_takes_k(a)) lm_work_log(work, "-k changes nothing: %s has no k", name);
    if (o->coordinates.range.count && !reads_distances(a))
        lm_work_log(work, "--coordinates changes nothing: %s reads positions as they are, not distances", name);
    if (!o->own_fourth || (gine && a->preset == LEMAN_PRESET_ZINC && (!a->layers || a->layers > 3))) return;
    lm_work_log(work, "--own-fourth changes nothing: only GINE-0 and GINE-eps of the preset zinc, with four layers or "
                      "more, use a layer twice");
}

leman_status lm_train_architecture(lm_work *work, const lm_train_options *o, const leman_dataset *data,
                                   leman_architecture *out)
{
    leman_context *ctx = work->ctx;
    leman_architecture a = leman_architecture_default();
    PASS(lm_train_model(ctx, o, &a));
    a.preset = o->classes || o->common.class_column ? LEMAN_PRESET_TU
               : o->targets.text.count              ? LEMAN_PRESET_ZINC
                                                    : leman_preset_for(data);
    if (o->preset) PASS(leman_preset_parse(ctx, o->preset, &a.preset));
    if (!lm_train_by_folds(o)) PASS(single(ctx, &o->layers, "layers", &a.layers));
    if (!lm_train_by_folds(o)) PASS(single(ctx, &o->width, "width", &a.width));
    a.ignore_vertex_labels = (o->ignore & LM_IGNORE_VERTEX_LABELS) != 0;
    a.ignore_edge_labels = (o->ignore & LM_IGNORE_EDGE_LABELS) != 0;
    a.ignore_attributes = (o->ignore & LM_IGNORE_ATTRIBUTES) != 0;
    a.in_arcs = o->in_arcs;
    PASS(read_attributes(ctx, o, data, &a));
    remark(work, o, &a);
    *out = a;
    return LEMAN_OK;
}
