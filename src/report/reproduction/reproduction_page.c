/*
 * The page of the published tables computed again. Every table has three rows for each method: ours, the published
 * results, and the difference. The same calls write Markdown and HTML.
 */
#include "base/arguments.h"
#include "base/text.h"
#include "report/page.h"
#include "report/reproduction/reproduction.h"
#include "report/reproduction/sheet.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = LM_SHEET_TEXT, CELL = 48 };

/* The charts of a quantity; the table stands beside a single one, and below several. */
static void charts(lm_sheet *s, const leman_reproduction *r, leman_paper_quantity quantity)
{
    if (!s->html) return;
    lm_reproduction_charts(r, quantity, s->out);
    s->beside = !(r->sets & (r->sets - 1));
    if (!s->beside) lm_page(s->out, "</div>\n");
}

/* ---- Cells as text --------------------------------------------------------------------------- */

static const char *seconds_text(double seconds, char *text)
{
    lm_snprintf(text, CELL,
                seconds < 0.01  ? "%.4f"
                : seconds < 1   ? "%.3f"
                : seconds < 10  ? "%.2f"
                : seconds < 100 ? "%.1f"
                                : "%.0f",
                seconds);
    return text;
}

static const char *ours_text(const leman_reproduction *r, leman_paper_quantity quantity, leman_paper_method method,
                             leman_paper_set set, char *text)
{
    const leman_cell *c = leman_reproduction_cell(r, quantity, method, set);
    double value = leman_reproduction_value(r, quantity, method, set);
    if (c->state == LEMAN_CELL_STATE_MEMORY) return "OOM";
    if (c->state == LEMAN_CELL_STATE_TIME) return "OOT";
    if (isnan(value)) return *r->missing[set] ? "no data" : "not run";
    if (quantity == LEMAN_PAPER_QUANTITY_SECONDS) return seconds_text(value, text);
    int used = lm_snprintf(text, CELL, "%.1f", value);
    if (quantity == LEMAN_PAPER_QUANTITY_TEST && c->repetitions > 1)
        used += lm_snprintf(text + used, (size_t)(CELL - used), " ±%.1f", c->test_std);
    if (quantity == LEMAN_PAPER_QUANTITY_TEST && c->repetitions != r->repetitions)
        snprintf(text + used, (size_t)(CELL - used), " ×%llu", (unsigned long long)c->repetitions);
    return text;
}

static const char *published_text(leman_published_value f, leman_paper_quantity quantity, char *text)
{
    const char *mark = f.misprint ? " (t)" : "";
    switch (f.state) {
    case LEMAN_CELL_STATE_MEMORY: return "OOM";
    case LEMAN_CELL_STATE_TIME: return "OOT";
    case LEMAN_CELL_STATE_EMPTY: return "–";
    case LEMAN_CELL_STATE_BELOW: lm_snprintf(text, CELL, "< %.0f", f.value); break;
    case LEMAN_CELL_STATE_NUMBER:
        if (f.has_deviation)
            lm_snprintf(text, CELL, "%.1f ±%.1f%s", f.value, f.deviation, mark);
        else
            lm_snprintf(text, CELL, "%.*f%s", quantity == LEMAN_PAPER_QUANTITY_SECONDS ? 0 : 1, f.value, mark);
        break;
    }
    return text;
}

static const char *difference_text(const leman_reproduction *r, leman_paper_quantity quantity,
                                   leman_paper_method method, leman_paper_set set, char *text)
{
    double d = leman_reproduction_difference(r, quantity, method, set);
    if (isnan(d)) return "";
    if (quantity == LEMAN_PAPER_QUANTITY_SECONDS)
        lm_snprintf(text, CELL, d < 10 ? "%.1f" : "%.0f", d);
    else if (fabs(d) < 0.05)
        return "0.0";
    else
        lm_snprintf(text, CELL, "%+.1f", d);
    return text;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static const char *const REMARKS[] = {"¹", "²", "³"};

/* The mark of a method whose published results are not those of its definition, or "". */
static const char *remark_mark(leman_paper_method method)
{
    if (!leman_paper_method_remark(method)) return "";
    return REMARKS[method == LEMAN_PAPER_METHOD_GR ? 0 : method == LEMAN_PAPER_METHOD_SP ? 1 : 2];
}

static void row(lm_sheet *s, const leman_reproduction *r, uint64_t sets, leman_paper_quantity quantity,
                leman_paper_method method, int kind, const char *title, const char *label)
{
    static const char *const NAMES[] = {"ours", "theirs", "between"};
    char text[CELL];
    lm_sheet_row_begin(s, NAMES[kind]);
    lm_sheet_cell(s, title);
    lm_sheet_cell(s, label);
    for (unsigned i = 0; i < LEMAN_PAPER_SET_COUNT; i++) {
        leman_paper_set set = (leman_paper_set)i;
        if (!(sets >> i & 1)) continue;
        lm_sheet_cell(s, kind == 0   ? ours_text(r, quantity, method, set, text)
                         : kind == 1 ? published_text(leman_published(quantity, method, set), quantity, text)
                                     : difference_text(r, quantity, method, set, text));
    }
    lm_sheet_row_end(s);
}

/* Rows of one quantity of a method: ours, published and, where `between` names it, the difference. */
static void rows(lm_sheet *s, const leman_reproduction *r, uint64_t sets, leman_paper_quantity quantity,
                 leman_paper_method method, const char *prefix, const char *between)
{
    const char *labels[] = {"ours", "published", between};
    char title[CELL], label[CELL];
    for (int kind = 0; kind < 3 && labels[kind]; kind++) {
        bool first = !kind && strcmp(prefix, "test "); /* below its training rows a method is not named again */
        const char *mark =
            quantity == LEMAN_PAPER_QUANTITY_TEST || quantity == LEMAN_PAPER_QUANTITY_TRAIN ? remark_mark(method) : "";
        snprintf(title, sizeof title, "%s%s%s", leman_paper_method_title(method), *mark ? " " : "", mark);
        snprintf(label, sizeof label, "%s%s", kind == 2 ? "" : prefix, labels[kind]);
        row(s, r, sets, quantity, method, kind, first ? title : "", label);
    }
}

static void head_row(lm_sheet *s, uint64_t sets)
{
    lm_sheet_table_begin(s);
    lm_sheet_row_begin(s, "");
    lm_sheet_cell(s, "method");
    lm_sheet_cell(s, "");
    for (unsigned i = 0; i < LEMAN_PAPER_SET_COUNT; i++)
        if (sets >> i & 1) lm_sheet_cell(s, leman_paper_set_name((leman_paper_set)i));
    lm_sheet_row_end(s);
}

/* The notes below a table: cells without a number, missing sets, misprints, and remarks on methods. */
static void notes(lm_sheet *s, const leman_reproduction *r, leman_paper_quantity quantity, const char *misprints,
                  bool trained)
{
    char mark[CELL];
    const char *said = NULL;
    for (unsigned set = 0; set < LEMAN_PAPER_SET_COUNT; set++) {
        if (r->sets >> set & 1 && *r->missing[set])
            lm_sheet_item(s, leman_paper_set_name((leman_paper_set)set), r->missing[set]);
        for (unsigned m = 0; m < LEMAN_PAPER_METHOD_COUNT; m++) {
            const leman_cell *c = leman_reproduction_cell(r, quantity, (leman_paper_method)m, (leman_paper_set)set);
            bool shown = leman_reproduction_has(r, quantity, (leman_paper_method)m, (leman_paper_set)set) &&
                         (!trained || lm_reproduction_trained((leman_paper_method)m));
            if (!shown || !*c->note) continue;
            snprintf(mark, sizeof mark, "%s, %s", leman_paper_set_name((leman_paper_set)set),
                     leman_paper_method_title((leman_paper_method)m));
            lm_sheet_item(s, mark, c->note);
        }
    }
    if (misprints) lm_sheet_item(s, "(t)", misprints);
    for (unsigned m = 0; m < LEMAN_PAPER_METHOD_COUNT; m++) {
        const char *remark = leman_paper_method_remark((leman_paper_method)m);
        bool shown =
            r->methods >> m & 1 && quantity == LEMAN_PAPER_QUANTITY_TEST && (!trained || m == LEMAN_PAPER_METHOD_LWLP2);
        if (shown && remark && remark != said) lm_sheet_item(s, remark_mark((leman_paper_method)m), said = remark);
    }
    lm_sheet_list_end(s);
}

/* What predicting the largest class of a set always scores. */
static void majority_row(lm_sheet *s, uint64_t sets)
{
    char text[CELL];
    lm_sheet_row_begin(s, "between");
    lm_sheet_cell(s, "majority class");
    lm_sheet_cell(s, "");
    for (unsigned i = 0; i < LEMAN_PAPER_SET_COUNT; i++) {
        if (!(sets >> i & 1)) continue;
        lm_snprintf(text, sizeof text, "%.1f", leman_paper_set_majority((leman_paper_set)i));
        lm_sheet_cell(s, text);
    }
    lm_sheet_row_end(s);
}

static void accuracies(lm_sheet *s, const leman_reproduction *r)
{
    char text[TEXT];
    lm_sheet_heading(s, "Test accuracy in percent");
    lm_sheet_text(
        text,
        "%llu repetition%s of %zu-fold cross-validation, seed %llu; rounds 0 to 5 and C from 10^-3 to 10^3 chosen "
        "on a tenth of the training part; SVM on the normalised Gram matrix; vertex labels "
        "where a set has them, no edge labels. ± is the standard deviation over repetitions, ×N marks a cell of "
        "N repetitions. The last row of a method is ours less the published result, and the last row of the table "
        "what predicting the largest class always scores.",
        (unsigned long long)r->repetitions, lm_plural(r->repetitions), leman_protocol_default().folds,
        (unsigned long long)r->seed);
    lm_sheet_paragraph(s, text);
    charts(s, r, LEMAN_PAPER_QUANTITY_TEST);
    head_row(s, r->sets);
    for (unsigned m = 0; m < LEMAN_PAPER_METHOD_COUNT; m++)
        if (r->methods >> m & 1)
            rows(s, r, r->sets, LEMAN_PAPER_QUANTITY_TEST, (leman_paper_method)m, "", "difference");
    majority_row(s, r->sets);
    lm_sheet_table_end(s);
    bool misprint = r->methods >> LEMAN_PAPER_METHOD_DWL3 & r->sets >> LEMAN_PAPER_SET_IMDB_MULTI & 1;
    notes(s, r, LEMAN_PAPER_QUANTITY_TEST, misprint ? "the deviation is printed as \"0/9\"" : NULL, false);
}

static void overfitting(lm_sheet *s, const leman_reproduction *r)
{
    lm_sheet_heading(s, "Training against test accuracy in percent");
    lm_sheet_paragraph(s, "The same runs: training and test accuracy of the selected SVMs.");
    charts(s, r, LEMAN_PAPER_QUANTITY_TRAIN);
    head_row(s, r->sets);
    for (unsigned m = 0; m < LEMAN_PAPER_METHOD_COUNT; m++) {
        leman_paper_method method = (leman_paper_method)m;
        if (!(r->methods >> m & 1) || !lm_reproduction_trained(method)) continue;
        rows(s, r, r->sets, LEMAN_PAPER_QUANTITY_TRAIN, method, "train ", "difference");
        rows(s, r, r->sets, LEMAN_PAPER_QUANTITY_TEST, method, "test ", "difference");
    }
    lm_sheet_table_end(s);
    notes(s, r, LEMAN_PAPER_QUANTITY_TEST, NULL, true);
}

static void times(lm_sheet *s, const leman_reproduction *r)
{
    const uint64_t ratios =
        (1 << LEMAN_PAPER_SET_ENZYMES | 1 << LEMAN_PAPER_SET_IMDB_BINARY | 1 << LEMAN_PAPER_SET_NCI1) & r->sets;
    lm_sheet_heading(s, "Seconds of a Gram matrix");
    lm_sheet_paragraph(
        s, "Features and normalised Gram matrix of the whole set, five rounds, one thread, processor seconds "
           "without reading the file, the minimum of up to five runs. The published seconds are whole numbers, "
           "measured on other hardware; the last row of a method is the published time over ours.");
    charts(s, r, LEMAN_PAPER_QUANTITY_SECONDS);
    head_row(s, r->sets);
    for (unsigned m = 0; m < LEMAN_PAPER_METHOD_COUNT; m++)
        if (r->methods >> m & 1)
            rows(s, r, r->sets, LEMAN_PAPER_QUANTITY_SECONDS, (leman_paper_method)m, "", "times faster");
    lm_sheet_table_end(s);
    bool misprint = r->methods >> LEMAN_PAPER_METHOD_WL3 & r->sets >> LEMAN_PAPER_SET_PTC_FM & 1;
    notes(s, r, LEMAN_PAPER_QUANTITY_SECONDS,
          misprint ? "the same number as for IMDB-MULTI, and almost five times that of δ-3-WL; probably a misprint"
                   : NULL,
          false);
    if (!ratios) return;
    lm_sheet_heading(s, "Seconds relative to δ-2-LWL");
    head_row(s, ratios);
    for (unsigned m = 0; m < LEMAN_PAPER_METHOD_COUNT; m++)
        if (r->methods >> m & 1 &&
            leman_published(LEMAN_PAPER_QUANTITY_RATIO, (leman_paper_method)m, 0).state != LEMAN_CELL_STATE_EMPTY)
            rows(s, r, ratios, LEMAN_PAPER_QUANTITY_RATIO, (leman_paper_method)m, "", NULL);
    lm_sheet_table_end(s);
    if (r->methods >> LEMAN_PAPER_METHOD_WL2 & r->sets >> LEMAN_PAPER_SET_NCI1 & 1) {
        lm_sheet_item(s, "(t)", "the table above gives 1422/101 = 14.1; 14.3 mixes in the time on NCI109");
        lm_sheet_list_end(s);
    }
}

/* ---- How to reproduce ------------------------------------------------------------------------ */

static void set_properties(lm_sheet *s, const leman_reproduction *r)
{
    char name[CELL], text[TEXT];
    bool several;
    for (unsigned i = 0; i < LEMAN_PAPER_SET_COUNT; i++) {
        uint64_t sum = leman_reproduction_checksum(r, (leman_paper_set)i, &several);
        if (!(r->sets >> i & 1) || !sum) continue;
        snprintf(name, sizeof name, "checksum of %s", leman_paper_set_name((leman_paper_set)i));
        lm_sheet_property(s, name,
                          several ? "several: its cells are not all of the same data"
                                  : lm_sheet_text(text, "%016llx", (unsigned long long)sum));
    }
}

static void reproduce(lm_sheet *s, const leman_reproduction *r, const char *command)
{
    static const char NOTE[] =
        "Accuracies depend on the seed and not on the number of threads; running times depend on "
        "the hardware.";
    char text[TEXT];
    lm_sheet_section_end(s);
    if (s->html)
        lm_page_reproduce_begin(s->out, command);
    else
        lm_output_printf(s->out, "\n## How to reproduce\n\n%s%s%s    program: leman %s\n", command ? "    " : "",
                         command ? command : "", command ? "\n\n" : "", leman_version());
    lm_sheet_property(s, "seed", lm_sheet_text(text, "%llu", (unsigned long long)r->seed));
    lm_sheet_property(s, "repetitions asked for", lm_sheet_text(text, "%llu", (unsigned long long)r->repetitions));
    if (r->finished_only)
        lm_sheet_property(s, "computed", lm_sheet_text(text, "nothing: all cells are those of %s", r->path));
    else
        lm_sheet_property(s, "threads",
                          lm_sheet_text(text, "%d for accuracies, 1 for times%s%s", r->threads,
                                        r->path ? "; finished cells from " : "", r->path ? r->path : ""));
    set_properties(s, r);
    if (s->html)
        lm_page_reproduce_end(s->out, NOTE);
    else
        lm_output_printf(s->out, "\n%s\n", NOTE);
}

static void write_page(const leman_reproduction *r, const char *command, bool html, lm_output *out)
{
    static const char TITLE[] = "The published tables, reproduced";
    lm_sheet s = {.out = out, .html = html};
    char text[TEXT];
    if (html) {
        lm_page_begin(out, TITLE, "Graph kernels: our results beside the published ones.");
        lm_reproduction_head(r, out);
        lm_reproduction_overview(r, out);
    } else {
        lm_output_printf(out, "# %s\n", TITLE);
        lm_sheet_paragraph(&s, lm_sheet_text(text, "Written by Leman %s.", leman_version()));
    }
    if (r->tables >> LEMAN_PAPER_TABLE_KERNELS & 1) accuracies(&s, r);
    if (r->tables >> LEMAN_PAPER_TABLE_OVERFITTING & 1) overfitting(&s, r);
    if (r->tables >> LEMAN_PAPER_TABLE_TIMES & 1) times(&s, r);
    reproduce(&s, r, command);
    if (html) lm_page_end(out);
}

leman_status leman_reproduction_write(leman_context *ctx, const leman_reproduction *reproduction, const char *command,
                                      const char *path)
{
    leman_status st = LEMAN_OK;
    lm_output out = {0};
    REQUIRE(ctx, reproduction);
    REQUIRE(ctx, path);
    bool html = lm_path_ends(path, ".html");
    if (!html && !lm_path_ends(path, ".md") && strcmp(path, "-"))
        FAIL(ctx, LEMAN_ERROR_ARGUMENT, "found '%s', expected a name that ends in .md or .html, or '-'", path);
    TRY(lm_output_open(ctx, path, &out));
    write_page(reproduction, command, html, &out);
    TRY(lm_output_commit(&out));
done:
    lm_output_abort(&out);
    return st;
}
