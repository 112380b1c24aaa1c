/* leman info --features: the features of a model with the largest effects, as substructures of graphs. */
#include "base/drop.h"
#include "cli/commands.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { NAMES = 256 };

/* Returns the paper's name of the kernel of a feature. */
static const char *method_of(const leman_model_shape *shape, const leman_substructure *s, char text[NAMES])
{
    leman_kernels_paper_name(shape->kernel[s->feature.kernel], 1, text, NAMES);
    return text;
}

static void put_features(lm_json *json, json_t *list, const leman_model_shape *shape, const int64_t *class_label,
                         const leman_substructures *found, const leman_dataset *data)
{
    for (const leman_substructure *s = found->item; s < found->item + found->count; s++) {
        json_t *one = lm_json_object(json, list, NULL);
        char method[NAMES];
        size_t length;
        const char *name = leman_dataset_graph_name(data, s->example, &length);
        if (class_label) LM_PUT(json, one, KEY("class", *class_label));
        LM_PUT(json, one, KEY("substructure", s->text), MEMBER(s, weight), MEMBER(s, effect), MEMBER(s, graphs),
               KEY("method", method_of(shape, s, method)), KEY("round", s->feature.round),
               KEY_HEX("color", s->feature.key), MEMBER(s, example), KEY_TEXT("name", name, length),
               MEMBER(s, components));
        LM_PUT_EACH(json, one, "vertices", s->vertices, s->vertex[i]);
    }
}

static leman_status write_features(lm_work *work, const leman_model_shape *shape, const leman_substructures *found,
                                   const leman_dataset *data)
{
    lm_table t = {.ctx = work->ctx, .align = "rrrrrlll"};
    const bool sum = shape->kernels > 1;
    char method[NAMES];
    lm_output *out;
    LM_TABLE_ROW(&t, "weight", "effect", "round", "graphs", "example", "name", "substructure", sum ? "method" : "");
    for (size_t i = 0; i < found->count; i++) {
        const leman_substructure *s = found->item + i;
        size_t length;
        const char *name = leman_dataset_graph_name(data, s->example, &length);
        LM_TABLE_ROW(&t, FORMAT("%+.3g", s->weight), FORMAT("%.3g", s->effect), FORMAT("%u", s->feature.round),
                     COUNT_TEXT(s->graphs), FORMAT("%zu", s->example), FORMAT("%.*s", (int)length, name), s->text,
                     sum ? method_of(shape, s, method) : "");
    }
    PASS(lm_work_results(work, &out));
    return lm_table_write(&t, out);
}

/* Writes what the features of a class add to: "Effects on the score of class 1 (active)". */
static leman_status write_title(lm_work *work, const leman_model_shape *shape, const char *task, size_t class_number)
{
    lm_output *out;
    PASS(lm_work_results(work, &out));
    if (task)
        lm_output_printf(out, "\n%s: effects on ", task);
    else
        lm_output_printf(out, "\nEffects on ");
    if (shape->regression) return lm_output_printf(out, "the value\n\n");
    const char *word = shape->class_name ? shape->class_name[class_number] : "";
    return lm_output_printf(out, "the score of class %" PRId64 "%s%s%s\n\n", shape->class_label[class_number],
                            *word ? " (" : "", word, *word ? ")" : "");
}

leman_status lm_info_features(lm_work *work, const leman_model *model, const char *task, const leman_dataset *data,
                              size_t most, json_t *parent)
{
    const leman_model_shape *shape = leman_model_describe(model);
    const bool classes = !shape->regression, json = work->options->json;
    json_t *list = json ? lm_json_array(&work->json, parent, "features") : NULL;
    for (size_t c = shape->classes == 2; c < (classes ? shape->classes : 1); c++) {
        AUTO(leman_substructures_drop) leman_substructures *found = NULL;
        PASS(leman_model_substructures(work->ctx, model, data, c, most, &found));
        if (json) {
            put_features(&work->json, list, shape, classes ? shape->class_label + c : NULL, found, data);
            continue;
        }
        PASS(write_title(work, shape, task, c));
        PASS(write_features(work, shape, found, data));
    }
    return LEMAN_OK;
}
