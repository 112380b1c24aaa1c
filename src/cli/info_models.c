/* leman info for models and checkpoints: describes them and how they were made, as text or JSON. */
#include "base/drop.h"
#include "cli/commands.h"
#include "cli/models.h"
#include "cli/train/train.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { NAMES = 256 };

/* Adds a row of two cells. */
#define ROW(table, what, ...) (lm_table_cell(table, "%s", what), lm_table_cell(table, __VA_ARGS__))

/* ---- Words ----------------------------------------------------------------------------------- */

/* Writes "2: 0 (inactive), 1 (active)", as many classes as fit. */
static void describe_classes(size_t count, const int64_t *label, const char *const *name, char *text, size_t size)
{
    enum { SHOWN = 8 };
    lm_joined list = lm_joined_begin(text, size);
    lm_joined_add(&list, "%zu: ", count);
    for (size_t c = 0; c < count && c < SHOWN; c++) {
        lm_joined_add(&list, "%s%" PRId64, c ? ", " : "", label[c]);
        if (name && *name[c]) lm_joined_add(&list, " (%.24s)", name[c]);
    }
    if (count > SHOWN) lm_joined_add(&list, ", ...");
}

/* Writes "accuracy 84.3 %", or "mae 0.124". */
static const char *describe_score(leman_score by, double score, char *text, size_t size)
{
    const bool error = by == LEMAN_SCORE_MAE;
    snprintf(text, size, "%s %s%s", leman_score_name(by), SCORE_TEXT(score, error ? LM_SIGNIFICANT : 1),
             error || isnan(score) ? "" : " %");
    return text;
}

static void describe_method(const leman_model_shape *s, char *text, size_t size)
{
    lm_joined list = lm_joined_begin(text, size);
    if (!s->kernels) lm_joined_add(&list, "features of a file");
    for (size_t i = 0; i < s->kernels; i++) {
        char name[NAMES];
        leman_kernels_paper_name(s->kernel[i], 1, name, sizeof name);
        lm_joined_add(&list, "%s%s", i ? " + " : "", name);
    }
}

/* Adds a row that says how the graphs were read, if they are molecules or the policy was not the default. */
static void add_reading(lm_table *t, uint64_t reading)
{
    char text[NAMES];
    if (leman_reading_text(reading, text, sizeof text))
        ROW(t, "read with", "%s%s", text, reading & LEMAN_READING_ASSUMED ? " if they are molecules (assumed)" : "");
}

/* Describes the labels that a model uses. */
static void describe_labels(const leman_model_shape *s, char *text, size_t size)
{
    if (!s->vertex_labels && !s->edge_labels)
        snprintf(text, size, "none");
    else
        snprintf(text, size, "%zu column%s of vertex labels, %zu of edge labels", s->vertex_labels,
                 lm_plural(s->vertex_labels), s->edge_labels);
}

/* ---- Models ---------------------------------------------------------------------------------- */

static leman_status write_model(leman_context *ctx, const leman_model_shape *s, lm_output *out)
{
    lm_table t = {.ctx = ctx, .align = "ll"};
    char text[NAMES];
    describe_method(s, text, sizeof text);
    ROW(&t, "method", "%s%s", text, s->apex ? ", with a marked vertex in every graph" : "");
    ROW(&t, "machine", "%s SVM%s", leman_svm_name(s->svm), s->regression ? ", regression" : "");
    if (lm_model_has_rounds(s)) ROW(&t, "rounds", "%u", s->rounds);
    ROW(&t, "C", "%g", s->C);
    if (s->regression) {
        ROW(&t, "predicts", "target %zu%s%s%s", s->target, s->target_name ? " (" : "",
            s->target_name ? s->target_name : "", s->target_name ? ")" : "");
    } else {
        if (s->target_name) ROW(&t, "predicts", "%s", s->target_name);
        describe_classes(s->classes, s->class_label, s->class_name, text, sizeof text);
        ROW(&t, "classes", "%s", text);
    }
    ROW(&t, "score", "%s, by %zu-fold cross-validation", describe_score(s->selected_by, s->score, text, sizeof text),
        s->folds);
    ROW(&t, "features", "%s", COUNT_TEXT(s->features));
    if (s->supports) ROW(&t, "support graphs", "%s", COUNT_TEXT(s->supports));
    if (s->kernels) {
        ROW(&t, "fitted on", "%s, %s %s graph%s", s->data_name, COUNT_TEXT(s->data_graphs),
            s->directed ? "directed" : "undirected", lm_plural(s->data_graphs));
        describe_labels(s, text, sizeof text);
        ROW(&t, "labels", "%s", text);
    } else {
        ROW(&t, "fitted on", "%s, %s row%s", s->data_name, COUNT_TEXT(s->data_graphs), lm_plural(s->data_graphs));
    }
    add_reading(&t, s->reading);
    ROW(&t, "checksum", "%016" PRIx64 ", seed %" PRIu64, s->data_checksum, s->seed);
    return lm_table_write(&t, out);
}

static leman_status write_tasks(leman_context *ctx, leman_model *const *models, size_t count, lm_output *out)
{
    lm_table t = {.ctx = ctx, .align = "llrrrr"};
    char classes[NAMES], score[NAMES];
    LM_TABLE_ROW(&t, "task", "classes", "rounds", "C", "score", "features");
    for (size_t i = 0; i < count; i++) {
        const leman_model_shape *s = leman_model_describe(models[i]);
        if (s->regression)
            snprintf(classes, sizeof classes, "target %zu", s->target);
        else
            describe_classes(s->classes, s->class_label, s->class_name, classes, sizeof classes);
        LM_TABLE_ROW(&t, s->target_name, classes, lm_model_has_rounds(s) ? FORMAT("%u", s->rounds) : "-",
                     FORMAT("%g", s->C), describe_score(s->selected_by, s->score, score, sizeof score),
                     COUNT_TEXT(s->features));
    }
    return lm_table_write(&t, out);
}

static void fill_json(lm_json *json, const char *path, leman_file_kind kind, leman_model *const *models, size_t count)
{
    const bool several = kind == LEMAN_FILE_KIND_TASK_MODELS;
    LM_PUT(json, json->object, KEY("kind", leman_file_kind_name(kind)));
    lm_file_json(json, json->object, "file", path);
    json_t *list = several ? lm_json_array(json, json->object, "tasks") : NULL;
    for (size_t i = 0; i < count; i++) {
        const leman_model_shape *s = leman_model_describe(models[i]);
        json_t *parent = several ? lm_json_object(json, list, NULL) : json->object;
        if (several) LM_PUT(json, parent, KEY("name", s->target_name));
        lm_model_json(json, parent, s);
    }
}

static leman_status write_models(lm_work *work, const char *path, leman_file_kind kind, leman_model *const *models,
                                 size_t count)
{
    const leman_model_shape *s = leman_model_describe(models[0]);
    char text[NAMES];
    lm_output *out;
    PASS(lm_work_results(work, &out));
    if (kind != LEMAN_FILE_KIND_TASK_MODELS) {
        PASS(lm_output_printf(out, "%s: a model\n\n", path));
        return write_model(work->ctx, s, out);
    }
    describe_method(s, text, sizeof text);
    PASS(lm_output_printf(out, "%s: models of %zu tasks\n\n%s, %s SVMs, fitted on %s of %s graph%s\n\n", path, count,
                          text, leman_svm_name(s->svm), s->data_name, COUNT_TEXT(s->data_graphs),
                          lm_plural(s->data_graphs)));
    return write_tasks(work->ctx, models, count, out);
}

/* ---- Gaussian processes ---------------------------------------------------------------------- */

static leman_status write_gp(leman_context *ctx, const leman_gp_shape *gp, lm_output *out)
{
    const leman_model_shape *s = gp->model;
    lm_table t = {.ctx = ctx, .align = "ll"};
    char text[NAMES];
    describe_method(s, text, sizeof text);
    ROW(&t, "method", "%s", text);
    ROW(&t, "predicts", "target %zu%s%s%s, with its standard deviation", s->target, s->target_name ? " (" : "",
        s->target_name ? s->target_name : "", s->target_name ? ")" : "");
    for (size_t b = 0; b < gp->blocks; b++) {
        leman_kernels_paper_name(s->kernel[gp->block_kernel[b]], 1, text, sizeof text);
        const bool rounds = leman_kernel_has_rounds(s->kernel[gp->block_kernel[b]]);
        ROW(&t, b ? "" : "weights", "%-10.4g %s%s%s", gp->weight[b], s->kernels > 1 || !rounds ? text : "",
            s->kernels > 1 && rounds ? ", " : "", rounds ? FORMAT("round %u", gp->block_round[b]) : "");
    }
    ROW(&t, "noise", "%.4g (a standard deviation of %.4g)", gp->noise, sqrt(gp->noise));
    ROW(&t, "mean", "%.6g", gp->mean);
    ROW(&t, "score", "rmse %s, leaving out one graph at a time", SCORE_TEXT(s->score, LM_SIGNIFICANT));
    ROW(&t, "likelihood", "%.6g, the logarithm of the marginal likelihood", gp->log_likelihood);
    ROW(&t, "features", "%s of %s training graph%s", COUNT_TEXT(s->features), COUNT_TEXT(s->supports),
        lm_plural(s->supports));
    ROW(&t, "fitted on", "%s, %s %s graph%s", s->data_name, COUNT_TEXT(s->data_graphs),
        s->directed ? "directed" : "undirected", lm_plural(s->data_graphs));
    describe_labels(s, text, sizeof text);
    ROW(&t, "labels", "%s", text);
    add_reading(&t, s->reading);
    ROW(&t, "checksum", "%016" PRIx64 ", seed %" PRIu64, s->data_checksum, s->seed);
    return lm_table_write(&t, out);
}

static leman_status info_gp(lm_work *work, const char *path)
{
    AUTO(leman_gp_drop) leman_gp *gp = NULL;
    lm_json *json = &work->json;
    lm_output *out;
    PASS(leman_gp_read(work->ctx, path, &gp));
    if (work->options->json) {
        LM_PUT(json, json->object, KEY("kind", leman_file_kind_name(LEMAN_FILE_KIND_GAUSSIAN_PROCESS)));
        lm_file_json(json, json->object, "file", path);
        lm_gp_json(json, json->object, leman_gp_describe(gp));
        return LEMAN_OK;
    }
    PASS(lm_work_results(work, &out));
    PASS(lm_output_printf(out, "%s: a Gaussian process\n\n", path));
    return write_gp(work->ctx, leman_gp_describe(gp), out);
}

/* ---- Networks -------------------------------------------------------------------------------- */

/* Describes what the network predicts: classes, targets by number, or tasks by name. */
static void describe_outputs(const leman_network_shape *s, char *text, size_t size)
{
    enum { SHOWN = 12 };
    lm_joined list = lm_joined_begin(text, size);
    if (s->class_label) {
        describe_classes(s->outputs, s->class_label, s->class_name, text, size);
        return;
    }
    for (size_t i = 0; i < s->outputs && i < SHOWN; i++) {
        if (s->task_name)
            lm_joined_name(&list, s->task_name[i]);
        else
            lm_joined_add(&list, "%s%zu", i ? ", " : "", s->target[i]);
    }
    if (s->outputs > SHOWN) lm_joined_name(&list, "...");
}

static void add_best(lm_table *t, const leman_network_shape *s, const leman_checkpoint *c)
{
    char val[NAMES], test[NAMES];
    const double *score = c->best < c->epochs ? c->score + 2 * c->best : NULL;
    ROW(t, "epochs", "%zu so far, the best is %" PRIu64, c->epochs, s->best.epoch);
    if (!score) return;
    ROW(t, "validation", "%s", describe_score(s->selected_by, score[0], val, sizeof val));
    if (!isnan(score[1])) ROW(t, "test", "%s", describe_score(s->selected_by, score[1], test, sizeof test));
}

static void add_rate(lm_table *t, const leman_checkpoint *c)
{
    char text[NAMES];
    lm_joined rule = lm_joined_begin(text, sizeof text);
    if (c->warm_up) lm_joined_add(&rule, "; rises over %zu epoch%s", c->warm_up, lm_plural(c->warm_up));
    if (c->schedule == LEMAN_SCHEDULE_PLATEAU)
        lm_joined_add(&rule, "; halved after %zu epoch%s without a better one", c->patience, lm_plural(c->patience));
    else if (c->schedule == LEMAN_SCHEDULE_COSINE)
        lm_joined_add(&rule, "; falls as a cosine to %g over %zu epoch%s", c->min_learning_rate, c->planned_epochs,
                      lm_plural(c->planned_epochs));
    ROW(t, "learning rate", "%g at first, %g now%s", c->learning_rate, c->next_learning_rate, text);
}

static leman_status write_network(leman_context *ctx, const leman_network_shape *s, lm_output *out)
{
    const leman_checkpoint *c = s->checkpoint;
    lm_table t = {.ctx = ctx, .align = "ll"};
    const leman_architecture *a = s->architecture;
    char text[NAMES];
    leman_architecture_paper_name(a, text, sizeof text);
    ROW(&t, "method", "%s, preset %s", text, leman_preset_name(a->preset));
    ROW(&t, "layers", "%zu of width %zu", a->layers, a->width);
    ROW(&t, "parameters", "%s, trained in %s", COUNT_TEXT(s->parameters), leman_precision_name(s->precision));
    if (s->types) ROW(&t, "types", "%zu", s->types);
    if (s->vertex_attributes || s->edge_attributes)
        ROW(&t, "attributes", "%zu of vertices, %zu of edges, %s", s->vertex_attributes, s->edge_attributes,
            a->attributes == LEMAN_ATTRIBUTE_USE_STANDARDIZED ? "standardised over the training part" : "as they are");
    if (leman_architecture_encodings(a, text, sizeof text)) ROW(&t, "pairs", "%s", text);
    const leman_coloring set = {.k = a->k, .components = a->components};
    if (a->components) ROW(&t, "tuples", "%s", lm_tuples_text(&set, text, sizeof text));
    describe_outputs(s, text, sizeof text);
    ROW(&t, s->class_label ? "classes" : s->task_name ? "tasks" : "targets", "%s", text);
    if (!s->class_label && !s->task_name) ROW(&t, "loss", "%s", leman_loss_name(s->loss));
    add_best(&t, s, c);
    add_rate(&t, c);
    ROW(&t, "batches", "%zu graph%s", c->batch_size, lm_plural(c->batch_size));
    if (c->weight_decay > 0) ROW(&t, "weight decay", "%g", c->weight_decay);
    ROW(&t, "trained on", "%s: %zu graph%s, %zu for validation, %zu for testing", c->data_name, c->count[0],
        lm_plural(c->count[0]), c->count[1], c->count[2]);
    add_reading(&t, s->reading);
    ROW(&t, "checksum", "%016" PRIx64 ", seed %" PRIu64 ", run %zu", c->data_checksum, c->seed, c->run);
    return lm_table_write(&t, out);
}

static void network_json(lm_json *json, const char *path, const leman_network_shape *s)
{
    const leman_checkpoint *c = s->checkpoint;
    LM_PUT(json, json->object, KEY("kind", leman_file_kind_name(LEMAN_FILE_KIND_NETWORK)));
    lm_file_json(json, json->object, "file", path);
    json_t *network = lm_json_object(json, json->object, "network");
    lm_network_json(json, network, s);
    lm_reading_json(json, network, s->reading);
    if (s->class_label)
        LM_PUT_EACH(json, network, "classes", s->outputs, s->class_label[i]);
    else if (s->task_name)
        LM_PUT_EACH(json, network, "tasks", s->outputs, s->task_name[i]);
    else
        LM_PUT_EACH(json, network, "targets", s->outputs, s->target[i]);
    LM_PUT(json, network, KEY("loss", s->class_label || s->task_name ? "cross entropy" : leman_loss_name(s->loss)),
           KEY("selected_by", leman_score_name(s->selected_by)));
    LM_PUT(json, lm_json_object(json, json->object, "training"), MEMBER(c, epochs), KEY("best_epoch", s->best.epoch),
           KEY("val_error", s->best.val_error), KEY("test_error", s->best.test_error),
           KEY("val_score", c->best < c->epochs ? c->score[2 * c->best] : NAN),
           KEY("test_score", c->best < c->epochs ? c->score[2 * c->best + 1] : NAN), MEMBER(c, learning_rate),
           MEMBER(c, next_learning_rate), KEY("schedule", leman_schedule_name(c->schedule)), MEMBER(c, warm_up),
           MEMBER(c, min_learning_rate), MEMBER(c, planned_epochs), MEMBER(c, patience), MEMBER(c, batch_size),
           MEMBER(c, weight_decay), MEMBER(c, max_gradient_norm), MEMBER(c, run), MEMBER(c, seed));
    LM_PUT(json, lm_json_object(json, json->object, "data"), KEY("name", c->data_name), KEY("train", c->count[0]),
           KEY("val", c->count[1]), KEY("test", c->count[2]), KEY_HEX("checksum", c->data_checksum));
}

static leman_status info_network(lm_work *work, const char *path)
{
    AUTO(leman_network_drop) leman_network *network = NULL;
    lm_output *out;
    PASS(leman_network_read(work->ctx, path, &network));
    if (work->options->json) {
        network_json(&work->json, path, leman_network_describe(network));
        return LEMAN_OK;
    }
    PASS(lm_work_results(work, &out));
    PASS(lm_output_printf(out, "%s: a network\n\n", path));
    return write_network(work->ctx, leman_network_describe(network), out);
}

/* ---- The command ----------------------------------------------------------------------------- */

/* Writes the page. data may be NULL. */
static leman_status write_page(lm_work *work, leman_model *const *models, size_t count, const char *report,
                               const leman_dataset *data)
{
    char *command = NULL;
    PASS(lm_command_line(work, &command));
    return leman_model_page_write(work->ctx, models, count, data, command, report);
}

/* Lists the features of every model. */
static leman_status list_features(lm_work *work, leman_model *const *models, size_t count, bool several,
                                  const leman_dataset *data, size_t most)
{
    const json_t *tasks = json_object_get(work->json.object, "tasks");
    for (size_t i = 0; i < count; i++)
        PASS(lm_info_features(work, models[i], several ? leman_model_describe(models[i])->target_name : NULL, data,
                              most, several ? json_array_get(tasks, i) : work->json.object));
    return LEMAN_OK;
}

/* Writes the models as text or JSON, with their features if they are asked for, and the page if its path is not NULL. */
static leman_status show_models(lm_work *work, const char *path, leman_file_kind kind, leman_model *const *models,
                                size_t count, const lm_shown_model *shown)
{
    AUTO(leman_dataset_drop) leman_dataset *data = NULL;
    leman_cleaning cleaning;
    work->reading = leman_model_describe(models[0])->reading;
    work->made_of = path;
    if (shown->data) PASS(lm_work_read(work, shown->data, &cleaning, &data));
    if (shown->report) PASS(write_page(work, models, count, shown->report, data));
    if (work->options->json)
        fill_json(&work->json, path, kind, models, count);
    else
        PASS(write_models(work, path, kind, models, count));
    if (!shown->features) return LEMAN_OK;
    return list_features(work, models, count, kind == LEMAN_FILE_KIND_TASK_MODELS, data, (size_t)shown->features);
}

leman_status lm_info_model(lm_work *work, const char *path, leman_file_kind kind, const lm_shown_model *shown)
{
    AUTO(leman_model_drop) leman_model *one = NULL;
    leman_model **several = NULL;
    size_t count = 0;
    const char *option = shown->report ? "report" : "features";
    const bool more = shown->report || shown->features;
    if (kind == LEMAN_FILE_KIND_GAUSSIAN_PROCESS && more)
        return MISUSE(work->ctx, "option '--%s': %s is a Gaussian process, expected a support vector machine", option,
                      path);
    if (kind == LEMAN_FILE_KIND_GAUSSIAN_PROCESS) return info_gp(work, path);
    if (kind == LEMAN_FILE_KIND_NETWORK && more)
        return MISUSE(work->ctx,
                      "option '--%s': %s is a network, expected a model of leman fit; leman train writes the page "
                      "of a network",
                      option, path);
    if (kind == LEMAN_FILE_KIND_NETWORK) return info_network(work, path);
    if (kind == LEMAN_FILE_KIND_MODEL) {
        PASS(leman_model_read(work->ctx, path, &one));
        return show_models(work, path, kind, &one, 1, shown);
    }
    PASS(leman_models_read(work->ctx, path, &several, &count));
    const leman_status st = show_models(work, path, kind, several, count, shown);
    leman_models_free(several, count);
    return st;
}
