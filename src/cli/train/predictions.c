/* leman predict with a checkpoint of leman train: classes with probabilities, or targets. */
#include "cli/models.h"
#include "cli/train/train.h"
#include <math.h>

typedef struct answers {
    leman_dataset *data;
    leman_network_shape shape;
    size_t graphs;
    double *output; /* [graphs][outputs] */
    double right;   /* percent, or the mean absolute error; NAN: the data does not tell */
} answers;

static size_t largest(const double *output, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (output[i] > output[best]) best = i;
    return best;
}

/* The class that was found for a graph. */
static int64_t class_of(const answers *a, size_t graph)
{
    return a->shape.class_label[largest(a->output + graph * a->shape.outputs, a->shape.outputs)];
}

/* How well it did, where the data knows better. */
static double rightness(const answers *a)
{
    const size_t columns = leman_dataset_shape(a->data)->columns->targets, outputs = a->shape.outputs;
    const int64_t *label = leman_dataset_classes(a->data);
    const double *target = leman_dataset_targets(a->data);
    double sum = 0;
    if (!a->graphs || (a->shape.class_label && !label)) return NAN;
    for (size_t t = 0; !a->shape.class_label && t < outputs; t++)
        if (a->shape.target[t] >= columns) return NAN;
    for (size_t g = 0; g < a->graphs; g++) {
        if (a->shape.class_label) sum += 100.0 * (class_of(a, g) == label[g]);
        for (size_t t = 0; !a->shape.class_label && t < outputs; t++)
            sum += fabs(a->output[g * outputs + t] - target[g * columns + a->shape.target[t]]) / (double)outputs;
    }
    return sum / (double)a->graphs;
}

static leman_status write_csv(lm_work *work, const answers *a)
{
    leman_status st = LEMAN_OK;
    const leman_network_shape *s = &a->shape;
    lm_output *out;
    TRY(lm_work_results(work, &out));
    lm_output_printf(out, "graph%s%s", leman_dataset_shape(a->data)->columns->graph_names ? ",name" : "",
                     s->class_label ? ",class" : "");
    for (size_t i = 0; i < s->outputs; i++)
        if (s->class_label)
            lm_output_printf(out, ",probability_%lld", (long long)s->class_label[i]);
        else
            lm_output_printf(out, ",target_%zu", s->target[i]);
    lm_output_write(out, "\n", 1);
    for (size_t g = 0; g < a->graphs; g++) {
        lm_answers_row(out, a->data, g);
        if (s->class_label) {
            lm_output_write(out, ",", 1);
            lm_output_integer(out, class_of(a, g));
        }
        for (size_t i = 0; i < s->outputs; i++) {
            lm_output_write(out, ",", 1);
            lm_output_real(out, a->output[g * s->outputs + i]);
        }
        TRY(lm_output_write(out, "\n", 1));
    }
done:
    return st;
}

static void predictions_json(lm_work *work, lm_json *json, const answers *a)
{
    json_t *list = lm_json_array(json, json->object, "predictions");
    const leman_network_shape *s = &a->shape;
    for (size_t g = 0; g < a->graphs; g++) {
        json_t *object = lm_json_object(json, list, NULL);
        lm_answers_object(work, json, object, a->data, g);
        if (s->class_label) lm_json_integer(json, object, "class", class_of(a, g));
        json_t *row = lm_json_array(json, object, s->class_label ? "probabilities" : "targets");
        for (size_t i = 0; i < s->outputs; i++) lm_json_real(json, row, NULL, a->output[g * s->outputs + i]);
    }
}

/* With --json and no file to write, the answers are in the object. */
static leman_status write_json(lm_work *work, const answers *a)
{
    leman_status st = LEMAN_OK;
    lm_json json = lm_json_new();
    const char *path = work->options->output;
    lm_json_text(&json, json.object, "output", path);
    lm_json_count(&json, json.object, "graphs", a->graphs);
    lm_json_real(&json, json.object, a->shape.class_label ? "accuracy" : "error", a->right);
    lm_network_json(&json, lm_json_object(&json, json.object, "model"), &a->shape);
    if (!path) predictions_json(work, &json, a);
    if (path) TRY(lm_work_finish(work)); /* the CSV */
    TRY(lm_output_open(work->ctx, "-", &work->out));
    TRY(lm_json_write(work->ctx, &json, &work->out));
done:
    lm_json_free(&json);
    return st;
}

leman_status lm_predict_by_network(lm_work *work, const char *path)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = work->ctx;
    leman_network *network = NULL;
    answers a = {0};
    size_t cells;
    char text[LM_NUMBER_TEXT];
    TRY(leman_network_read(ctx, path, &network));
    a.shape = leman_network_describe(network);
    TRY(lm_answers_read(work, a.shape.directed, &a.data));
    a.graphs = leman_dataset_shape(a.data)->graphs;
    if (!lm_multiply(a.graphs, a.shape.outputs, &cells)) cells = SIZE_MAX;
    NEW(ctx, a.output, cells);
    TRY(leman_network_predict(ctx, network, a.data, 0, a.output));
    a.right = rightness(&a);
    if (work->options->output || !work->options->json) TRY(write_csv(work, &a));
    if (work->options->json)
        TRY(write_json(work, &a));
    else if (!isnan(a.right))
        lm_work_tell(work,
                     a.shape.class_label ? "%s graphs; accuracy %.1f %% by the classes in the data"
                                         : "%s graphs; mean absolute error %.4g by the targets in the data",
                     lm_count_text(a.graphs, text), a.right);
done:
    lm_free(ctx, a.output);
    leman_dataset_free(a.data);
    leman_network_free(network);
    return st;
}
