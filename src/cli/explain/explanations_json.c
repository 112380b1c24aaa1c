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
    json_t *list = lm_json_array(json, object, "support_graphs");
    for (size_t i = 0; i < a->supports; i++) {
        const leman_support *s = a->support + i;
        LM_PUT(json, lm_json_object(json, list, NULL), KEY("graph", s->graph), KEY("name", *s->name ? s->name : NULL),
               KEY_IF(s->class_label != LEMAN_CLASS_MISSING, "class", s->class_label), KEY("similarity", s->similarity),
               KEY("contribution", s->contribution), KEY("share", s->share));
    }
}

static void put_output(lm_json *json, json_t *object, const leman_attribution *a)
{
    LM_PUT(json, object, KEY("column", *a->column ? a->column : NULL));
    if (a->label == LEMAN_CLASS_MISSING) return;
    const char *number = FORMAT("%lld", (long long)a->label);
    LM_PUT(json, object, strcmp(number, a->name) ? KEY("class", a->name) : KEY("class", a->label),
           KEY("probability", a->probability));
}

static void put_one(lm_json *json, json_t *list, const lm_explained_list *e, size_t i)
{
    const leman_attribution *a = e->item[i];
    size_t length;
    const char *name = leman_dataset_graph_name(e->data, a->graph, &length);
    json_t *object = lm_json_object(json, list, NULL);
    LM_PUT(json, object, KEY("graph", a->graph), KEY_TEXT("name", name, length));
    put_output(json, object, a);
    LM_PUT(json, object, KEY("method", leman_attribution_method_name(a->method)), KEY("score", a->score),
           KEY("bias", a->bias), KEY("rest", a->rest), KEY("bond_rest", a->edge_rest));
    put_atoms(json, object, e->data, a);
    put_supports(json, object, a);
}

leman_status lm_explanations_json(lm_work *work, const lm_explained_list *e, lm_output *out)
{
    leman_status st = LEMAN_OK;
    lm_json json = lm_json_new();
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
    TRY(lm_json_write(work->ctx, &json, out));
done:
    lm_json_free(&json);
    return st;
}
