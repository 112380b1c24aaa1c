/*
 * The page of the tables of networks computed again, as Markdown or HTML: for each method ours, the published result
 * and the difference, a chart for every data set that has some results, and what was used to compute them.
 */
#include "base/arguments.h"
#include "base/text.h"
#include "report/figures.h"
#include "report/page.h"
#include "report/reproduction/network_tables.h"
#include "report/reproduction/sheet.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CELL = 64 };

/* ---- Cells as text --------------------------------------------------------------------------- */

/* Digits behind the point of a quantity: accuracies, ratios and long times have one, errors three. */
static int digits_of(leman_network_table table, size_t quantity, double value)
{
    const bool error = table <= LEMAN_NETWORK_TABLE_ALCHEMY;
    if (error) return 3;
    if (quantity && (table == LEMAN_NETWORK_TABLE_MID_SCALE || table == LEMAN_NETWORK_TABLE_TIMES))
        return value < 1 ? 3 : value < 100 ? 1 : 0;
    return 1;
}

static const char *ours_text(const leman_network_tables *r, leman_network_table table, size_t quantity, size_t row,
                             size_t column, char text[CELL])
{
    const leman_network_cell c = leman_network_tables_cell(r, table, row, column);
    const double value = c.value[quantity], deviation = c.deviation[quantity];
    const int digits = digits_of(table, quantity, value);
    if (!c.runs) return *r->column[table][column].missing ? "no data" : "not run";
    if (isnan(value)) return "–";
    int used = lm_snprintf(text, CELL, "%.*f", digits, value);
    if (!isnan(deviation)) used += lm_snprintf(text + used, (size_t)(CELL - used), " ±%.*f", digits, deviation);
    if (c.runs != r->runs) snprintf(text + used, (size_t)(CELL - used), " ×%zu", c.runs);
    return text;
}

static const char *published_text(leman_network_table table, size_t quantity, size_t row, size_t column,
                                  char text[CELL])
{
    const leman_published_value v = leman_network_published(table, quantity, row, column);
    const int digits = quantity && table == LEMAN_NETWORK_TABLE_MID_SCALE ? 0 : digits_of(table, quantity, v.value);
    if (v.state != LEMAN_CELL_STATE_NUMBER) return "–";
    const int used = lm_snprintf(text, CELL, "%.*f", digits, v.value);
    if (v.has_deviation) lm_snprintf(text + used, (size_t)(CELL - used), " ±%.*f", digits, v.deviation);
    return text;
}

static const char *difference_text(const leman_network_tables *r, leman_network_table table, size_t quantity,
                                   size_t row, size_t column, char text[CELL])
{
    const leman_network_cell c = leman_network_tables_cell(r, table, row, column);
    if (isnan(c.difference[quantity])) return "";
    const int digits = digits_of(table, quantity, c.value[quantity]);
    const double d = c.difference[quantity];
    if (fabs(d) < 0.5 * pow(10, -digits))
        lm_snprintf(text, CELL, "%.*f", digits, 0.0); /* no sign */
    else
        lm_snprintf(text, CELL, "%+.*f", digits, d);
    return text;
}

/* ---- Charts ---------------------------------------------------------------------------------- */

/* Is a row part of what was asked for? */
static bool row_asked(const leman_network_tables *r, leman_network_table table, size_t row)
{
    const leman_network_table_shape *shape = leman_network_table_describe(table);
    for (size_t column = 0; column < shape->columns; column++)
        if (r->cell[table][row][column].asked) return true;
    return false;
}

/* Ours and the published results of a column, a place along y for each method. */
typedef struct points {
    char name[LM_NETWORK_ROWS][LM_NUMBER_TEXT];
    const char *names[LM_NETWORK_ROWS];
    double y[LM_NETWORK_ROWS], ours[LM_NETWORK_ROWS], spread[LM_NETWORK_ROWS];
    double above[LM_NETWORK_ROWS], theirs[LM_NETWORK_ROWS], deviation[LM_NETWORK_ROWS];
    size_t count, known;
} points;

static void gather(const leman_network_tables *r, leman_network_table table, size_t column, points *p)
{
    const leman_network_table_shape *shape = leman_network_table_describe(table);
    p->count = p->known = 0;
    for (size_t row = shape->rows; row-- > 0;) { /* the first method stands on top */
        const leman_network_cell c = leman_network_tables_cell(r, table, row, column);
        const leman_published_value v = leman_network_published(table, 0, row, column);
        const size_t i = p->count;
        if (!r->cell[table][row][column].asked) continue;
        p->names[i] = lm_page_method(shape->method[row], p->name[i], sizeof p->name[i]);
        p->y[i] = (double)i - 0.12;
        p->above[i] = (double)i + 0.12;
        p->ours[i] = c.value[0];
        p->spread[i] = isnan(c.deviation[0]) ? 0 : c.deviation[0];
        p->theirs[i] = v.state == LEMAN_CELL_STATE_NUMBER ? v.value : NAN;
        p->deviation[i] = v.has_deviation ? v.deviation : 0;
        p->known += isfinite(c.value[0]) != 0;
        p->count++;
    }
}

static void chart(const leman_network_tables *r, leman_network_table table, size_t column, lm_output *out)
{
    const leman_network_table_shape *shape = leman_network_table_describe(table);
    points p;
    gather(r, table, column, &p);
    if (!p.known) return;
    const int decimals = digits_of(table, 0, 1);
    const lm_series series[] = {{.name = "ours",
                                 .count = p.count,
                                 .x = p.ours,
                                 .y = p.y,
                                 .spread = p.spread,
                                 .sideways = true,
                                 .dots = true,
                                 .values = true,
                                 .decimals = decimals,
                                 .style = 0},
                                {.name = "published",
                                 .count = p.count,
                                 .x = p.theirs,
                                 .y = p.above,
                                 .spread = p.deviation,
                                 .sideways = true,
                                 .dots = true,
                                 .style = 1}};
    lm_chart c = {.title = shape->set[column],
                  .description = "Our results and the published ones, with bars of one standard deviation.",
                  .height = 70 + 44 * (double)p.count,
                  .series = series,
                  .count = 2,
                  .x = lm_axis_empty(shape->quantity[0]),
                  .y = {.low = -0.5, .high = (double)p.count - 0.5, .names = p.names}};
    for (int i = 0; i < 2; i++) lm_axis_cover(&c.x, series[i].x, series[i].spread, p.count);
    lm_axis_widen(&c.x, 0.08, 1e-3, -INFINITY, INFINITY);
    lm_figure_begin(out, shape->set[column], &c);
    lm_page(out, "</figure>\n");
}

static void charts(const leman_network_tables *r, leman_network_table table, lm_output *out)
{
    lm_page(out, "<div class=\"pair\">\n");
    for (size_t c = 0; c < leman_network_table_describe(table)->columns; c++) chart(r, table, c, out);
    lm_page(out, "</div>\n");
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static const char *about(leman_network_table table)
{
    switch (table) {
    case LEMAN_NETWORK_TABLE_ZINC:
        return "Test error of the epoch that validates best, on the parts of the benchmark; the target as it is.";
    case LEMAN_NETWORK_TABLE_QM9:
        return "Twelve targets by one network, each over its deviation in the training part; a tenth of the graphs "
               "validates and a tenth tests, drawn anew for every run.";
    case LEMAN_NETWORK_TABLE_ALCHEMY:
        return "Twelve targets by one network, each over its deviation in the training part; the mean of the errors, "
               "and of their natural logarithms.";
    case LEMAN_NETWORK_TABLE_TU:
        return "Ten folds in every run; a tenth of the training part chooses among 1 to 5 layers of width 32, 64 and "
               "128.";
    case LEMAN_NETWORK_TABLE_MID_SCALE:
        return "Ten folds in every run: kernels with rounds 0 to 5 and a linear SVM, networks of two layers of width "
               "64. Seconds: features with two rounds, one thread, processor time. Tox21_AHR and Mutagenicity stand in "
               "for the sets of the paper.";
    default:
        return "Wall time of an epoch with validation, the first one left out, over that of δ-2-LGNN; our seconds "
               "below. The published ratios come from programs that store lists of neighbouring tuples.";
    }
}

/* One row: ours (0), published (1) or the difference (2). */
static void row(lm_sheet *s, const leman_network_tables *r, leman_network_table table, size_t m, size_t quantity,
                int kind)
{
    static const char *const CLASSES[] = {"ours", "theirs", "between"};
    static const char *const LABELS[] = {"ours", "published", "difference"};
    const leman_network_table_shape *shape = leman_network_table_describe(table);
    char title[CELL], label[CELL], text[CELL];
    lm_sheet_row_begin(s, CLASSES[kind]);
    lm_sheet_cell(s, kind || quantity ? "" : lm_page_method(shape->method[m], title, sizeof title));
    snprintf(label, sizeof label, "%s%s%s", shape->quantities > 1 ? shape->quantity[quantity] : "",
             shape->quantities > 1 ? " " : "", LABELS[kind]);
    lm_sheet_cell(s, label);
    for (size_t c = 0; c < shape->columns; c++) {
        if (!lm_network_tables_asks(r, table, c)) continue;
        lm_sheet_cell(s, !r->cell[table][m][c].asked ? ""
                         : kind == 0                 ? ours_text(r, table, quantity, m, c, text)
                         : kind == 1                 ? published_text(table, quantity, m, c, text)
                                                     : difference_text(r, table, quantity, m, c, text));
    }
    lm_sheet_row_end(s);
}

static void notes(lm_sheet *s, const leman_network_tables *r, leman_network_table table)
{
    const leman_network_table_shape *shape = leman_network_table_describe(table);
    char mark[2 * CELL], name[CELL];
    for (size_t c = 0; c < shape->columns; c++) {
        if (!lm_network_tables_asks(r, table, c)) continue;
        if (*r->column[table][c].missing) lm_sheet_item(s, shape->set[c], r->column[table][c].missing);
        for (size_t m = 0; m < shape->rows; m++) {
            const lm_tables_cell *cell = &r->cell[table][m][c];
            if (!cell->asked || !*cell->note) continue;
            snprintf(mark, sizeof mark, "%s, %s", shape->set[c], lm_page_method(shape->method[m], name, sizeof name));
            lm_sheet_item(s, mark, cell->note);
        }
    }
    lm_sheet_list_end(s);
}

/* Parameters, epochs and seconds of every network that ran. */
static void costs(lm_sheet *s, const leman_network_tables *r, leman_network_table table)
{
    const leman_network_table_shape *shape = leman_network_table_describe(table);
    char mark[2 * CELL], name[CELL], text[LM_SHEET_TEXT], count[LM_NUMBER_TEXT], time[LM_NUMBER_TEXT];
    for (size_t m = 0; m < shape->rows; m++)
        for (size_t c = 0; c < shape->columns; c++) {
            const leman_network_cell cell = leman_network_tables_cell(r, table, m, c);
            if (!r->cell[table][m][c].asked || !cell.parameters) continue;
            snprintf(mark, sizeof mark, "%s, %s", shape->set[c], lm_page_method(shape->method[m], name, sizeof name));
            lm_sheet_item(s, mark,
                          lm_sheet_text(text, "%s parameters, %.0f epoch%s in %s a run",
                                        lm_count_text(cell.parameters, count), cell.epochs,
                                        lm_plural((size_t)(cell.epochs + 0.5)), lm_page_seconds(cell.seconds, time)));
        }
    lm_sheet_list_end(s);
}

static leman_status write_table(leman_context *ctx, lm_sheet *s, const leman_network_tables *r,
                                leman_network_table table)
{
    const leman_network_table_shape *shape = leman_network_table_describe(table);
    char text[LM_SHEET_TEXT], limit[CELL] = "";
    if (r->epochs) snprintf(limit, sizeof limit, ", at most %zu epoch%s", r->epochs, lm_plural(r->epochs));
    lm_sheet_heading(s, shape->title);
    lm_sheet_paragraph(s,
                       lm_sheet_text(text,
                                     "%s %zu run%s, seed %llu%s. ± is the standard "
                                     "deviation over runs, ×N marks a cell of N runs; the last row of a method is "
                                     "ours less the published result.",
                                     about(table), r->runs,
                                     lm_plural_of(r->runs, " from a random start", "s from independent random starts"),
                                     (unsigned long long)r->seed, limit));
    if (s->html) charts(r, table, s->out);
    lm_sheet_table_begin(s);
    lm_sheet_row_begin(s, "");
    lm_sheet_cell(s, "method");
    lm_sheet_cell(s, "");
    for (size_t c = 0; c < shape->columns; c++)
        if (lm_network_tables_asks(r, table, c)) lm_sheet_cell(s, shape->set[c]);
    lm_sheet_row_end(s);
    for (size_t m = 0; m < shape->rows; m++)
        for (size_t q = 0; row_asked(r, table, m) && q < shape->quantities; q++) {
            const bool printed = !(table == LEMAN_NETWORK_TABLE_TIMES && q); /* seconds of an epoch are not */
            for (int kind = 0; kind < (printed ? 3 : 1); kind++) row(s, r, table, m, q, kind);
        }
    lm_sheet_table_end(s);
    notes(s, r, table);
    costs(s, r, table);
    return lm_network_tables_cost(ctx, s, r, table);
}

/* ---- The page -------------------------------------------------------------------------------- */

static void reproduce(lm_sheet *s, const leman_network_tables *r, const char *command)
{
    static const char NOTE[] = "The same seed gives the same results on the same kind of hardware; running times "
                               "depend on the hardware.";
    char text[LM_SHEET_TEXT], name[CELL];
    lm_sheet_section_end(s);
    if (s->html)
        lm_page_reproduce_begin(s->out, command);
    else
        lm_output_printf(s->out, "\n## How to reproduce\n\n%s%s%s    program: leman %s\n", command ? "    " : "",
                         command ? command : "", command ? "\n\n" : "", leman_version());
    lm_sheet_property(s, "seed", lm_sheet_text(text, "%llu", (unsigned long long)r->seed));
    lm_sheet_property(s, "runs asked for", lm_sheet_text(text, "%zu", r->runs));
    if (r->finished_only)
        lm_sheet_property(s, "computed", lm_sheet_text(text, "nothing: all runs are those of %s", r->sources));
    else
        lm_sheet_property(s, "device",
                          lm_sheet_text(text, "%s, %d thread%s%s%s", r->device, r->threads,
                                        lm_plural((size_t)r->threads), r->sources ? "; finished runs from " : "",
                                        r->sources ? r->sources : ""));
    for (unsigned t = 0; t < LEMAN_NETWORK_TABLE_COUNT; t++)
        for (size_t c = 0; c < leman_network_table_describe((leman_network_table)t)->columns; c++) {
            const char *set = leman_network_table_describe((leman_network_table)t)->set[c];
            bool several;
            const uint64_t sum = leman_network_tables_checksum(r, set, &several);
            if (!sum || !lm_network_tables_asks(r, (leman_network_table)t, c)) continue;
            snprintf(name, sizeof name, "checksum of %s", set);
            lm_sheet_property(s, name,
                              lm_sheet_text(text, "%016llx%s", (unsigned long long)sum,
                                            several ? "; some runs are of other data of that name" : ""));
        }
    if (s->html)
        lm_page_reproduce_end(s->out, NOTE);
    else
        lm_output_printf(s->out, "\n%s\n", NOTE);
}

/* How many cells lie within two published deviations. */
static void head(const leman_network_tables *r, lm_output *out)
{
    size_t both = 0, agree = 0;
    for (unsigned t = 0; t < LEMAN_NETWORK_TABLE_COUNT; t++) {
        const leman_network_table_shape *shape = leman_network_table_describe((leman_network_table)t);
        for (size_t m = 0; m < shape->rows; m++)
            for (size_t c = 0; c < shape->columns; c++) {
                const leman_network_cell cell = leman_network_tables_cell(r, (leman_network_table)t, m, c);
                const leman_published_value v = leman_network_published((leman_network_table)t, 0, m, c);
                if (!r->cell[t][m][c].asked || !cell.runs || isnan(cell.difference[0]) || !v.has_deviation) continue;
                both++;
                agree += fabs(cell.difference[0]) <= 2 * v.deviation;
            }
    }
    lm_page(out, "<header>\n<p class=\"kicker\">Leman &#183; reproduction report</p>\n<h1>");
    if (both)
        lm_page(out, "%zu of %zu results of networks within two published deviations", agree, both);
    else
        lm_page(out, "The published tables of networks, reproduced");
    lm_page(out, "</h1>\n<p class=\"note\">Networks of <em>Weisfeiler and Leman go sparse</em> (NeurIPS 2020), "
                 "computed again. All values are in the tables below.</p>\n</header>\n");
}

leman_status leman_network_tables_write(leman_context *ctx, const leman_network_tables *tables, const char *command,
                                        const char *path)
{
    static const char TITLE[] = "The published tables of networks, reproduced";
    leman_status st = LEMAN_OK;
    lm_output out = {0};
    char text[LM_SHEET_TEXT];
    REQUIRE(ctx, tables);
    REQUIRE(ctx, path);
    lm_sheet s = {.out = &out, .html = lm_path_ends(path, ".html")};
    if (!s.html && !lm_path_ends(path, ".md") && strcmp(path, "-"))
        FAIL(ctx, LEMAN_ERROR_ARGUMENT, "found '%s', expected a name that ends in .md or .html, or '-'", path);
    TRY(lm_output_open(ctx, path, &out));
    if (s.html) {
        lm_page_begin(&out, TITLE, "Graph neural networks: our results beside the published ones.");
        head(tables, &out);
    } else {
        lm_output_printf(&out, "# %s\n", TITLE);
        lm_sheet_paragraph(&s, lm_sheet_text(text, "Written by Leman %s.", leman_version()));
    }
    for (unsigned t = 0; t < LEMAN_NETWORK_TABLE_COUNT; t++)
        if (tables->tables >> t & 1) TRY(write_table(ctx, &s, tables, (leman_network_table)t));
    reproduce(&s, tables, command);
    if (s.html) lm_page_end(&out);
    TRY(lm_output_commit(&out));
done:
    lm_output_abort(&out);
    return st;
}
