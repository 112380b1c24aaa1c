/*
 * Writes the page about a model, or about the models of several tasks: their properties, and the most discriminative
 * colours of the method. Models store no graphs, so the colours are drawn on graphs that the caller gives.
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "base/text.h"
#include "learn/attribution/attribution.h"
#include "learn/model/model.h"
#include "report/report.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Properties ------------------------------------------------------------------------------ */

/* Writes the score: "84.3 %", or an error. */
static const char *score_text(const leman_model *m, char text[LM_NUMBER_TEXT])
{
    lm_snprintf(text, LM_NUMBER_TEXT, m->shape.selected_by == LEMAN_SCORE_MAE ? "%.3g" : "%.1f\u00a0%%",
                m->shape.score);
    return text;
}

static void write_head(lm_output *out, leman_model *const *models, size_t count)
{
    const leman_model *m = models[0];
    char name[LM_REPORT_NAME], score[LM_NUMBER_TEXT], graphs[LM_NUMBER_TEXT];
    lm_report_method(m->kernel, m->shape.kernels, name);
    lm_page(out, "<header>\n<p class=\"kicker\">Leman &#183; model</p>\n<h1>");
    if (count > 1)
        lm_page(out, "%s: %zu tasks of %s", name, count, m->data_name);
    else
        lm_page(out, "%s: %s %s on %s", name, leman_score_name(m->shape.selected_by), score_text(m, score),
                m->data_name);
    lm_page(out,
            "</h1>\n<p class=\"lead\">%s, fitted on %s graphs; scores are those of a cross-validation with %zu "
            "folds.</p>\n</header>\n",
            m->shape.svm == LEMAN_SVM_LINEAR ? "A linear SVM on the features" : "A kernel SVM on the Gram matrix",
            lm_count_text(m->shape.data_graphs, graphs), m->shape.folds);
}

static void class_properties(lm_output *out, const leman_model *m)
{
    char text[LM_NUMBER_TEXT];
    for (size_t c = 0; c < m->shape.classes && c < 12; c++) {
        snprintf(text, sizeof text, "%" PRId64, m->label[c]);
        lm_page_property(out, "class", m->class_name ? m->class_name[c] : "", "%s", text);
    }
}

static void write_properties(lm_output *out, const leman_model *m)
{
    char text[LM_NUMBER_TEXT], name[LM_REPORT_NAME];
    lm_report_method(m->kernel, m->shape.kernels, name);
    lm_page(out, "<dl class=\"properties\">\n");
    lm_page_property(out, "method", m->shape.apex ? "with a marked vertex" : "", "%s", name);
    lm_page_property(out, "rounds", "", "%u", m->shape.rounds);
    lm_page_property(out, "C", "", "%g", m->shape.C);
    lm_page_property(out, leman_score_name(m->shape.selected_by), "cross-validated", "%s", score_text(m, text));
    lm_page_property(out, "features", "", "%s", lm_count_text(m->shape.features, text));
    if (m->shape.supports) lm_page_property(out, "support graphs", "", "%s", lm_count_text(m->shape.supports, text));
    if (m->shape.regression) lm_page_property(out, "predicts", "", "%s", m->target_name ? m->target_name : "a target");
    class_properties(out, m);
    lm_page(out, "</dl>\n");
}

/* ---- Colours --------------------------------------------------------------------------------- */

/* Returns the reason why no colours are drawn, or NULL. */
static const char *why_not(const leman_model *m, const leman_dataset *data)
{
    if (!data)
        return "A model keeps no graphs: give a data set, and its features and colours are drawn on the graphs of it.";
    if (m->shape.regression) return "Colours are ranked for classes, not for targets.";
    if (m->shape.apex) return "Colours of graphs with a marked vertex are not drawn.";
    for (size_t i = 0; i < m->shape.kernels; i++)
        if (m->kernel[i].kind != LEMAN_KERNEL_KIND_COLORS || m->kernel[i].assignment)
            return "The method does not have counts of colours as its features.";
    return NULL;
}

static leman_status draw_colors(leman_context *ctx, lm_output *out, const leman_model *m, const leman_dataset *data)
{
    SCRATCH_SCOPE(ctx);
    AUTO(leman_dataset_drop) leman_dataset *view = NULL;
    AUTO(leman_dataset_drop) leman_dataset *known = NULL;
    char name[LM_REPORT_NAME];
    lm_report r = {.ctx = ctx, .out = out, .whole = data};
    PASS(lm_model_view(ctx, m, data, &view)); /* checks that the data has what the model needs */
    if (!leman_dataset_classes(data))
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: found graphs without classes, expected those that the model was fitted on",
                       leman_dataset_shape(data)->name);
    PASS(lm_report_known(&r, LEMAN_NO_TARGET, &known));
    PASS(lm_groups_of_classes(ctx, r.data, &r.groups));
    lm_report_method(m->kernel, m->shape.kernels, name);
    if (r.groups.count < 2)
        lm_page(out, "<p>The graphs of %s are of one class.</p>\n", r.shape->name);
    else
        PASS(lm_report_colors(&r, &(lm_report_coloring){m->kernel, m->shape.kernels, m->shape.rounds, name}));
    return LEMAN_OK;
}

/* Draws the features of a model, if graphs are given and the features are colours. */
static leman_status draw_features(leman_context *ctx, lm_output *out, const leman_model *m, const leman_dataset *data,
                                  bool task)
{
    if (!data || m->shape.apex || !m->shape.kernels || lm_model_check_weights(NULL, m)) return LEMAN_OK;
    lm_page(out, task ? "<h3 class=\"method\">The features with the largest effects</h3>\n"
                      : "</section>\n<section>\n<h2>The features with the largest effects</h2>\n");
    return lm_report_substructures(ctx, out, m, data);
}

/* Writes one model. If `task`, the class is the target with the model's target name. */
static leman_status write_model(leman_context *ctx, lm_output *out, const leman_model *m, const leman_dataset *data,
                                bool task)
{
    const char *reason = why_not(m, data);
    AUTO(leman_dataset_drop) leman_dataset *of_task = NULL;
    lm_page(out, "<section>\n<h2>%s</h2>\n", task ? m->target_name : "The model");
    write_properties(out, m);
    PASS(draw_features(ctx, out, m, data, task));
    lm_page(out, task ? "<h3 class=\"method\">The most discriminative colours</h3>\n"
                      : "</section>\n<section>\n<h2>The most discriminative colours</h2>\n");
    if (reason) {
        lm_page(out, "<p>%s</p>\n", reason);
    } else {
        if (task) {
            size_t column;
            PASS(leman_dataset_target_find(ctx, data, m->target_name, &column));
            PASS(leman_dataset_use_class(ctx, data, column, &of_task));
        }
        PASS(draw_colors(ctx, out, m, of_task ? of_task : data));
    }
    lm_page(out, "</section>\n");
    return LEMAN_OK;
}

/* ---- The page -------------------------------------------------------------------------------- */

static void write_reproduce(lm_output *out, const leman_model *m, const leman_dataset *data, const char *command)
{
    lm_page_reproduce_begin(out, command);
    lm_page_row(out, "seed of the fit", "%" PRIu64, m->shape.seed);
    lm_page_row(out, "checksum of the data it was fitted on", "%016" PRIx64, m->shape.data_checksum);
    if (data) lm_page_row(out, "checksum of the graphs drawn", "%016" PRIx64, leman_dataset_checksum(data));
    lm_page_reproduce_end(out, "The model decides by the weights of all its features; the colours above are those that "
                               "single out a class in these graphs.");
}

leman_status leman_model_page_write(leman_context *ctx, leman_model *const *models, size_t count,
                                    const leman_dataset *data, const char *command, const char *path)
{
    AUTO(lm_output_abort) lm_output out = {0};
    REQUIRE(ctx, models, path);
    if (!count) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "models: found none, expected at least one");
    for (size_t i = 0; i < count; i++)
        if (!models[i]) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "models[%zu]: found NULL, expected a model", i);
    PASS(lm_output_open(ctx, path, &out));
    lm_page_begin(&out, models[0]->data_name, "A model: what it is, and the colours that set classes apart.");
    write_head(&out, models, count);
    for (size_t i = 0; i < count; i++)
        PASS(write_model(ctx, &out, models[i], data, count > 1 && models[i]->target_name));
    write_reproduce(&out, models[0], data, command);
    lm_page_end(&out);
    return lm_output_commit(&out);
}
