/* leman predict with a checkpoint of leman train: classes with probabilities, or targets. */
#include "cli/models.h"
#include "cli/train/train.h"
#include <math.h>

typedef struct predictions {
    leman_dataset *data;
    const leman_network_shape *shape;
    size_t graphs;
    double *output;         /* [graphs][outputs] */
    lm_judgement judgement; /* by the labels of the data */
} predictions;

static size_t largest(const double *output, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (output[i] > output[best]) best = i;
    return best;
}

/* The predicted class of a graph. */
static int64_t class_of(const predictions *p, size_t graph)
{
    return p->shape->class_label[largest(p->output + graph * p->shape->outputs, p->shape->outputs)];
}

/* Accuracy or error by the labels of the data. */
static double score_of(const predictions *p)
{
    const size_t columns = leman_dataset_shape(p->data)->columns->targets, outputs = p->shape->outputs;
    const int64_t *label = leman_dataset_classes(p->data);
    const double *target = leman_dataset_targets(p->data);
    double sum = 0;
    if (!p->graphs || (p->shape->class_label && !label)) return NAN;
    for (size_t t = 0; !p->shape->class_label && t < outputs; t++)
        if (p->shape->target[t] >= columns) return NAN;
    for (size_t g = 0; g < p->graphs; g++) {
        if (p->shape->class_label) sum += 100.0 * (class_of(p, g) == label[g]);
        for (size_t t = 0; !p->shape->class_label && t < outputs; t++)
            sum += fabs(p->output[g * outputs + t] - target[g * columns + p->shape->target[t]]) / (double)outputs;
    }
    return sum / (double)p->graphs;
}

static leman_status write_csv(lm_work *work, const predictions *p)
{
    leman_status st = LEMAN_OK;
    const leman_network_shape *s = p->shape;
    lm_output *out;
    TRY(lm_work_results(work, &out));
    lm_output_printf(out, "graph%s%s", leman_dataset_shape(p->data)->columns->graph_names ? ",name" : "",
                     s->class_label ? ",class" : "");
    for (size_t i = 0; i < s->outputs; i++)
        if (s->class_label)
            lm_output_printf(out, ",probability_%lld", (long long)s->class_label[i]);
        else
            lm_output_printf(out, ",target_%zu", s->target[i]);
    lm_output_write(out, "\n", 1);
    for (size_t g = 0; g < p->graphs; g++) {
        lm_prediction_row(out, p->data, g);
        if (s->class_label) {
            lm_output_write(out, ",", 1);
            lm_output_integer(out, class_of(p, g));
        }
        for (size_t i = 0; i < s->outputs; i++) {
            lm_output_write(out, ",", 1);
            lm_output_real(out, p->output[g * s->outputs + i]);
        }
        TRY(lm_output_write(out, "\n", 1));
    }
done:
    return st;
}

static void predictions_json(lm_work *work, lm_json *json, const predictions *p)
{
    json_t *list = lm_json_array(json, json->object, "predictions");
    const leman_network_shape *s = p->shape;
    for (size_t g = 0; g < p->graphs; g++) {
        json_t *object = lm_json_object(json, list, NULL);
        lm_prediction_json(work, json, object, p->data, g);
        if (s->class_label) lm_json_integer(json, object, "class", class_of(p, g));
        json_t *row = lm_json_array(json, object, s->class_label ? "probabilities" : "targets");
        for (size_t i = 0; i < s->outputs; i++) lm_json_real(json, row, NULL, p->output[g * s->outputs + i]);
    }
}

/* With --json and no file to write, the predictions are in the object. */
static leman_status write_json(lm_work *work, const predictions *p)
{
    leman_status st = LEMAN_OK;
    lm_json json = lm_json_new();
    const char *path = work->options->output;
    lm_json_text(&json, json.object, "output", path);
    lm_json_count(&json, json.object, "graphs", p->graphs);
    lm_judgement_json(&json, json.object, p->shape->class_label, &p->judgement);
    lm_network_json(&json, lm_json_object(&json, json.object, "model"), p->shape);
    if (!path) predictions_json(work, &json, p);
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
    predictions p = {0};
    size_t cells;
    TRY(leman_network_read(ctx, path, &network));
    p.shape = leman_network_describe(network);
    TRY(lm_predict_data_read(work, p.shape->directed, &p.data));
    p.graphs = leman_dataset_shape(p.data)->graphs;
    if (!lm_multiply(p.graphs, p.shape->outputs, &cells)) cells = SIZE_MAX;
    NEW(ctx, p.output, cells);
    TRY(leman_network_predict(ctx, network, p.data, 0, p.output));
    p.judgement.score = score_of(&p);
    TRY(lm_judge(ctx, p.data, p.shape->target, p.shape->outputs, &p.judgement));
    if (work->options->output || !work->options->json) TRY(write_csv(work, &p));
    if (work->options->json)
        TRY(write_json(work, &p));
    else
        lm_judgement_log(work, p.graphs, p.shape->class_label, &p.judgement);
done:
    lm_free(ctx, p.output);
    leman_dataset_free(p.data);
    leman_network_free(network);
    return st;
}
