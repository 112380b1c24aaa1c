/*
 * Exports a network as the arrays of a .npz file, from which another implementation can be built: every weight under
 * its name, the order of the first epoch if requested, and network.json. The latter describes what the network reads
 * from a graph and in which order, what it computes, and what its outputs are. docs/networks.md lists its members.
 * O(weights + types).
 */
#include "base/arguments.h"
#include "io/array/npz.h"
#include "nn/train/fingerprint.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_text(lm_output *out, const char *text)
{
    lm_output_write(out, "\"", 1);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            lm_output_printf(out, "\\%c", *c);
        else if (*c < 0x20)
            lm_output_printf(out, "\\u%04x", *c);
        else
            lm_output_write(out, c, 1);
    }
    lm_output_write(out, "\"", 1);
}

static void put_real(lm_output *out, double value)
{
    if (isfinite(value))
        lm_output_real(out, value);
    else
        lm_output_printf(out, "null");
}

static void key(lm_output *out, const char *name)
{
    lm_output_printf(out, ",\n \"%s\": ", name);
}

static void text_member(lm_output *out, const char *name, const char *text)
{
    key(out, name);
    put_text(out, text);
}

static void bool_member(lm_output *out, const char *name, bool value)
{
    key(out, name);
    lm_output_printf(out, value ? "true" : "false");
}

static void count_member(lm_output *out, const char *name, uint64_t value)
{
    key(out, name);
    lm_output_printf(out, "%" PRIu64, value);
}

static void real_member(lm_output *out, const char *name, double value)
{
    key(out, name);
    put_real(out, value);
}

static void reals_member(lm_output *out, const char *name, const double *value, size_t count)
{
    key(out, name);
    for (size_t i = 0; i < count; i++) {
        lm_output_printf(out, i ? ", " : "[");
        put_real(out, value[i]);
    }
    lm_output_printf(out, count ? "]" : "[]");
}

/* ---- Settings -------------------------------------------------------------------------------- */

static void put_options(lm_output *out, const lm_training_options *o, size_t first, size_t end)
{
    for (const lm_training_row *row = lm_training_rows + first; row < lm_training_rows + end; row++) {
        const double value = lm_training_value(o, row);
        const char *name = lm_training_value_name(row, value);
        if (row->kind == LM_ROW_LOSS) continue; /* only targets have it */
        if (name)
            text_member(out, row->name, name);
        else if (row->kind == LM_ROW_BOOL)
            bool_member(out, row->name, value > 0);
        else if (row->kind == LM_ROW_REAL)
            real_member(out, row->name, value);
        else
            count_member(out, row->name, (uint64_t)value);
    }
}

static void put_settings(lm_output *out, const leman_network *n)
{
    const lm_fingerprint *f = &n->record.fingerprint;
    char method[64];
    leman_architecture_paper_name(&n->architecture, method, sizeof method);
    text_member(out, "method", method);
    put_options(
        out, &(lm_training_options){.architecture = n->architecture, .details.own_fourth_layer = n->own_fourth_layer},
        0, LM_ARCHITECTURE_ROWS);
    count_member(out, "parameters", n->program->trainable);
    text_member(out, "loss",
                n->task_label    ? "binary cross entropy"
                : n->class_label ? "cross entropy"
                                 : leman_loss_name(n->loss));
    text_member(out, "selected_by", leman_score_name(n->selected_by));
    text_member(out, "precision", leman_precision_name(n->precision));
    count_member(out, "batch", n->batch);
    count_member(out, "epoch", n->shape.best.epoch);
    if (!n->own) return;
    count_member(out, "seed", f->seed);
    put_options(out, &f->options, LM_ARCHITECTURE_ROWS, LM_TRAINING_ROWS);
}

static void put_outputs(lm_output *out, const leman_network *n)
{
    static const char *const LEARNED[] = {
        [LM_LEARN_TARGETS] = "targets", [LM_LEARN_CLASSES] = "classes", [LM_LEARN_TASKS] = "tasks"};
    const lm_scale *scale = &n->scale;
    text_member(out, "learns", LEARNED[lm_network_learned(n)]);
    count_member(out, "outputs", n->outputs);
    key(out, n->class_label ? "classes" : "columns");
    for (size_t i = 0; i < n->outputs; i++) {
        const int64_t value = n->class_label ? n->class_label[i] : (int64_t)n->column[i];
        lm_output_printf(out, "%s%" PRId64, i ? ", " : "[", value);
    }
    lm_output_printf(out, "]");
    if (n->name) {
        key(out, "names");
        for (size_t i = 0; i < n->outputs; i++) {
            lm_output_printf(out, i ? ", " : "[");
            put_text(out, n->name[i] ? n->name[i] : "");
        }
        lm_output_printf(out, "]");
    }
    for (size_t i = 0; n->task_label && i < n->outputs; i++) {
        if (!i) key(out, "task_classes");
        lm_output_printf(out, "%s[%" PRId64 ", %" PRId64 "]%s", i ? ", " : "[", n->task_label[2 * i],
                         n->task_label[2 * i + 1], i + 1 == n->outputs ? "]" : "");
    }
    bool_member(out, "scaled", scale->count && scale->applied);
    reals_member(out, "mean", scale->mean, scale->count);
    reals_member(out, "deviation", scale->deviation, scale->count);
}

/* ---- Labels and types ------------------------------------------------------------------------ */

/* The keys of an encoding, 64-bit words, in the order of their numbers. */
static void put_keys(lm_output *out, const char *name, const lm_intern *keys)
{
    const size_t count = lm_intern_count(keys);
    key(out, name);
    lm_output_printf(out, "[");
    for (size_t i = 0; i < count; i++) {
        size_t bytes;
        const char *text = lm_intern_text(keys, i, &bytes);
        lm_output_printf(out, i ? ", [" : "[");
        for (size_t at = 0; at + sizeof(int64_t) <= bytes; at += sizeof(int64_t)) {
            int64_t word;
            memcpy(&word, text + at, sizeof word);
            lm_output_printf(out, "%s%" PRId64, at ? ", " : "", word);
        }
        lm_output_printf(out, "]");
    }
    lm_output_printf(out, "]");
}

/* "same", or [there, back]: the number of the edge's label, null if there is no edge. */
static void put_relation(lm_output *out, const lm_type_relation *r)
{
    const uint32_t edge[2] = {r->there, r->back};
    if (r->same) {
        put_text(out, "same");
        return;
    }
    for (int i = 0; i < 2; i++) {
        lm_output_printf(out, i ? ", " : "[");
        if (edge[i])
            lm_output_printf(out, "%u", edge[i] - 1);
        else
            lm_output_printf(out, "null");
    }
    lm_output_printf(out, "]");
}

static void put_types(lm_output *out, const lm_encoding *e)
{
    const unsigned k = e->options.k;
    key(out, "types");
    lm_output_printf(out, "[");
    for (size_t i = 0; k > 1 && i < lm_intern_count(&e->type); i++) {
        uint32_t label[LM_NETWORK_MAX_K];
        lm_type_relation relation[LM_NETWORK_MAX_K];
        lm_encoding_type(e, i, label, relation);
        lm_output_printf(out, "%s\n  {\"labels\": [", i ? "," : "");
        for (unsigned j = 0; j < k; j++) lm_output_printf(out, "%s%u", j ? ", " : "", label[j]);
        lm_output_printf(out, "], \"relations\": [");
        for (unsigned p = 0; p < k * (k - 1) / 2; p++) {
            if (p) lm_output_printf(out, ", ");
            put_relation(out, relation + p);
        }
        lm_output_printf(out, "]}");
    }
    lm_output_printf(out, "]");
}

/* The types of each list of sets: sorted labels, and whether the first and the last vertex are adjacent. */
static void put_set_types(lm_output *out, const lm_encoding *e)
{
    const uint64_t labels = lm_intern_count(&e->label);
    key(out, "set_types");
    lm_output_printf(out, "[");
    for (size_t i = 0; i < LM_LISTS && e->options.sets[i] != LM_SETS_NONE; i++) {
        const size_t members = lm_set_members(e->options.sets[i]);
        lm_output_printf(out, i ? ", [" : "[");
        for (size_t t = 0; t < lm_intern_count(e->set_type + i); t++) {
            uint64_t word, digit[LM_SET_MEMBERS];
            size_t bytes;
            memcpy(&word, lm_intern_text(e->set_type + i, t, &bytes), sizeof word);
            for (size_t j = members; j-- > 0; word /= labels) digit[j] = word % labels;
            lm_output_printf(out, "%s\n  {\"labels\": [", t ? "," : "");
            for (size_t j = 0; j < members; j++) lm_output_printf(out, "%s%" PRIu64, j ? ", " : "", digit[j]);
            lm_output_printf(out, "], \"adjacent\": %s}", word ? "true" : "false");
        }
        lm_output_printf(out, "]");
    }
    lm_output_printf(out, "]");
}

static void put_inputs(lm_output *out, const lm_encoding *e)
{
    static const char *const INPUTS[] = {[LM_VERTEX_NOTHING] = "nothing",
                                         [LM_VERTEX_LABEL] = "label",
                                         [LM_VERTEX_DEGREE] = "degree",
                                         [LM_VERTEX_REAL_DEGREE] = "scaled degree",
                                         [LM_VERTEX_PARTS] = "labels and attributes"};
    bool_member(out, "directed", e->directed);
    text_member(out, "vertex_input", INPUTS[e->vertex]);
    bool_member(out, "parts", e->options.parts);
    bool_member(out, "joined", e->options.joined);
    count_member(out, "degrees", e->degrees);
    real_member(out, "degree_mean", e->degree_mean);
    real_member(out, "degree_deviation", e->degree_deviation);
    count_member(out, "type_width", e->widths.types);
    count_member(out, "edge_label_width", e->widths.labels);
    count_member(out, "vertex_width", e->widths.vertex_reals);
    count_member(out, "arc_width", e->widths.arc_reals);
    count_member(out, "pair_width", e->widths.tuple_reals);
    put_keys(out, "vertex_labels", &e->label);
    put_keys(out, "edge_labels", &e->edge_label);
    put_types(out, e);
    put_set_types(out, e);
}

/* ---- What is computed ------------------------------------------------------------------------ */

/* Returns the length without LM_NONE at the end. */
static size_t used(const uint32_t *number, size_t count)
{
    while (count && number[count - 1] == LM_NONE) count--;
    return count;
}

/* Numbers of values of a step; null for an argument that is left out. */
static void put_numbers(lm_output *out, const char *name, const uint32_t *number, size_t count)
{
    const size_t last = used(number, count);
    lm_output_printf(out, ", \"%s\": [", name);
    for (size_t i = 0; i < last; i++) {
        if (i) lm_output_printf(out, ", ");
        if (number[i] == LM_NONE)
            lm_output_printf(out, "null");
        else
            lm_output_printf(out, "%u", number[i]);
    }
    lm_output_printf(out, "]");
}

static void put_weights(lm_output *out, const lm_program *p, const lm_step *s)
{
    const size_t last = used(s->weight, LM_STEP_WEIGHTS);
    lm_output_printf(out, ", \"weights\": [");
    for (size_t i = 0; i < last; i++) {
        if (i) lm_output_printf(out, ", ");
        if (s->weight[i] == LM_NONE)
            lm_output_printf(out, "null");
        else
            put_text(out, lm_program_weight(p, s->weight[i])->name);
    }
    lm_output_printf(out, "]");
}

static void put_step(lm_output *out, const lm_program *p, const lm_step *s)
{
    static const char *const ACTIVATIONS[] = {[LM_IDENTITY] = "identity", [LM_RELU] = "relu", [LM_ELU] = "elu"};
    static const char *const NEIGHBORHOODS[] = {
        [LM_LEAVING] = "leaving", [LM_ENTERING] = "entering", [LM_OTHERS] = "others", [LM_ALL] = "all"};
    static const char *const INDEXES[] = {
        [LM_INDEX_TUPLE_TYPE] = "tuple type", [LM_INDEX_COUNT] = "count",      [LM_INDEX_VERTEX_TYPE] = "vertex type",
        [LM_INDEX_ARC_LABEL] = "arc label",   [LM_INDEX_LABEL] = "edge label", [LM_INDEX_LISTED_TYPE] = "set type"};
    lm_output_printf(out, "{\"operation\": \"%s\"", lm_operation_name(s->operation));
    put_numbers(out, "reads", s->input, LM_STEP_VALUES);
    put_numbers(out, "writes", s->output, LM_STEP_VALUES);
    put_weights(out, p, s);
    lm_output_printf(out, ", \"activation\": \"%s\"", ACTIVATIONS[s->activation]);
    if (s->operation == LM_OP_EMBED) lm_output_printf(out, ", \"looks_up\": \"%s\"", INDEXES[s->index]);
    if (lm_operation_has(s->operation, LM_RULE_NEIGHBORHOOD))
        lm_output_printf(out, ", \"over\": \"%s\"", NEIGHBORHOODS[s->neighborhood]);
    lm_output_printf(out, ", \"position\": %zu, \"rate\": ", s->position);
    put_real(out, s->rate);
    lm_output_printf(out, "}");
}

/* If there are several lists of sets, they are called "sets0" and "links0", "sets1" and "links1". */
static const char *space_name(lm_row_space space)
{
    static const char *const SETS[] = {"sets0", "sets1", "sets2"}, *const LINKS[] = {"links0", "links1", "links2"};
    _Static_assert(LM_LISTS <= sizeof SETS / sizeof *SETS, "a name for every list");
    if (lm_is_listed(space)) return SETS[space - LM_LISTED];
    if (space >= LM_LINKS && space < LM_LABELS) return LINKS[space - LM_LINKS];
    switch (space) {
    case LM_TUPLES: return "tuples";
    case LM_VERTICES: return "vertices";
    case LM_ARCS: return "arcs";
    case LM_LABELS: return "edge labels";
    case LM_GRAPHS: return "graphs";
    default: return "single";
    }
}

static void put_steps(lm_output *out, const lm_program *p)
{
    static const char *const SOURCES[] = {[LM_FROM_STEP] = "step",
                                          [LM_FROM_ZEROS] = "zeros",
                                          [LM_FROM_VERTEX_ATTRIBUTES] = "vertices",
                                          [LM_FROM_ARC_ATTRIBUTES] = "arcs",
                                          [LM_FROM_TUPLE_ATTRIBUTES] = "tuples"};
    count_member(out, "prediction", p->prediction);
    key(out, "weights");
    lm_output_printf(out, "[");
    for (uint32_t i = 0; i < p->weights.count; i++) {
        const lm_weight *w = lm_program_weight(p, i);
        lm_output_printf(out, "%s\n  {\"name\": ", i ? "," : "");
        put_text(out, w->name);
        lm_output_printf(out, ", \"rows\": %zu, \"columns\": %zu, \"learned\": %s}", w->rows, w->columns,
                         w->trainable ? "true" : "false");
    }
    lm_output_printf(out, "]");
    key(out, "values");
    lm_output_printf(out, "[");
    for (uint32_t i = 0; i < p->values.count; i++) {
        const lm_value *v = lm_program_value(p, i);
        lm_output_printf(out,
                         "%s\n  {\"rows\": \"%s\", \"width\": %zu, \"from\": \"%s\", \"columns_of\": %u, "
                         "\"column\": %zu}",
                         i ? "," : "", space_name(v->space), v->width, SOURCES[v->source], v->root, v->column);
    }
    lm_output_printf(out, "]");
    key(out, "steps");
    lm_output_printf(out, "[");
    for (size_t i = 0; i < p->steps.count; i++) {
        lm_output_printf(out, i ? ",\n  " : "\n  ");
        put_step(out, p, lm_program_step(p, i));
    }
    lm_output_printf(out, "]");
}

static leman_status put_network(lm_zip *zip, const leman_network *n)
{
    leman_status st = LEMAN_OK;
    lm_output *out;
    TRY(lm_zip_member(zip, "network.json", &out));
    lm_output_printf(out, "{\"format\": 1");
    text_member(out, "program", leman_version());
    put_settings(out, n);
    put_outputs(out, n);
    put_inputs(out, n->encoding);
    put_steps(out, n->program);
    TRY(lm_output_printf(out, "}\n"));
    TRY(lm_zip_member_end(zip));
done:
    return st;
}

/* ---- The file -------------------------------------------------------------------------------- */

leman_status leman_network_export(leman_context *ctx, const leman_network *network, const char *path)
{
    leman_status st = LEMAN_OK;
    const char *descr = sizeof(lm_real) == 4 ? LM_NPY_ORDER "f4" : LM_NPY_ORDER "f8";
    lm_output out = {0}, *member;
    lm_zip zip = {0};
    REQUIRE(ctx, network);
    REQUIRE(ctx, path);
    if (!lm_path_ends(path, ".npz"))
        FAIL(ctx, LEMAN_ERROR_ARGUMENT, "%s: weights are written as .npz, expected that ending", path);
    TRY(lm_network_is_trained(ctx, network));
    TRY(lm_output_open(ctx, path, &out));
    lm_zip_begin(ctx, &out, &zip);
    for (uint32_t i = 0; i < network->program->weights.count; i++) {
        const lm_weight *w = lm_program_weight(network->program, i);
        const size_t shape[2] = {w->rows, w->columns};
        TRY(lm_npz_array(&zip, w->name, descr, 2, shape, network->weights + w->offset, sizeof(lm_real)));
    }
    if (network->order)
        TRY(lm_npz_array(&zip, "order", LM_NPY_ORDER "u4", 1, &network->graphs, network->order,
                         sizeof *network->order));
    TRY(lm_zip_member(&zip, LM_EXPORTED_NETWORK, &member));
    TRY(lm_network_save(network, member));
    TRY(lm_zip_member_end(&zip));
    TRY(put_network(&zip, network));
    TRY(lm_zip_end(&zip));
    TRY(lm_output_commit(&out));
done:
    if (zip.ctx) lm_zip_free(&zip);
    lm_output_abort(&out);
    return st;
}
