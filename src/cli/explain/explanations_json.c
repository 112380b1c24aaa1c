/* Explained predictions as one JSON object: the model, then an entry for each graph and class, target or task. */
#include "cli/explain/explanations_json.h"
#include "cli/models.h"
#include "cli/train/train.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static void put_atoms(lm_json *json, json_t *object, const leman_dataset *data, const leman_attribution *a)
{
    const leman_graph g = leman_dataset_graph(data, a->graph);
    const bool molecule = leman_graph_is_molecule(&g);
    json_t *atoms = lm_json_array(json, object, "atoms");
    for (size_t v = 0; v < g.vertices; v++) {
        const int64_t label = g.vertex_labels ? g.vertex_label[v * g.vertex_labels] : 0;
        char symbol[LM_NUMBER_TEXT];
        if (molecule && leman_atom_symbol(label, symbol, sizeof symbol))
            lm_json_text(json, atoms, NULL, symbol);
        else if (g.vertex_labels)
            lm_json_integer(json, atoms, NULL, label);
        else
            lm_json_null(json, atoms, NULL);
    }
    json_t *list = lm_json_array(json, object, "atom_contributions");
    for (size_t v = 0; v < a->vertices; v++) lm_json_real(json, list, NULL, a->vertex[v]);
    json_t *bonds = lm_json_array(json, object, "bonds");
    for (size_t e = 0; e < a->edges; e++) {
        json_t *ends = lm_json_array(json, bonds, NULL);
        for (size_t i = 0; i < 2; i++) lm_json_count(json, ends, NULL, a->end[2 * e + i]);
    }
    list = lm_json_array(json, object, "bond_contributions");
    for (size_t e = 0; e < a->edges; e++) lm_json_real(json, list, NULL, a->edge[e]);
}

static void put_supports(lm_json *json, json_t *object, const leman_attribution *a)
{
    if (!a->all_supports) return;
    lm_json_count(json, object, "all_support_graphs", a->all_supports);
    json_t *list = lm_json_array(json, object, "support_graphs");
    for (size_t i = 0; i < a->supports; i++) {
        const leman_support *s = a->support + i;
        json_t *one = lm_json_object(json, list, NULL);
        lm_json_count(json, one, "graph", s->graph);
        lm_json_text(json, one, "name", *s->name ? s->name : NULL);
        if (s->class_label == LEMAN_CLASS_MISSING)
            lm_json_null(json, one, "class");
        else
            lm_json_integer(json, one, "class", s->class_label);
        lm_json_real(json, one, "similarity", s->similarity);
        lm_json_real(json, one, "contribution", s->contribution);
        lm_json_real(json, one, "share", s->share);
    }
}

static void put_output(lm_json *json, json_t *object, const leman_attribution *a)
{
    char number[24];
    lm_json_text(json, object, "column", *a->column ? a->column : NULL);
    if (a->label == LEMAN_CLASS_MISSING) return;
    snprintf(number, sizeof number, "%lld", (long long)a->label);
    if (strcmp(number, a->name) != 0)
        lm_json_text(json, object, "class", a->name);
    else
        lm_json_integer(json, object, "class", a->label);
    lm_json_real(json, object, "probability", a->probability);
}

static void put_one(lm_json *json, json_t *list, const lm_explained_list *e, size_t i)
{
    const leman_attribution *a = e->item[i];
    size_t length;
    const char *name = leman_dataset_graph_name(e->data, a->graph, &length);
    json_t *object = lm_json_object(json, list, NULL);
    lm_json_count(json, object, "graph", a->graph);
    if (length)
        lm_json_bytes(json, object, "name", name, length);
    else
        lm_json_null(json, object, "name");
    put_output(json, object, a);
    lm_json_text(json, object, "method", leman_attribution_method_name(a->method));
    lm_json_real(json, object, "score", a->score);
    lm_json_real(json, object, "bias", a->bias);
    lm_json_real(json, object, "rest", a->rest);
    lm_json_real(json, object, "bond_rest", a->edge_rest);
    put_atoms(json, object, e->data, a);
    put_supports(json, object, a);
}

leman_status lm_explanations_json(lm_work *work, const lm_explained_list *e, lm_output *out)
{
    leman_status st = LEMAN_OK;
    lm_json json = lm_json_new();
    const lm_predictor *p = e->predictor;
    lm_json_count(&json, json.object, "graphs", leman_dataset_shape(e->data)->graphs);
    const bool value = isnan(e->item[0]->probability);
    lm_json_text(&json, json.object, "explains", value ? "value" : p->network ? "log odds" : "decision value");
    if (p->network) {
        lm_network_json(&json, lm_json_object(&json, json.object, "model"), leman_network_describe(p->network));
    } else if (p->models == 1) {
        lm_model_json(&json, json.object, leman_model_describe(p->model[0]));
    }
    json_t *list = lm_json_array(&json, json.object, "explanations");
    for (size_t i = 0; i < e->count; i++) put_one(&json, list, e, i);
    TRY(lm_json_write(work->ctx, &json, out));
done:
    lm_json_free(&json);
    return st;
}
