/* Explained predictions: selects graphs and classes or tasks, computes attributions, and writes one of three kinds of
 * files. */
#include "cli/explain/explanations.h"
#include "base/drop.h"
#include "cli/models.h"
#include "cli/train/train.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const LM_EXPLAIN_ENDINGS[] = {".html", ".htm", ".svg", ".json", NULL};

const char *const LM_EXPLAIN_METHODS[] = {"auto", "weights", "leave-one-out", NULL};

/* The explanations item[count] of graphs of data. */
typedef struct explained_list {
    const leman_dataset *data;
    const lm_predictor *predictor;
    leman_attribution **item;
    size_t count;
    leman_drawing_options drawing;
} explained_list;

static void explained_free(explained_list *e)
{
    for (size_t i = 0; e->item && i < e->count; i++) leman_attribution_free(e->item[i]);
}

enum { PAGE_GRAPHS = 100, PAGE_MAX = 2000, PICTURES = 12, PICTURES_MAX = 200, SUPPORTS = 5 };

/* ---- Which graphs ---------------------------------------------------------------------------- */

/* Limits of a kind of file: number of graphs if none are named, and the most explanations; 0: no limit. */
static void limits_of(const char *path, size_t *usual, size_t *max, const char **what)
{
    const bool svg = lm_path_ends(path, ".svg"), json = lm_path_ends(path, ".json");
    *usual = json ? 0 : svg ? PICTURES : PAGE_GRAPHS;
    *max = json ? 0 : svg ? PICTURES_MAX : PAGE_MAX;
    *what = json ? "file" : svg ? "picture" : "page";
}

/* Lists the graphs to explain. Every graph is explained `outputs` times. */
static leman_status choose_graphs(lm_work *work, const lm_explain_options *options, size_t graphs, size_t outputs,
                                  size_t **list, size_t *count)
{
    const lm_range *range = options->graphs.range.items;
    size_t usual, max;
    const char *what;
    limits_of(options->file, &usual, &max, &what);
    for (size_t i = 0; i < options->graphs.range.count; i++)
        if (range[i].last >= graphs)
            return MISUSE(work->ctx,
                          "option '--explain-graphs': found graph %llu, expected numbers from 0 and below %zu",
                          (unsigned long long)range[i].last, graphs);
    PASS(lm_ranges_list(work->ctx, "--explain-graphs", &options->graphs, SIZE_MAX, list, count));
    if (max && *count * outputs > max)
        return MISUSE(
            work->ctx,
            "option '--explain-graphs': found %zu explanations, expected at most %zu in one %s; FILE.json takes all "
            "of them",
            *count * outputs, max, what);
    if (*count) return LEMAN_OK;
    const size_t most = !usual ? graphs : (usual + outputs - 1) / outputs;
    *count = graphs < most ? graphs : most;
    PASS_SCRATCH(work->ctx, *list, *count);
    for (size_t g = 0; g < *count; g++) (*list)[g] = g;
    if (*count < graphs)
        lm_work_log(work,
                    "%s: explains the first %zu of %zu graph%s; --explain-graphs chooses others, FILE.json has all",
                    options->file, *count, graphs, lm_plural(graphs));
    return LEMAN_OK;
}

/* ---- Which class ----------------------------------------------------------------------------- */

/* Finds the class that was asked for by label or name. word may be NULL. */
static leman_status find_class(leman_context *ctx, const char *text, const int64_t *label, const char *const *word,
                               size_t classes, size_t *out)
{
    if (!label)
        return MISUSE(ctx,
                      "option '--explain-class' has no effect here: the model does not predict one of several classes");
    for (size_t c = 0; c < classes; c++) {
        if (!strcmp(text, word && *word[c] ? word[c] : FORMAT("%lld", (long long)label[c]))) {
            *out = c;
            return LEMAN_OK;
        }
    }
    return MISUSE(ctx, "option '--explain-class': found '%s', expected a class of the model, such as %s", text,
                  word && *word[0] ? word[0] : FORMAT("%lld", (long long)label[0]));
}

static leman_status choose_class(leman_context *ctx, const lm_explain_options *options, const lm_predictor *p,
                                 size_t *out)
{
    *out = LEMAN_CLASS_PREDICTED;
    if (!options->class_name) return LEMAN_OK;
    if (p->network) {
        const leman_network_shape *shape = leman_network_describe(p->network);
        return find_class(ctx, options->class_name, shape->class_label, shape->class_name, shape->outputs, out);
    }
    const leman_model_shape *shape = leman_model_describe(p->model[0]);
    const bool classes = p->models == 1 && !shape->regression;
    return find_class(ctx, options->class_name, classes ? shape->class_label : NULL, shape->class_name, shape->classes,
                      out);
}

/* ---- Attributions ---------------------------------------------------------------------------- */

/* Returns how many explanations each graph gets. */
static size_t outputs_of(const lm_predictor *p)
{
    if (!p->network) return p->models;
    const leman_network_shape *shape = leman_network_describe(p->network);
    return shape->class_label ? 1 : shape->outputs;
}

static leman_status attribute(lm_work *work, const lm_predictor *p, const leman_dataset *data, const size_t *graph,
                              size_t count, size_t class_number, leman_attribution_method method,
                              leman_attribution **out)
{
    const size_t outputs = outputs_of(p);
    for (size_t i = 0; i < count; i++)
        for (size_t o = 0; o < outputs; o++, out++) {
            if (p->network)
                PASS(leman_predictor_attribute(work->ctx, p->running, data, graph[i],
                                               leman_network_describe(p->network)->class_label ? class_number : o,
                                               out));
            else
                PASS(leman_model_attribute(work->ctx, p->model[o], data, graph[i], p->models > 1 ? 1 : class_number,
                                           method, SUPPORTS, out));
        }
    return LEMAN_OK;
}

/* ---- JSON: the model, then an entry for each graph and class, target or task ------------------ */

static void put_atoms(lm_json *json, json_t *object, const leman_dataset *data, const leman_attribution *a)
{
    const leman_graph g = leman_dataset_graph(data, a->graph);
    const bool molecule = leman_graph_is_molecule(&g);
    json_t *atoms = lm_json_array(json, object, "atoms");
    for (size_t v = 0; v < g.vertices; v++) {
        const int64_t label = g.vertex_labels ? g.vertex_label[v * g.vertex_labels] : 0;
        char symbol[LM_NUMBER_TEXT];
        if (molecule && leman_atom_symbol(label, symbol, sizeof symbol))
            LM_PUT(json, atoms, KEY(NULL, symbol));
        else
            LM_PUT(json, atoms, KEY_IF(g.vertex_labels, NULL, label));
    }
    LM_PUT_EACH(json, object, "atom_contributions", a->vertices, a->vertex[i]);
    json_t *bonds = lm_json_array(json, object, "bonds");
    for (size_t e = 0; e < a->edges; e++) LM_PUT_EACH(json, bonds, NULL, 2, a->end[2 * e + i]);
    LM_PUT_EACH(json, object, "bond_contributions", a->edges, a->edge[i]);
}

static void put_supports(lm_json *json, json_t *object, const leman_attribution *a)
{
    if (!a->all_supports) return;
    LM_PUT(json, object, KEY("all_support_graphs", a->all_supports));
    LM_PUT_ROWS(json, object, "support_graphs", s, a->support, a->supports, MEMBER(s, graph),
                KEY("name", *s->name ? s->name : NULL),
                KEY_IF(s->class_label != LEMAN_CLASS_MISSING, "class", s->class_label), MEMBER(s, similarity),
                MEMBER(s, contribution), MEMBER(s, share));
}

static void put_output(lm_json *json, json_t *object, const leman_attribution *a)
{
    LM_PUT(json, object, KEY("column", *a->column ? a->column : NULL));
    if (a->label == LEMAN_CLASS_MISSING) return;
    const char *number = FORMAT("%lld", (long long)a->label);
    LM_PUT(json, object, strcmp(number, a->name) ? KEY("class", a->name) : KEY("class", a->label),
           MEMBER(a, probability));
}

static void put_one(lm_json *json, json_t *list, const explained_list *e, size_t i)
{
    const leman_attribution *a = e->item[i];
    size_t length;
    const char *name = leman_dataset_graph_name(e->data, a->graph, &length);
    json_t *object = lm_json_object(json, list, NULL);
    LM_PUT(json, object, MEMBER(a, graph), KEY_TEXT("name", name, length));
    put_output(json, object, a);
    LM_PUT(json, object, KEY("method", leman_attribution_method_name(a->method)), MEMBER(a, score), MEMBER(a, bias),
           KEY_IF(a->method == LEMAN_ATTRIBUTION_METHOD_WEIGHTS, "centered", a->centered), MEMBER(a, rest),
           KEY("bond_rest", a->edge_rest), MEMBER(a, similarity), MEMBER(a, domain));
    put_atoms(json, object, e->data, a);
    put_supports(json, object, a);
}

static leman_status write_json(lm_work *work, const explained_list *e, lm_output *out)
{
    AUTO(lm_json_free) lm_json json = lm_json_new();
    const lm_predictor *p = e->predictor;
    LM_PUT(&json, json.object, KEY("graphs", leman_dataset_shape(e->data)->graphs));
    const bool value = isnan(e->item[0]->probability);
    LM_PUT(&json, json.object, KEY("explains", value ? "value" : p->network ? "log odds" : "decision value"));
    if (p->network) {
        lm_network_json(&json, lm_json_object(&json, json.object, "model"), leman_network_describe(p->network));
    } else if (p->models == 1) {
        lm_model_json(&json, json.object, leman_model_describe(p->model[0]));
    }
    json_t *list = lm_json_array(&json, json.object, "explanations");
    for (size_t i = 0; i < e->count; i++) put_one(&json, list, e, i);
    return lm_json_write(work->ctx, &json, out);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static void predictor_text(const lm_predictor *p, char *text, size_t size)
{
    char name[128], model[160];
    if (p->network) {
        leman_architecture_paper_name(leman_network_describe(p->network)->architecture, name, sizeof name);
        snprintf(text, size, "a %s network", name);
        return;
    }
    const leman_model_shape *shape = leman_model_describe(p->model[0]);
    leman_kernels_paper_name(shape->kernel[0], 1, name, sizeof name);
    snprintf(text, size, "%s%s: %s", name, shape->kernels > 1 ? " and others" : "",
             lm_model_text(shape, model, sizeof model));
}

static leman_status write_page(lm_work *work, const lm_explain_options *options, const explained_list *e,
                               const leman_dataset *training)
{
    char *line, text[256];
    PASS(lm_command_line(work, &line));
    predictor_text(e->predictor, text, sizeof text);
    return leman_attribution_page_write(work->ctx, e->data, (const leman_attribution *const *)e->item, e->count, text,
                                        training, &e->drawing, line, options->file);
}

static leman_status write_text(lm_work *work, const char *path, const explained_list *e)
{
    AUTO(lm_output_abort) lm_output out = {0};
    AUTO(leman_explanation_drop) leman_explanation *svg = NULL;
    PASS(lm_output_open(work->ctx, path, &out));
    if (lm_path_ends(path, ".json")) {
        PASS(write_json(work, e, &out));
    } else {
        PASS(leman_attribution_draw(work->ctx, e->data, (const leman_attribution *const *)e->item, e->count,
                                    &e->drawing, &svg));
        PASS(lm_output_write(&out, svg->text, svg->length));
    }
    return lm_output_commit(&out);
}

/* Reads the training data if it was named. Fails if its number of graphs is not that of the model's data. */
static leman_status read_training(lm_work *work, const lm_explain_options *options, const lm_predictor *p,
                                  leman_dataset **out)
{
    if (!options->training) return LEMAN_OK;
    if (p->network || !leman_model_describe(p->model[0])->supports)
        return MISUSE(work->ctx, "option '--training-data' has no effect here: the model has no support graphs");
    PASS(lm_work_read(work, options->training, NULL, out));
    const leman_model_shape *shape = leman_model_describe(p->model[0]);
    if (leman_dataset_shape(*out)->graphs != shape->data_graphs)
        return lm_fail(work->ctx, LEMAN_ERROR_INPUT,
                       "%s: found %zu graph%s, expected the %zu that the model was fitted on", options->training,
                       leman_dataset_shape(*out)->graphs, lm_plural(leman_dataset_shape(*out)->graphs),
                       shape->data_graphs);
    return LEMAN_OK;
}

leman_status lm_explanations_check(leman_context *ctx, const lm_explain_options *options)
{
    if (options->transparent && !lm_path_ends(options->file, ".svg"))
        return MISUSE(ctx, "option '--transparent' has no effect here: %s is no picture, FILE.svg", options->file);
    if (options->atom_numbers && lm_path_ends(options->file, ".json"))
        return MISUSE(ctx, "option '--atom-numbers' has no effect here: %s has no pictures", options->file);
    return LEMAN_OK;
}

/* Finds the SMILES of every graph as its row has it; leaves *smiles NULL if there are no rows. */
static leman_status find_smiles(leman_context *ctx, const leman_dataset *data, const leman_rows *rows,
                                const char *const **smiles)
{
    const char **text;
    const size_t graphs = leman_dataset_shape(data)->graphs;
    if (!leman_rows_count(rows)) return LEMAN_OK;
    PASS_SCRATCH_ZERO(ctx, text, graphs + 1);
    for (size_t i = 0; i < leman_rows_count(rows); i++) {
        const leman_row row = leman_rows_get(rows, i);
        if (row.graph < graphs) text[row.graph] = row.smiles;
    }
    *smiles = text;
    return LEMAN_OK;
}

leman_status lm_explanations_write(lm_work *work, const lm_explain_options *options, const lm_predictor *predictor,
                                   const leman_dataset *data, const leman_rows *rows)
{
    leman_context *ctx = work->ctx;
    AUTO(leman_dataset_drop) leman_dataset *training = NULL;
    AUTO(explained_free)
    explained_list e = {.data = data, .predictor = predictor, .drawing = leman_drawing_options_default()};
    size_t class_number, *graph, graphs;
    leman_attribution_method method = LEMAN_ATTRIBUTION_METHOD_AUTO;
    if (!options->file) return LEMAN_OK;
    if (options->method) PASS(leman_attribution_method_parse(ctx, options->method, &method));
    if (predictor->network && method == LEMAN_ATTRIBUTION_METHOD_WEIGHTS)
        return MISUSE(ctx, "option '--explain-method': found 'weights', expected leave-one-out for a network");
    e.drawing.atom_numbers = options->atom_numbers;
    e.drawing.transparent = options->transparent;
    PASS(find_smiles(ctx, data, rows, &e.drawing.smiles));
    PASS(choose_class(ctx, options, predictor, &class_number));
    PASS(read_training(work, options, predictor, &training));
    PASS(choose_graphs(work, options, leman_dataset_shape(data)->graphs, outputs_of(predictor), &graph, &graphs));
    if (!graphs) return lm_fail(ctx, LEMAN_ERROR_INPUT, "found no graphs, expected at least one to explain");
    e.count = graphs * outputs_of(predictor);
    PASS_SCRATCH_ZERO(ctx, e.item, e.count);
    PASS(attribute(work, predictor, data, graph, graphs, class_number, method, e.item));
    PASS(lm_path_ends(options->file, ".json") || lm_path_ends(options->file, ".svg")
             ? write_text(work, options->file, &e)
             : write_page(work, options, &e, training));
    lm_work_log(work, "%s: wrote %zu explained prediction%s", options->file, e.count, lm_plural(e.count));
    return LEMAN_OK;
}
