/*
 * The page about a run of training: a headline, the network, its epochs as curves, its answers against the truth, and
 * how to get it again. One file of HTML without scripts, like the page about evaluations. Time: one pass over the test
 * part.
 */
#include "report/training_page.h"
#include <math.h>
#include <stdio.h>

static void headline(const lm_training_page *p)
{
    const leman_epoch *best = p->history->epoch + p->history->best;
    const double error = p->tested ? best->test_error : best->val_error;
    const char *kind = leman_network_kind_name(p->network.architecture->kind);
    lm_page(p->out, "<header>\n<p class=\"kicker\">Leman &#183; training report</p>\n<h1>");
    if (p->network.class_label)
        lm_page(p->out, "A network %s puts %.1f&#160;%% of the graphs of %s into the right class", kind, 100 - error,
                p->data->name);
    else
        lm_page(p->out, "A network %s predicts %s of %s with a mean error of %.3g", kind,
                p->network.outputs == 1 ? "a target" : "the targets", p->data->name, error);
    lm_page(p->out, "</h1>\n<p class=\"lead\">Measured on %zu graphs that %s, with the weights of epoch %llu of %zu, ",
            p->parts->count[p->tested ? 2 : 1], p->tested ? "it had not seen" : "chose the epoch",
            (unsigned long long)best->epoch, p->history->epochs);
    lm_page(p->out, "which did best on the %zu graphs that validate.%s</p>\n", p->parts->count[1],
            p->network.class_label ? "" : " Errors are absolute, in the units that were learned.");
    lm_page(p->out, "<p class=\"note\">%s</p>\n</header>\n",
            p->history->converged ? "The run ended by itself: the learning rate had become too small to matter."
                                  : "The run ended with its last epoch; more might do better.");
}

static void fact(lm_output *out, const char *what, const char *value, const char *more)
{
    lm_page(out, "<div><dt>%s</dt><dd>%s", what, value);
    if (*more) lm_page(out, " <small>%s</small>", more);
    lm_page(out, "</dd></div>\n");
}

static void fact_size(lm_output *out, const char *what, uint64_t bytes)
{
    lm_page(out, "<div><dt>%s</dt><dd>%.1f <small>MiB</small></dd></div>\n", what, (double)bytes / 0x1p20);
}

static void network_card(const lm_training_page *p)
{
    char text[LM_PAGE_NUMBER];
    double seconds = 0;
    for (size_t e = 0; e < p->history->epochs; e++) seconds += p->history->epoch[e].seconds;
    lm_page(p->out, "<section>\n<h2>The network</h2>\n<dl class=\"facts\">\n");
    fact(p->out, "data set", p->data->name, "");
    snprintf(text, sizeof text, "k = %u", p->network.architecture->k);
    fact(p->out, "model", leman_network_kind_name(p->network.architecture->kind), text);
    fact(p->out, "preset", leman_preset_name(p->network.architecture->preset), "");
    lm_page(p->out, "<div><dt>layers</dt><dd>%zu <small>of width %zu</small></dd></div>\n",
            p->network.architecture->layers, p->network.architecture->width);
    fact(p->out, "parameters", lm_page_count(p->network.parameters, text), "");
    fact(p->out, "types", lm_page_count(p->network.types, text), "");
    lm_page(p->out, "<div><dt>graphs</dt><dd>%zu <small>train, %zu validate, %zu test</small></dd></div>\n",
            p->parts->count[0], p->parts->count[1], p->parts->count[2]);
    fact_size(p->out, "weights, gradients, moments", p->history->weight_bytes);
    fact_size(p->out, "the largest batch", p->history->activation_bytes);
    fact(p->out, "time", lm_page_seconds(seconds, text), "");
    lm_page(p->out, "</dl>\n</section>\n");
}

static void origin(const lm_training_page *p)
{
    lm_page(p->out, "<section>\n<h2>To get it again</h2>\n");
    if (p->command) lm_page(p->out, "<pre><code>%s</code></pre>\n", p->command);
    lm_page(p->out,
            "<div class=\"table\"><table class=\"plain\"><tbody>\n<tr><th scope=\"row\">program</th><td>leman "
            "%s</td></tr>\n<tr><th scope=\"row\">seed</th><td>%llu</td></tr>\n",
            leman_version(), (unsigned long long)p->seed);
    lm_page(p->out,
            "<tr><th scope=\"row\">checksum of the data</th><td "
            "class=\"mono\">%016llx</td></tr>\n</tbody></table></div>\n",
            (unsigned long long)p->data_checksum);
    lm_page(p->out,
            "<p class=\"note\">The same seed gives the same numbers on the same kind of machine; times are of the "
            "machine it ran on.</p>\n</section>\n");
}

/* The graphs that are shown, and the answers for them. */
static leman_status ask(lm_training_page *p, const leman_dataset *data, const leman_network *network,
                        leman_dataset **shown)
{
    leman_status st = LEMAN_OK;
    const size_t part = p->tested ? 2 : 1, count = p->parts->count[part];
    const size_t first = p->parts->count[0] + (p->tested ? p->parts->count[1] : 0);
    size_t *which, numbers;
    SCRATCH(p->ctx, which, count);
    for (size_t i = 0; i < count; i++) which[i] = p->parts->graph[first + i];
    TRY(leman_dataset_select(p->ctx, data, count, which, shown));
    if (!lm_multiply(count, p->network.outputs, &numbers)) numbers = SIZE_MAX;
    SCRATCH(p->ctx, p->output, numbers);
    TRY(leman_network_predict(p->ctx, network, *shown, 0, p->output));
    p->shown = *shown;
done:
    return st;
}

leman_status leman_training_page_write(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                                       const leman_network *network, const leman_history *history, const char *command,
                                       const char *path)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    lm_output out = {0};
    leman_dataset *shown = NULL;
    lm_training_page p = {.ctx = ctx,
                          .out = &out,
                          .data = leman_dataset_shape(data),
                          .network = *leman_network_describe(network),
                          .history = history,
                          .parts = parts,
                          .command = command,
                          .tested = parts->count[2] > 0,
                          .seed = ctx->settings.seed,
                          .data_checksum = leman_dataset_checksum(data)};
    if (history->best == SIZE_MAX) FAIL(ctx, LEMAN_ERROR_ARGUMENT, "%s: there was no epoch to report", path);
    TRY(ask(&p, data, network, &shown));
    TRY(lm_output_open(ctx, path, &out));
    lm_page_begin(&out, p.data->name, "How a network learned: curves of its epochs, answers against the truth.");
    headline(&p);
    network_card(&p);
    TRY(lm_training_curves(&p));
    TRY(lm_training_answers(&p));
    origin(&p);
    lm_page_end(&out);
    TRY(lm_output_commit(&out));
done:
    lm_output_abort(&out);
    leman_dataset_free(shown);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}
