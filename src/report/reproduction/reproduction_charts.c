/*
 * The charts of the published tables computed again: all cells at once, then for every data set a row for each method
 * with our result and the published one. Arrays are as large as the tables of the paper, so nothing is allocated.
 */
#include "base/text.h"
#include "report/figures.h"
#include "report/page.h"
#include "report/reproduction/reproduction.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    CELLS = LEMAN_PAPER_METHOD_COUNT * LEMAN_PAPER_SET_COUNT,
    TITLE = 96,
    OURS = 0,
    THEIRS = 1,
    LESS = 33 /* theirs, pointing down */
};

/* The published result, NAN where it is no number. */
static double published(leman_paper_quantity quantity, leman_paper_method method, leman_paper_set set)
{
    leman_published_value value = leman_published(quantity, method, set);
    return value.state == LEMAN_CELL_STATE_NUMBER ? value.value : NAN;
}

/* An empty axis, logarithmic for seconds. */
static lm_axis axis_of(const char *label, bool powers)
{
    lm_axis axis = lm_axis_empty(label);
    axis.powers = powers;
    return axis;
}

/* A margin at both ends; accuracies stay between 0 and 100. */
static void widen(lm_axis *axis)
{
    lm_axis_widen(axis, axis->powers ? 0.6 : 0.05, 1, 0, 101);
}

/* ---- The headline ---------------------------------------------------------------------------- */

/* Counts over all cells. */
typedef struct totals {
    size_t both, agree;   /* accuracies that we and the paper have; those that agree */
    size_t defined;       /* of the others: methods whose published results are not those of the definition */
    size_t new_cells;     /* accuracies where the paper has OOM or OOT */
    size_t times;         /* that both have */
    double faster[CELLS]; /* [times] increasing */
} totals;

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Within two published standard deviations or 1.5 points, whichever is more. */
static bool agrees(double difference, leman_published_value theirs)
{
    return fabs(difference) <= fmax(1.5, 2 * theirs.deviation);
}

static void count_cells(const leman_reproduction *r, totals *t)
{
    *t = (totals){0};
    for (unsigned m = 0; m < LEMAN_PAPER_METHOD_COUNT; m++)
        for (unsigned s = 0; s < LEMAN_PAPER_SET_COUNT; s++) {
            leman_paper_method method = (leman_paper_method)m;
            leman_paper_set set = (leman_paper_set)s;
            leman_published_value theirs = leman_published(LEMAN_PAPER_QUANTITY_TEST, method, set);
            double difference = leman_reproduction_difference(r, LEMAN_PAPER_QUANTITY_TEST, method, set);
            double faster = leman_reproduction_difference(r, LEMAN_PAPER_QUANTITY_SECONDS, method, set);
            if (!(r->methods >> m & r->sets >> s & 1)) continue;
            if (isfinite(difference)) {
                t->both++;
                t->agree += agrees(difference, theirs);
                t->defined += !agrees(difference, theirs) && leman_paper_method_remark(method);
            } else if (isfinite(leman_reproduction_value(r, LEMAN_PAPER_QUANTITY_TEST, method, set))) {
                t->new_cells++;
            }
            if (isfinite(faster)) t->faster[t->times++] = faster;
        }
    qsort(t->faster, t->times, sizeof *t->faster, by_size);
}

static void write_agreement(const totals *t, lm_output *out)
{
    lm_page(out, "Agree: within 1.5 percentage points or two published standard deviations, whichever is more. ");
    if (t->agree < t->both && t->defined == t->both - t->agree)
        lm_page(out,
                "All others belong to methods whose published results are not those of their definition; the notes "
                "say why. ");
    else if (t->defined)
        lm_page(
            out,
            "Of the other %zu, %zu belong to methods whose published results are not those of their definition; the "
            "notes say why. ",
            t->both - t->agree, t->defined);
    if (t->new_cells)
        lm_page(out, "%zu more cell%s a result where the paper ran out of memory or time. ", t->new_cells,
                t->new_cells == 1 ? " has" : "s have");
}

void lm_reproduction_head(const leman_reproduction *r, lm_output *out)
{
    totals t;
    count_cells(r, &t);
    double median = t.times ? t.faster[t.times / 2] : 0;
    int digits = median < 10 ? 1 : 0;
    lm_page(out, "<header>\n<p class=\"kicker\">Leman &#183; reproduction report</p>\n<h1>");
    if (t.both)
        lm_page(out, "%zu of %zu test accuracies agree with the published ones", t.agree, t.both);
    else if (t.times)
        lm_page(out, "Gram matrices %.*f times as fast as published", digits, median);
    else
        lm_page(out, "The published tables, reproduced");
    lm_page(out, "</h1>\n<p class=\"lead\">");
    if (t.both) write_agreement(&t, out);
    if (t.times)
        lm_page(out, "%s over %zu Gram matri%s with a published time: %.*f, on other hardware and one thread.",
                t.times == 1 ? "Speed-up" : "Median speed-up", t.times, t.times == 1 ? "x" : "ces", digits, median);
    if (!t.both && !t.times) lm_page(out, "No cell has both a result of ours and a published number.");
    lm_page(out, "</p>\n<p class=\"note\">Kernels of <em>Weisfeiler and Leman go sparse</em> (NeurIPS 2020), computed "
                 "again. All values are in the tables below.</p>\n</header>\n");
}

/* ---- Ours against published ------------------------------------------------------------------ */

typedef struct scatter {
    size_t count;
    double x[CELLS], y[CELLS];
    char text[CELLS][TITLE];
    const char *title[CELLS];
} scatter;

/* Published against ours for the cells where both are numbers; remarked: of methods with a remark, or without. */
static void gather(const leman_reproduction *r, leman_paper_quantity quantity, bool remarked, scatter *c)
{
    c->count = 0;
    for (unsigned m = 0; m < LEMAN_PAPER_METHOD_COUNT; m++)
        for (unsigned s = 0; s < LEMAN_PAPER_SET_COUNT; s++) {
            leman_paper_method method = (leman_paper_method)m;
            leman_paper_set set = (leman_paper_set)s;
            double theirs = published(quantity, method, set), ours = leman_reproduction_value(r, quantity, method, set);
            bool has = leman_paper_method_remark(method) && quantity == LEMAN_PAPER_QUANTITY_TEST;
            if (!leman_reproduction_has(r, quantity, method, set) || has != remarked || !isfinite(theirs) ||
                !isfinite(ours))
                continue;
            lm_snprintf(c->text[c->count], TITLE, "%s, %s: ours %.4g, published %.4g", leman_paper_set_name(set),
                        leman_paper_method_title(method), ours, theirs);
            c->title[c->count] = c->text[c->count];
            c->x[c->count] = theirs;
            c->y[c->count++] = ours;
        }
}

static lm_series scatter_series(const scatter *c, const char *name, unsigned style)
{
    return (lm_series){.name = name,
                       .count = c->count,
                       .x = c->x,
                       .y = c->y,
                       .dots = true,
                       .faded = true,
                       .titles = c->title,
                       .style = style};
}

/* Opens the figure. */
static void scatter_figure(lm_output *out, lm_chart *chart, lm_series series[2], bool powers)
{
    chart->series = series[0].count ? series : series + 1;
    chart->count = (size_t)(series[0].count > 0) + (series[1].count > 0);
    chart->x = axis_of(chart->x.label, powers), chart->y = axis_of(chart->y.label, powers);
    lm_chart_cover(chart);
    lm_chart_square(chart);
    widen(&chart->x);
    widen(&chart->y);
    chart->diagonal = true;
    chart->height = 400;
    lm_figure_begin(out, chart->title, chart);
}

/* Only where there are six dots or more. */
void lm_reproduction_overview(const leman_reproduction *r, lm_output *out)
{
    scatter first, second, time, none = {0};
    gather(r, LEMAN_PAPER_QUANTITY_TEST, false, &first);
    gather(r, LEMAN_PAPER_QUANTITY_TEST, true, &second);
    gather(r, LEMAN_PAPER_QUANTITY_SECONDS, false, &time);
    bool accuracies = first.count + second.count > 5, times = time.count > 5;
    if (!accuracies && !times) return;
    lm_page(out, "<section>\n<h2>Ours against published</h2>\n<div class=\"pair\">\n");
    if (accuracies) {
        lm_series series[] = {scatter_series(&first, "as defined", OURS),
                              scatter_series(&second, "published result is not that of the definition", THEIRS)};
        lm_chart chart = {.title = "Test accuracy",
                          .description = "A dot for each cell; values in the tables.",
                          .x = {.label = "published (%)"},
                          .y = {.label = "ours (%)"}};
        scatter_figure(out, &chart, series, false);
        lm_page(out, "<figcaption>One dot per method and data set. On the dashed line both are "
                     "equal.</figcaption>\n</figure>\n");
    }
    if (times) {
        lm_series series[] = {scatter_series(&time, NULL, OURS), scatter_series(&none, NULL, OURS)};
        lm_chart chart = {.title = "Seconds of a Gram matrix",
                          .description = "A dot for each cell; values in the tables.",
                          .x = {.label = "published (seconds, logarithmic)"},
                          .y = {.label = "ours (seconds, logarithmic)"}};
        scatter_figure(out, &chart, series, true);
        lm_page(out, "<figcaption>One dot per method and data set whose published time is a number. Below the dashed "
                     "line ours is shorter.</figcaption>\n</figure>\n");
    }
    lm_page(out, "</div>\n</section>\n");
}

/* ---- A row for each method ------------------------------------------------------------------- */

/* Rows of one data set, from the foot up. */
typedef struct method_rows {
    size_t count;
    leman_paper_method method[LEMAN_PAPER_METHOD_COUNT];
    const char *name[LEMAN_PAPER_METHOD_COUNT];
} method_rows;

/* The methods of which we or the paper have something to draw. */
static method_rows rows_of(const leman_reproduction *r, leman_paper_quantity quantity, leman_paper_set set)
{
    method_rows found = {0};
    for (unsigned i = LEMAN_PAPER_METHOD_COUNT; i-- > 0;) {
        leman_paper_method m = (leman_paper_method)i;
        leman_cell_state kind = leman_published(quantity, m, set).state;
        bool theirs = kind == LEMAN_CELL_STATE_NUMBER || kind == LEMAN_CELL_STATE_BELOW;
        if (!leman_reproduction_has(r, quantity, m, set) ||
            (!theirs && !isfinite(leman_reproduction_value(r, quantity, m, set))))
            continue;
        found.method[found.count] = m;
        found.name[found.count++] = leman_paper_method_title(m);
    }
    return found;
}

static lm_chart rows_chart(const method_rows *rows, const char *title, const char *description)
{
    lm_chart chart = {.title = title, .description = description, .height = 70 + 29 * (double)rows->count};
    chart.y = (lm_axis){.names = rows->name, .high = (double)rows->count - 1};
    return chart;
}

/* "No published result: 3-WL (OOM)." and "None of ours: 3-WL (OOM)." for what the rows of a set leave out. */
static void write_absent(lm_output *out, const leman_reproduction *r, leman_paper_quantity quantity,
                         leman_paper_set set)
{
    static const char *const STATES[LEMAN_CELL_STATE_COUNT] = {"not run", "", "OOM", "OOT", ""};
    size_t written = 0;
    for (int ours = 0; ours < 2; ours++) {
        size_t listed = 0;
        for (unsigned m = 0; m < LEMAN_PAPER_METHOD_COUNT; m++) {
            leman_cell_state kind = leman_published(quantity, (leman_paper_method)m, set).state;
            leman_cell_state state = leman_reproduction_cell(r, quantity, (leman_paper_method)m, set)->state;
            const char *word = ours ? STATES[state] : kind == LEMAN_CELL_STATE_MEMORY ? "OOM" : "OOT";
            bool absent = ours ? state != LEMAN_CELL_STATE_NUMBER
                               : kind == LEMAN_CELL_STATE_MEMORY || kind == LEMAN_CELL_STATE_TIME;
            if (!leman_reproduction_has(r, quantity, (leman_paper_method)m, set) || !absent) continue;
            if (!written++) lm_page(out, "<figcaption>");
            if (!listed++) lm_page(out, ours ? "No result of ours: " : "No published result: ");
            lm_page(out, "%s%s (%s)", listed > 1 ? ", " : "", leman_paper_method_title((leman_paper_method)m), word);
        }
        if (listed) lm_page(out, ". ");
    }
    if (written) lm_page(out, "</figcaption>\n");
}

static void set_figure(lm_output *out, const lm_chart *chart, const leman_reproduction *r,
                       leman_paper_quantity quantity, leman_paper_set set)
{
    lm_figure_begin(out, leman_paper_set_name(set), chart);
    write_absent(out, r, quantity, set);
    lm_page(out, "</figure>\n");
}

static const double APART = 0.17; /* of a row: ours above, theirs below */

static void accuracy_figure(const leman_reproduction *r, leman_paper_set set, lm_output *out)
{
    method_rows rows = rows_of(r, LEMAN_PAPER_QUANTITY_TEST, set);
    double ours[LEMAN_PAPER_METHOD_COUNT], theirs[LEMAN_PAPER_METHOD_COUNT], above[LEMAN_PAPER_METHOD_COUNT],
        below[LEMAN_PAPER_METHOD_COUNT];
    double spread[3][LEMAN_PAPER_METHOD_COUNT]; /* over repetitions, over the folds of one, published */
    if (!rows.count) return;
    for (size_t i = 0; i < rows.count; i++) {
        const leman_cell *cell = leman_reproduction_cell(r, LEMAN_PAPER_QUANTITY_TEST, rows.method[i], set);
        ours[i] = leman_reproduction_value(r, LEMAN_PAPER_QUANTITY_TEST, rows.method[i], set);
        theirs[i] = published(LEMAN_PAPER_QUANTITY_TEST, rows.method[i], set);
        above[i] = (double)i + APART, below[i] = (double)i - APART;
        spread[0][i] = cell->repetitions > 1 ? cell->test_std : NAN;
        spread[1][i] = cell->repetitions > 1 ? NAN : cell->test_std_folds;
        spread[2][i] = leman_published(LEMAN_PAPER_QUANTITY_TEST, rows.method[i], set).deviation;
    }
    lm_series series[] = {
        {.x = ours, .y = above, .spread = spread[1], .quiet = true, .style = OURS},
        {.x = theirs, .y = below, .spread = spread[2], .dots = true, .style = THEIRS},
        {.x = ours, .y = above, .spread = spread[0], .dots = true, .values = true, .decimals = 1, .style = OURS}};
    lm_chart chart = rows_chart(&rows, "Test accuracy", "Ours and the published one of every method, with deviations.");
    chart.x = axis_of("test accuracy (%)", false);
    chart.series = series, chart.count = 3;
    for (size_t i = 0; i < 3; i++) series[i].count = rows.count, series[i].sideways = true;
    lm_chart_cover(&chart);
    widen(&chart.x);
    set_figure(out, &chart, r, LEMAN_PAPER_QUANTITY_TEST, set);
}

/* Test and training accuracy are the ends of a line; a NAN behind it ends the line. */
static void training_figure(const leman_reproduction *r, leman_paper_set set, lm_output *out)
{
    enum { ENDS = 3 };
    method_rows rows = rows_of(r, LEMAN_PAPER_QUANTITY_TRAIN, set);
    double x[2][ENDS * LEMAN_PAPER_METHOD_COUNT], y[2][ENDS * LEMAN_PAPER_METHOD_COUNT];
    if (!rows.count) return;
    for (size_t i = 0; i < rows.count; i++)
        for (int side = 0; side < 2; side++) {
            double *line = x[side] + ENDS * i, *place = y[side] + ENDS * i;
            for (int end = 0; end < 2; end++) {
                leman_paper_quantity quantity = end ? LEMAN_PAPER_QUANTITY_TRAIN : LEMAN_PAPER_QUANTITY_TEST;
                line[end] = side == OURS ? leman_reproduction_value(r, quantity, rows.method[i], set)
                                         : published(quantity, rows.method[i], set);
            }
            line[2] = NAN;
            if (isnan(line[1])) line[0] = NAN; /* no training accuracy is published */
            for (int end = 0; end < ENDS; end++) place[end] = (double)i + (side == OURS ? APART : -APART);
        }
    lm_series series[] = {
        {.count = ENDS * rows.count, .x = x[1], .y = y[1], .dots = true, .line = true, .style = THEIRS},
        {.count = ENDS * rows.count, .x = x[0], .y = y[0], .dots = true, .line = true, .style = OURS}};
    lm_chart chart = rows_chart(&rows, "Training against test accuracy", "A line from test to training accuracy.");
    chart.x = axis_of("accuracy (%), from test to training", false);
    chart.series = series, chart.count = 2;
    lm_chart_cover(&chart);
    widen(&chart.x);
    set_figure(out, &chart, r, LEMAN_PAPER_QUANTITY_TRAIN, set);
}

static void times_figure(const leman_reproduction *r, leman_paper_set set, lm_output *out)
{
    method_rows rows = rows_of(r, LEMAN_PAPER_QUANTITY_SECONDS, set);
    double ours[LEMAN_PAPER_METHOD_COUNT], theirs[LEMAN_PAPER_METHOD_COUNT], less[LEMAN_PAPER_METHOD_COUNT],
        y[LEMAN_PAPER_METHOD_COUNT];
    if (!rows.count) return;
    for (size_t i = 0; i < rows.count; i++) {
        leman_published_value figure = leman_published(LEMAN_PAPER_QUANTITY_SECONDS, rows.method[i], set);
        double seconds = leman_reproduction_value(r, LEMAN_PAPER_QUANTITY_SECONDS, rows.method[i], set);
        ours[i] = isfinite(seconds) ? fmax(seconds, 1e-5) : NAN; /* a logarithm has no 0 */
        theirs[i] = published(LEMAN_PAPER_QUANTITY_SECONDS, rows.method[i], set);
        less[i] = figure.state == LEMAN_CELL_STATE_BELOW ? figure.value : NAN;
        y[i] = (double)i;
    }
    lm_series series[] = {{.x = less, .dots = true, .style = LESS},
                          {.x = theirs, .dots = true, .style = THEIRS},
                          {.x = ours, .dots = true, .style = OURS}};
    lm_chart chart = rows_chart(&rows, "Seconds of a Gram matrix", "Ours and the published ones of every method.");
    chart.x = axis_of("seconds (logarithmic)", true);
    chart.series = series, chart.count = 3;
    for (size_t i = 0; i < 3; i++) series[i].count = rows.count, series[i].y = y;
    lm_chart_cover(&chart);
    widen(&chart.x);
    set_figure(out, &chart, r, LEMAN_PAPER_QUANTITY_SECONDS, set);
}

void lm_reproduction_charts(const leman_reproduction *r, leman_paper_quantity quantity, lm_output *out)
{
    static const char *const NOTES[] = {
        [LEMAN_PAPER_QUANTITY_TEST] =
            "Values are ours. Bars: one standard deviation over repetitions; thin ones: over folds, one repetition.",
        [LEMAN_PAPER_QUANTITY_TRAIN] =
            "A line runs from test to training accuracy: its length is the generalisation gap.",
        [LEMAN_PAPER_QUANTITY_SECONDS] = "Published times of less than 1 s are drawn at 1 s.",
    };
    const bool line = quantity == LEMAN_PAPER_QUANTITY_TRAIN;
    const lm_series legend[] = {{.name = "ours", .dots = true, .line = line, .style = OURS},
                                {.name = "published", .dots = true, .line = line, .style = THEIRS},
                                {.name = "published: less than 1 s", .dots = true, .style = LESS}};
    lm_chart_legend(out, legend, quantity == LEMAN_PAPER_QUANTITY_SECONDS ? 3 : 2);
    lm_page(out, "<p class=\"note\">%s</p>\n<div class=\"pair\">\n", NOTES[quantity]);
    for (unsigned set = 0; set < LEMAN_PAPER_SET_COUNT; set++) {
        if (!(r->sets >> set & 1)) continue;
        if (quantity == LEMAN_PAPER_QUANTITY_TEST) accuracy_figure(r, (leman_paper_set)set, out);
        if (quantity == LEMAN_PAPER_QUANTITY_TRAIN) training_figure(r, (leman_paper_set)set, out);
        if (quantity == LEMAN_PAPER_QUANTITY_SECONDS) times_figure(r, (leman_paper_set)set, out);
    }
}
