/*
 * Exports a network as the arrays of a .npz file, from which another implementation can be built: every weight under
 * its name, the order of the first epoch if requested, and network.json. The latter describes what the network reads
 * from a graph and in which order, what it computes, and what its outputs are. docs/networks.md lists its members.
 * O(weights + types).
 */
#include "base/arguments.h"
#include "base/strings.h"
#include "base/text.h"
#include "io/array/npz.h"
#include "nn/train/fingerprint.h"
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

/* ---- JSON ------------------------------------------------------------------------------------ */

/* A JSON object that is being written. The members of the outermost object, and objects in arrays, begin a line. */
typedef struct json {
    lm_output *out;
    size_t depth;
    bool first; /* nothing has been written into the innermost array or object */
} json;

/* Begins an element: of an array, or of an object under a key. */
static void next(json *j, const char *key)
{
    lm_output_printf(j->out, "%s", j->depth == 1 ? (j->first ? "\n " : ",\n ") : j->first ? "" : ", ");
    if (key) lm_output_printf(j->out, "\"%s\": ", key);
    j->first = false;
}

static void begin_array(json *j, const char *key)
{
    next(j, key);
    lm_output_write(j->out, "[", 1);
    j->depth++;
    j->first = true;
}

/* Begins an object in an array. */
static void begin_object(json *j)
{
    lm_output_printf(j->out, j->first ? "\n  {" : ",\n  {");
    j->depth++;
    j->first = true;
}

static void finish(json *j, const char *bracket)
{
    lm_output_write(j->out, bracket, 1);
    j->depth--;
    j->first = false;
}

static void put_text(json *j, const char *key, const char *text)
{
    next(j, key);
    lm_output_write(j->out, "\"", 1);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            lm_output_printf(j->out, "\\%c", *c);
        else if (*c < 0x20)
            lm_output_printf(j->out, "\\u%04x", *c);
        else
            lm_output_write(j->out, c, 1);
    }
    lm_output_write(j->out, "\"", 1);
}

/* A number or a word, formatted as by printf(). */
__attribute__((format(printf, 3, 4))) static void put(json *j, const char *key, const char *format, ...)
{
    char text[LM_NUMBER_TEXT];
    va_list arguments;
    va_start(arguments, format);
    lm_vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    next(j, key);
    lm_output_printf(j->out, "%s", text);
}

static void put_real(json *j, const char *key, double value)
{
    if (!isfinite(value)) {
        put(j, key, "null");
        return;
    }
    next(j, key);
    lm_output_real(j->out, value);
}

static void put_bool(json *j, const char *key, bool value)
{
    put(j, key, "%s", value ? "true" : "false");
}

static void put_count(json *j, const char *key, uint64_t value)
{
    put(j, key, "%" PRIu64, value);
}

/* An array of `count` elements; `statement` puts element i, with NULL as its key. */
#define PUT_EACH(j, key, count, statement)                                                                             \
    do {                                                                                                               \
        begin_array(j, key);                                                                                           \
        for (size_t i = 0; i < (count); i++) statement;                                                                \
        finish(j, "]");                                                                                                \
    } while (0)

/* ---- Settings -------------------------------------------------------------------------------- */

static void put_options(json *j, const lm_training_options *o, size_t first, size_t end)
{
    for (const lm_training_row *row = lm_training_rows + first; row < lm_training_rows + end; row++) {
        const double value = lm_training_value(o, row);
        const char *name = lm_training_value_name(row, value);
        if (row->kind == LM_ROW_LOSS) continue; /* only targets have it */
        if (name)
            put_text(j, row->name, name);
        else if (row->kind == LM_ROW_BOOL)
            put_bool(j, row->name, value > 0);
        else if (row->kind == LM_ROW_REAL)
            put_real(j, row->name, value);
        else
            put_count(j, row->name, (uint64_t)value);
    }
}

static void put_settings(json *j, const leman_network *n)
{
    const lm_fingerprint *f = &n->record.fingerprint;
    char method[96];
    leman_architecture_paper_name(&n->architecture, method, sizeof method);
    put_text(j, "method", method);
    put_options(
        j, &(lm_training_options){.architecture = n->architecture, .details.own_fourth_layer = n->own_fourth_layer}, 0,
        LM_ARCHITECTURE_ROWS);
    put_text(j, "attributes", leman_attribute_use_name(n->architecture.attributes));
    leman_architecture_encodings(&n->architecture, method, sizeof method);
    if (*method) put_text(j, "encodings", method);
    put_count(j, "components", n->architecture.components);
    put_count(j, "parameters", n->program->trainable);
    put_text(j, "loss",
             n->task_label    ? "binary cross entropy"
             : n->class_label ? "cross entropy"
                              : leman_loss_name(n->loss));
    put_text(j, "selected_by", leman_score_name(n->selected_by));
    put_text(j, "precision", leman_precision_name(n->precision));
    put_count(j, "batch", n->batch);
    put_count(j, "epoch", n->shape.best.epoch);
    if (!n->own) return;
    put_count(j, "seed", f->seed);
    put_options(j, &f->options, LM_ARCHITECTURE_ROWS, LM_TRAINING_ROWS);
}

/* The labels of the two classes of a task. */
static void put_task(json *j, const int64_t label[2])
{
    PUT_EACH(j, NULL, 2, put(j, NULL, "%" PRId64, label[i]));
}

static void put_outputs(json *j, const leman_network *n)
{
    static const char *const LEARNED[] = {
        [LM_LEARN_TARGETS] = "targets", [LM_LEARN_CLASSES] = "classes", [LM_LEARN_TASKS] = "tasks"};
    const lm_scale *scale = &n->scale;
    put_text(j, "learns", LEARNED[lm_network_learned(n)]);
    put_text(j, "level", leman_level_name(n->level));
    put_count(j, "outputs", n->outputs);
    if (n->class_label)
        PUT_EACH(j, "classes", n->outputs, put(j, NULL, "%" PRId64, n->class_label[i]));
    else
        PUT_EACH(j, "columns", n->outputs, put_count(j, NULL, n->column[i]));
    if (n->name) PUT_EACH(j, "names", n->outputs, put_text(j, NULL, n->name[i] ? n->name[i] : ""));
    if (n->task_label) PUT_EACH(j, "task_classes", n->outputs, put_task(j, n->task_label + 2 * i));
    put_bool(j, "scaled", scale->count && scale->applied);
    PUT_EACH(j, "mean", scale->count, put_real(j, NULL, scale->mean[i]));
    PUT_EACH(j, "deviation", scale->count, put_real(j, NULL, scale->deviation[i]));
}

/* ---- Labels and types ------------------------------------------------------------------------ */

/* A key of an encoding as 64-bit words. */
static void put_key(json *j, const lm_intern *keys, size_t number)
{
    size_t bytes;
    const char *text = lm_intern_text(keys, number, &bytes);
    begin_array(j, NULL);
    for (size_t at = 0; at + sizeof(int64_t) <= bytes; at += sizeof(int64_t)) {
        int64_t word;
        memcpy(&word, text + at, sizeof word);
        put(j, NULL, "%" PRId64, word);
    }
    finish(j, "]");
}

/* "same", or [there, back]: the number of the edge's label, null if there is no edge. */
static void put_relation(json *j, const lm_type_relation *r)
{
    const uint32_t edge[2] = {r->there, r->back};
    if (r->same)
        put_text(j, NULL, "same");
    else
        PUT_EACH(j, NULL, 2, edge[i] ? put_count(j, NULL, edge[i] - 1) : put(j, NULL, "null"));
}

static void put_type(json *j, const lm_encoding *e, size_t type)
{
    const unsigned k = e->options.k;
    uint32_t label[LM_NETWORK_MAX_K];
    lm_type_relation relation[LM_NETWORK_MAX_K];
    lm_encoding_type(e, type, label, relation);
    begin_object(j);
    PUT_EACH(j, "labels", k, put_count(j, NULL, label[i]));
    PUT_EACH(j, "relations", k * (k - 1) / 2, put_relation(j, relation + i));
    finish(j, "}");
}

/* A type of sets: sorted labels, and whether the first and the last vertex are adjacent. */
static void put_set_type(json *j, const lm_encoding *e, size_t list, size_t type)
{
    const uint64_t labels = lm_intern_count(&e->label);
    const size_t members = lm_set_members(e->options.sets[list]);
    uint64_t word, digit[LM_SET_MEMBERS];
    size_t bytes;
    memcpy(&word, lm_intern_text(e->set_type + list, type, &bytes), sizeof word);
    for (size_t v = members; v-- > 0; word /= labels) digit[v] = word % labels;
    begin_object(j);
    PUT_EACH(j, "labels", members, put_count(j, NULL, digit[i]));
    put_bool(j, "adjacent", word != 0);
    finish(j, "}");
}

static void put_inputs(json *j, const lm_encoding *e)
{
    static const char *const INPUTS[] = {[LM_VERTEX_NOTHING] = "nothing",
                                         [LM_VERTEX_LABEL] = "label",
                                         [LM_VERTEX_DEGREE] = "degree",
                                         [LM_VERTEX_REAL_DEGREE] = "scaled degree",
                                         [LM_VERTEX_PARTS] = "labels and attributes"};
    const size_t attributes = e->columns.vertex_attributes + e->columns.edge_attributes;
    put_bool(j, "directed", e->directed);
    put_text(j, "vertex_input", INPUTS[e->vertex]);
    put_bool(j, "parts", e->options.parts);
    put_bool(j, "joined", e->options.joined);
    put_bool(j, "beside", e->options.beside);
    put_count(j, "vertex_attributes", e->columns.vertex_attributes);
    put_count(j, "edge_attributes", e->columns.edge_attributes);
    PUT_EACH(j, "attribute_mean", e->mean ? attributes : 0, put_real(j, NULL, e->mean[i]));
    PUT_EACH(j, "attribute_deviation", e->mean ? attributes : 0, put_real(j, NULL, e->deviation[i]));
    put_count(j, "degrees", e->degrees);
    put_real(j, "degree_mean", e->degree_mean);
    put_real(j, "degree_deviation", e->degree_deviation);
    put_count(j, "type_width", e->widths.types);
    put_count(j, "edge_label_width", e->widths.labels);
    put_count(j, "vertex_width", e->widths.vertex_reals);
    put_count(j, "arc_width", e->widths.arc_reals);
    put_count(j, "pair_width", e->widths.tuple_reals);
    PUT_EACH(j, "vertex_labels", lm_intern_count(&e->label), put_key(j, &e->label, i));
    PUT_EACH(j, "edge_labels", lm_intern_count(&e->edge_label), put_key(j, &e->edge_label, i));
    PUT_EACH(j, "types", e->options.k > 1 ? lm_intern_count(&e->type) : 0, put_type(j, e, i));
    begin_array(j, "set_types");
    for (size_t list = 0; list < LM_LISTS && e->options.sets[list] != LM_SETS_NONE; list++)
        PUT_EACH(j, NULL, lm_intern_count(e->set_type + list), put_set_type(j, e, list, i));
    finish(j, "]");
}

/* ---- What is computed ------------------------------------------------------------------------ */

/* The values or, if there is a program, the names of its weights that a step uses; null for one that is left out. */
static void put_used(json *j, const char *key, const uint32_t *number, size_t count, const lm_program *weights)
{
    while (count && number[count - 1] == LM_NONE) count--;
    begin_array(j, key);
    for (size_t i = 0; i < count; i++) {
        if (number[i] == LM_NONE)
            put(j, NULL, "null");
        else if (weights)
            put_text(j, NULL, lm_program_weight(weights, number[i])->name);
        else
            put_count(j, NULL, number[i]);
    }
    finish(j, "]");
}

static void put_step(json *j, const lm_program *p, const lm_step *s)
{
    static const char *const ACTIVATIONS[] = {[LM_IDENTITY] = "identity", [LM_RELU] = "relu", [LM_ELU] = "elu"};
    static const char *const NEIGHBORHOODS[] = {
        [LM_LEAVING] = "leaving", [LM_ENTERING] = "entering", [LM_OTHERS] = "others",
        [LM_ALL] = "all",         [LM_LINE] = "line",         [LM_OPPOSITE] = "opposite"};
    static const char *const INDEXES[] = {
        [LM_INDEX_TUPLE_TYPE] = "tuple type", [LM_INDEX_COUNT] = "count",      [LM_INDEX_VERTEX_TYPE] = "vertex type",
        [LM_INDEX_ARC_LABEL] = "arc label",   [LM_INDEX_LABEL] = "edge label", [LM_INDEX_LISTED_TYPE] = "set type"};
    begin_object(j);
    put_text(j, "operation", lm_operation_name(s->operation));
    put_used(j, "reads", s->input, LM_STEP_VALUES, NULL);
    put_used(j, "writes", s->output, LM_STEP_VALUES, NULL);
    put_used(j, "weights", s->weight, LM_STEP_WEIGHTS, p);
    put_text(j, "activation", ACTIVATIONS[s->activation]);
    if (s->operation == LM_OP_EMBED) put_text(j, "looks_up", INDEXES[s->index]);
    if (lm_operation_has(s->operation, LM_RULE_NEIGHBORHOOD)) put_text(j, "over", NEIGHBORHOODS[s->neighborhood]);
    put_count(j, "position", s->position);
    put_real(j, "rate", s->rate);
    finish(j, "}");
}

static void put_value(json *j, const lm_value *v)
{
    static const char *const SOURCES[] = {[LM_FROM_STEP] = "step",
                                          [LM_FROM_ZEROS] = "zeros",
                                          [LM_FROM_VERTEX_ATTRIBUTES] = "vertices",
                                          [LM_FROM_ARC_ATTRIBUTES] = "arcs",
                                          [LM_FROM_TUPLE_ATTRIBUTES] = "tuples",
                                          [LM_FROM_LISTED_ATTRIBUTES] = "sets0"};
    static const char *const SPACES[LM_ROW_SPACES] = {
        [LM_TUPLES] = "tuples",    [LM_VERTICES] = "vertices", [LM_ARCS] = "arcs",        [LM_LISTED] = "sets0",
        [LM_LISTED + 1] = "sets1", [LM_LINKS] = "links0",      [LM_LINKS + 1] = "links1", [LM_LABELS] = "edge labels",
        [LM_GRAPHS] = "graphs",    [LM_SINGLE] = "single"};
    _Static_assert(LM_LISTS == 2, "a name for every list");
    begin_object(j);
    put_text(j, "rows", SPACES[v->space]);
    put_count(j, "width", v->width);
    put_text(j, "from", SOURCES[v->source]);
    put_count(j, "columns_of", v->root);
    put_count(j, "column", v->column);
    finish(j, "}");
}

static void put_weight(json *j, const lm_weight *w)
{
    begin_object(j);
    put_text(j, "name", w->name);
    put_count(j, "rows", w->rows);
    put_count(j, "columns", w->columns);
    put_bool(j, "learned", w->trainable);
    finish(j, "}");
}

static void put_program(json *j, const lm_program *p)
{
    put_count(j, "prediction", p->prediction);
    PUT_EACH(j, "weights", p->weights.count, put_weight(j, lm_program_weight(p, (uint32_t)i)));
    PUT_EACH(j, "values", p->values.count, put_value(j, lm_program_value(p, (uint32_t)i)));
    PUT_EACH(j, "steps", p->steps.count, put_step(j, p, lm_program_step(p, i)));
}

static leman_status put_network(lm_zip *zip, const leman_network *n)
{
    json j = {.depth = 1};
    PASS(lm_zip_member(zip, "network.json", &j.out));
    lm_output_printf(j.out, "{\"format\": 1");
    put_text(&j, "program", leman_version());
    put_settings(&j, n);
    put_outputs(&j, n);
    put_inputs(&j, n->encoding);
    put_program(&j, n->program);
    PASS(lm_output_printf(j.out, "}\n"));
    return lm_zip_member_end(zip);
}

/* ---- The file -------------------------------------------------------------------------------- */

leman_status leman_network_export(leman_context *ctx, const leman_network *network, const char *path)
{
    const char *descr = sizeof(lm_real) == 4 ? LM_NPY_ORDER "f4" : LM_NPY_ORDER "f8";
    AUTO(lm_output_abort) lm_output out = {0};
    AUTO(lm_zip_free) lm_zip zip = {0};
    lm_output *member;
    REQUIRE(ctx, network, path);
    if (!lm_path_ends(path, ".npz"))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s: weights are written as .npz, expected that ending", path);
    PASS(lm_network_is_trained(ctx, network));
    PASS(lm_output_open(ctx, path, &out));
    lm_zip_begin(ctx, &out, &zip);
    for (uint32_t i = 0; i < network->program->weights.count; i++) {
        const lm_weight *w = lm_program_weight(network->program, i);
        const size_t shape[2] = {w->rows, w->columns};
        PASS(lm_npz_array(&zip, w->name, descr, 2, shape, network->weights + w->offset, sizeof(lm_real)));
    }
    if (network->order)
        PASS(lm_npz_array(&zip, "order", LM_NPY_ORDER "u4", 1, &network->graphs, network->order,
                          sizeof *network->order));
    PASS(lm_zip_member(&zip, LM_EXPORTED_NETWORK, &member));
    PASS(lm_network_save(network, member));
    PASS(lm_zip_member_end(&zip));
    PASS(put_network(&zip, network));
    PASS(lm_zip_end(&zip));
    return lm_output_commit(&out);
}
