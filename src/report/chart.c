/*
 * Charts as SVG. The plotting area lies inside margins that hold tick labels and the names of axes. A value v of an
 * axis is drawn at  from + (to - from) (v - low) / (high - low), or by the logarithms on a logarithmic axis. The name
 * of the y axis is written horizontally above it.
 */
#include "report/chart.h"
#include "base/text.h"
#include "report/page.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double WIDTH = 400, HEIGHT = 270, RADIUS = 4.2, FADED_RADIUS = 3.1;
static const double VALUES = 42, LONG_VALUES = 66; /* width of the numbers at the end of rows: "57.5", "0.000123" */
static const double NAME_CHARACTER = 7.6, NAME_CAPITAL = 10, NAME_WIDTH = 140, DOTS = 22;
static const double CHARACTER = 6.7; /* approximate width of a character of the tick labels */

/* ---- Ranges and ticks ------------------------------------------------------------------------ */

/* Returns the smallest of 1, 2, 5, 10, ... (times powers of ten) that is at least `step`, and its power of ten. */
static double round_step(double step, int *power)
{
    double unit = pow(10, floor(log10(step)));
    double factor = step / unit;
    *power = (int)floor(log10(step));
    if (factor <= 1 + 1e-9) return unit;
    if (factor <= 2 + 1e-9) return 2 * unit;
    if (factor <= 5 + 1e-9) return 5 * unit;
    *power += 1;
    return 10 * unit;
}

lm_ticks lm_ticks_linear(double low, double high, size_t wanted, bool whole)
{
    lm_ticks ticks = {0};
    int power = 0;
    if (!isfinite(low) || !isfinite(high) || !isfinite(high - low) || low > high) return ticks;
    if (wanted < 1) wanted = 1;
    if (wanted > LM_TICKS / 2) wanted = LM_TICKS / 2; /* rounding the step gives at most 2 wanted - 1 ticks */
    double magnitude = fmax(fabs(low), fabs(high)), min = magnitude * 1e-12;
    double step = (high - low) / (double)wanted;
    if (!(step > min) || step < 1e-300) { /* the range has no width */
        ticks.value[ticks.count++] = low;
        return ticks;
    }
    step = round_step(whole ? fmax(step, 1) : step, &power);
    ticks.decimals = power < 0 ? -power : 0;
    double slack = (high - low) * 1e-9, first = ceil((low - slack) / step);
    for (size_t i = 0; i < LM_TICKS; i++) {
        double value = (first + (double)i) * step;
        if (value > high + slack) break;
        ticks.value[ticks.count++] = value + 0.0; /* no -0 */
    }
    return ticks;
}

lm_ticks lm_ticks_powers(double low, double high, size_t wanted)
{
    static const double FACTORS[] = {1, 2, 5};
    lm_ticks ticks = {0};
    if (!(low > 0) || !isfinite(high) || low > high) return ticks;
    if (wanted < 1) wanted = 1;
    int first = (int)ceil(log10(low) - 1e-9), last = (int)floor(log10(high) + 1e-9);
    int every = last - first < 0 ? 1 : (last - first) / (int)(wanted < LM_TICKS ? wanted : LM_TICKS) + 1;
    size_t factors = last - first < 1 ? 3 : 1;
    for (int p = factors > 1 ? first - 1 : first; p <= last; p += every)
        for (size_t f = 0; f < factors && ticks.count < LM_TICKS; f++) {
            double value = FACTORS[f] * pow(10, p);
            if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) ticks.value[ticks.count++] = value;
        }
    return ticks;
}

/* ---- Values ---------------------------------------------------------------------------------- */

static double value_of(const lm_series *s, const double *values, size_t i)
{
    const size_t step = s->step ? s->step : sizeof *values;
    return values ? *(const double *)(const void *)((const char *)values + i * step) : s->first + (double)i;
}

static double x_of(const lm_series *s, size_t i)
{
    return value_of(s, s->x, i);
}

static double y_of(const lm_series *s, size_t i)
{
    return value_of(s, s->y, i);
}

static double spread_of(const lm_series *s, size_t i)
{
    return s->spread && isfinite(s->spread[i]) ? s->spread[i] : 0;
}

static void cover(lm_axis *axis, double value, double around)
{
    if (!isfinite(value)) return;
    axis->low = fmin(axis->low, value - around);
    axis->high = fmax(axis->high, value + around);
}

void lm_chart_show(lm_chart *chart, const lm_series *series, size_t count)
{
    const bool across = chart->x.low > chart->x.high, up = chart->y.low > chart->y.high;
    chart->series = series;
    chart->count = count;
    for (size_t k = 0; k < chart->count; k++) {
        const lm_series *s = chart->series + k;
        for (size_t i = 0; i < s->count; i++) {
            if (across) cover(&chart->x, x_of(s, i), s->sideways ? spread_of(s, i) : 0);
            if (up) cover(&chart->y, y_of(s, i), s->sideways ? 0 : spread_of(s, i));
        }
    }
}

lm_chart lm_chart_new(const char *title, const char *description, const char *x, const char *y)
{
    return (lm_chart){.title = title,
                      .description = description,
                      .x = {.label = x, .low = INFINITY, .high = -INFINITY},
                      .y = {.label = y, .low = INFINITY, .high = -INFINITY}};
}

lm_series lm_series_dots(const char *name, size_t count, const double *x, const double *y, unsigned style)
{
    return (lm_series){.name = name, .count = count, .x = x, .y = y, .dots = true, .style = style};
}

/* ---- Marks ----------------------------------------------------------------------------------- */

/* Unit shapes of equal visual weight: circle (no path), square, triangle, diamond, cross, triangle down, plus. */
static const char *const SHAPES[LM_SHAPES] = {
    NULL,
    "M-.88-.88H.88V.88H-.88Z",
    "M0-1.2L1.12.82H-1.12Z",
    "M0-1.3L1.15 0 0 1.3-1.15 0Z",
    "M-1.1-.62L-.62-1.1 0-.48.62-1.1 1.1-.62.48 0 1.1.62.62 1.1 0 .48-.62 1.1-1.1.62-.48 0Z",
    "M0 1.2L1.12-.82H-1.12Z",
    "M-.38-1.2H.38V-.38H1.2V.38H.38V1.2H-.38V.38H-1.2V-.38H-.38Z",
};

unsigned lm_style_color(unsigned style)
{
    return style % LM_PAGE_COLORS;
}

void lm_mark_write(lm_output *out, unsigned style, double x, double y, double radius, const char *title)
{
    const char *shape = SHAPES[style % LM_SHAPES];
    if (shape)
        lm_page(out,
                "<path class=\"dot\" vector-effect=\"non-scaling-stroke\" transform=\"translate(%.1f %.1f) "
                "scale(%.2f)\" d=\"%s\"",
                x, y, radius, shape);
    else
        lm_page(out, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"", x, y, radius);
    if (title)
        lm_page(out, "><title>%s</title></%s>", title, shape ? "path" : "circle");
    else
        lm_page(out, "/>");
}

void lm_chart_legend(lm_output *out, const lm_series *series, size_t count)
{
    size_t named = 0;
    for (size_t i = 0; i < count; i++) named += series[i].name != NULL;
    if (named < 2) return;
    lm_page(out, "<ul class=\"legend\">");
    for (size_t i = 0; i < count; i++) {
        const lm_series *s = series + i;
        if (!s->name) continue;
        lm_page(out, "<li class=\"c%u\"><svg viewBox=\"0 0 12 12\" aria-hidden=\"true\">", lm_style_color(s->style));
        if (s->line) lm_page(out, "<path class=\"line\" d=\"M0 6H12\"/>");
        if (s->dots) lm_mark_write(out, s->style, 6, 6, s->line ? 3.4 : 4.6, NULL);
        lm_page(out, "</svg>%s</li>", s->name);
    }
    lm_page(out, "</ul>\n");
}

/* ---- Scales ---------------------------------------------------------------------------------- */

/* An axis with its position on the page. */
typedef struct scale {
    const lm_axis *axis;
    double low, high, from, to;
    lm_ticks ticks;
} scale;

static scale scale_of(const lm_axis *axis, double from, double to, size_t wanted)
{
    scale s = {.axis = axis, .low = axis->low, .high = axis->high, .from = from, .to = to};
    if (!isfinite(s.low) || !isfinite(s.high) || s.low > s.high) s.low = axis->powers ? 1 : 0, s.high = s.low;
    if (axis->powers && !(s.low > 0)) s.low = s.high = 1;
    if (axis->names) {
        s.low -= 0.5, s.high += 0.5;
    } else if (!(s.high - s.low > fabs(s.high) * 1e-9)) { /* one value: centre it */
        double around = axis->whole ? 1 : fmax(fabs(s.high) * 0.1, 1e-6);
        s.low = axis->powers ? s.low / 2 : s.low - around;
        s.high = axis->powers ? s.high * 2 : s.high + around;
    }
    if (!axis->names && !axis->plain)
        s.ticks =
            axis->powers ? lm_ticks_powers(s.low, s.high, wanted) : lm_ticks_linear(s.low, s.high, wanted, axis->whole);
    return s;
}

static double place(const scale *s, double value)
{
    double low = s->low, high = s->high;
    if (s->axis->powers) low = log10(low), high = log10(high), value = value > 0 ? log10(value) : low;
    return s->from + (s->to - s->from) * (value - low) / (high - low);
}

static const char *tick_text(const scale *s, double value, char text[LM_NUMBER_TEXT])
{
    if (s->axis->powers)
        lm_snprintf(text, LM_NUMBER_TEXT, "%.6g", value);
    else
        lm_snprintf(text, LM_NUMBER_TEXT, "%.*f", s->ticks.decimals, value);
    return text;
}

/* Returns the approximate width of a name, in the larger type of a phone, at most NAME_WIDTH. If the name is wider,
 * *bytes of it fit before an ellipsis. */
static double name_width(const char *name, size_t *bytes)
{
    double width = 0;
    *bytes = 0;
    for (size_t i = 0; name[i]; i++) {
        const bool begins = ((unsigned char)name[i] & 0xc0) != 0x80, capital = name[i] >= 'A' && name[i] <= 'Z';
        if (begins && width <= NAME_WIDTH - DOTS) *bytes = i;
        width += capital ? NAME_CAPITAL : begins ? NAME_CHARACTER : 0;
    }
    if (width > NAME_WIDTH) return NAME_WIDTH;
    *bytes = strlen(name);
    return width;
}

/* Returns the width of the labels beside the y axis. */
static double label_width(const lm_axis *axis)
{
    size_t widest = 1, bytes;
    double names = 0;
    char text[LM_NUMBER_TEXT];
    scale s = scale_of(axis, 0, 1, 5);
    if (axis->plain) return 0;
    for (size_t i = 0; i < s.ticks.count; i++) {
        size_t length = strlen(tick_text(&s, s.ticks.value[i], text));
        if (length > widest) widest = length;
    }
    for (size_t i = 0; axis->names && (double)i <= axis->high; i++)
        names = fmax(names, name_width(axis->names[i], &bytes));
    return (axis->names ? names : fmin((double)widest * CHARACTER, WIDTH * 0.42)) + 10;
}

/* ---- Axes ------------------------------------------------------------------------------------ */

static void draw_upright(lm_output *out, const scale *y, const scale *x)
{
    char text[LM_NUMBER_TEXT];
    for (size_t i = 0; i < y->ticks.count; i++) {
        double at = place(y, y->ticks.value[i]);
        lm_page(
            out,
            "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
            x->from, at, x->to, x->from - 7, at + 4, tick_text(y, y->ticks.value[i], text));
    }
    for (size_t i = 0; y->axis->names && (double)i <= y->axis->high; i++) {
        double at = place(y, (double)i);
        const char *name = y->axis->names[i];
        size_t bytes;
        name_width(name, &bytes);
        lm_page(out,
                "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/><text class=\"name\" x=\"%.1f\" y=\"%.1f\" "
                "text-anchor=\"end\">%.*s",
                x->from, at, x->to, x->from - 9, at + 4.5, (int)bytes, name);
        if (name[bytes]) lm_page(out, "…<title>%s</title>", name);
        lm_page(out, "</text>\n");
    }
    if (y->axis->label) lm_page(out, "<text class=\"axis\" x=\"0\" y=\"%.1f\">%s</text>\n", y->to - 12, y->axis->label);
}

static void draw_level(lm_output *out, const scale *x, const scale *y)
{
    char text[LM_NUMBER_TEXT];
    double foot = y->from;
    for (size_t i = 0; i < x->ticks.count; i++) {
        double at = place(x, x->ticks.value[i]);
        if (y->axis->names || x->axis->powers)
            lm_page(out, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>", at, foot, y->to);
        lm_page(
            out,
            "<path class=\"base\" d=\"M%.1f %.1fv4\"/><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
            at, foot, at, foot + 17, tick_text(x, x->ticks.value[i], text));
    }
    for (size_t i = 0; x->axis->names && (double)i <= x->axis->high; i++)
        lm_page(out, "<text class=\"name\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
                place(x, (double)i), foot + 17, x->axis->names[i]);
    if (x->axis->plain && y->axis->plain)
        lm_page(out, "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", x->from, y->to,
                x->to - x->from, y->from - y->to);
    else
        lm_page(out, "<path class=\"base\" d=\"M%.1f %.1fH%.1f\"/>\n", x->from, foot, x->to);
    if (x->axis->label)
        lm_page(out, "<text class=\"axis\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
                (x->from + x->to) / 2, foot + (x->axis->plain ? 18 : 36), x->axis->label);
}

/* ---- Series ---------------------------------------------------------------------------------- */

static bool shown(const lm_series *s, size_t i)
{
    return isfinite(x_of(s, i)) && isfinite(y_of(s, i));
}

static double room_of(const lm_series *s)
{
    return s->significant ? LONG_VALUES : VALUES;
}

/* Draws the area from y - spread to y + spread: first along the upper edge, then back along the lower one. */
static void draw_band(lm_output *out, const lm_series *s, const scale *x, const scale *y)
{
    char step = 'M';
    lm_page(out, "<path class=\"band\" d=\"");
    for (size_t i = 0; i < s->count; i++)
        if (shown(s, i)) {
            lm_page(out, "%.*s%.1f %.1f", 1, &step, place(x, x_of(s, i)), place(y, y_of(s, i) + spread_of(s, i)));
            step = 'L';
        }
    for (size_t i = s->count; i-- > 0;)
        if (shown(s, i)) lm_page(out, "L%.1f %.1f", place(x, x_of(s, i)), place(y, y_of(s, i) - spread_of(s, i)));
    lm_page(out, "\"/>\n");
}

static void draw_line(lm_output *out, const lm_series *s, const scale *x, const scale *y)
{
    char step = 'M';
    lm_page(out, "<path class=\"line\" d=\"");
    for (size_t i = 0; i < s->count; i++) {
        if (shown(s, i) && s->steps && step == 'L')
            lm_page(out, "H%.1fV%.1f", place(x, x_of(s, i)), place(y, y_of(s, i)));
        else if (shown(s, i))
            lm_page(out, "%.*s%.1f %.1f", 1, &step, place(x, x_of(s, i)), place(y, y_of(s, i)));
        step = shown(s, i) ? 'L' : 'M'; /* gap at missing values */
    }
    lm_page(out, "\"/>\n");
}

/* Returns the place of the end of a bar, which stops at the end of the axis. */
static double place_inside(const scale *s, double value)
{
    return place(s, fmin(fmax(value, s->low), s->high));
}

static void draw_whisker(lm_output *out, const lm_series *s, size_t i, const scale *x, const scale *y)
{
    double around = spread_of(s, i);
    if (!(around > 0)) return;
    if (s->sideways)
        lm_page(out, "<path class=\"whisker\" d=\"M%.1f %.1fH%.1f\"/>\n", place_inside(x, x_of(s, i) - around),
                place(y, y_of(s, i)), place_inside(x, x_of(s, i) + around));
    else
        lm_page(out, "<path class=\"whisker\" d=\"M%.1f %.1fV%.1f\"/>\n", place(x, x_of(s, i)),
                place_inside(y, y_of(s, i) - around), place_inside(y, y_of(s, i) + around));
}

/* Writes the value above its dot, or in a column of numbers at the end of the rows. */
static void draw_value(lm_output *out, const lm_series *s, size_t i, const scale *x, const scale *y)
{
    if (s->sideways)
        lm_page(out, "<text class=\"value\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">", x->to + room_of(s),
                place(y, y_of(s, i)) + 4.5);
    else
        lm_page(out, "<text class=\"value\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", place(x, x_of(s, i)),
                place(y, y_of(s, i)) - 9);
    lm_page(out, s->significant ? "%.*g</text>\n" : "%.*f</text>\n", s->significant ? 3 : s->decimals,
            s->sideways ? x_of(s, i) : y_of(s, i));
}

static void draw_series(lm_output *out, const lm_series *s, const scale *x, const scale *y)
{
    lm_page(out, "<g class=\"c%u%s\">\n", lm_style_color(s->style), s->quiet ? " quiet" : s->faded ? " faded" : "");
    if (s->band && s->spread) draw_band(out, s, x, y);
    if (s->line) draw_line(out, s, x, y);
    for (size_t i = 0; s->spread && !s->band && i < s->count; i++)
        if (shown(s, i)) draw_whisker(out, s, i, x, y);
    for (size_t i = 0; s->dots && i < s->count; i++)
        if (shown(s, i)) {
            lm_mark_write(out, s->style, place(x, x_of(s, i)), place(y, y_of(s, i)),
                          s->faded || s->quiet ? FADED_RADIUS : RADIUS, s->titles ? s->titles[i] : NULL);
            lm_page(out, "\n");
        }
    for (size_t i = 0; s->values && i < s->count; i++)
        if (shown(s, i)) draw_value(out, s, i, x, y);
    lm_page(out, "</g>\n");
}

static void draw_diagonal(lm_output *out, const scale *x, const scale *y)
{
    double low = fmax(x->low, y->low), high = fmin(x->high, y->high);
    if (low < high)
        lm_page(out, "<path class=\"guide\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", place(x, low), place(y, low),
                place(x, high), place(y, high));
}

/* Widens the range whose unit is longer. */
static void equalize(scale *x, scale *y)
{
    double wide = (x->high - x->low) / fabs(x->to - x->from), high = (y->high - y->low) / fabs(y->to - y->from);
    scale *loose = wide < high ? x : y;
    double more = (fmax(wide, high) * fabs(loose->to - loose->from) - (loose->high - loose->low)) / 2;
    loose->low -= more, loose->high += more;
}

void lm_chart_write(lm_output *out, const lm_chart *chart)
{
    double width = chart->width > 0 ? chart->width : WIDTH, height = chart->height > 0 ? chart->height : HEIGHT;
    double left = chart->y.plain ? 0.5 : label_width(&chart->y), top = chart->y.label ? 28 : 12;
    double foot = chart->x.plain ? 4 : 22;
    foot += chart->x.label ? 20 : 0;
    double right = chart->x.plain ? 0.5 : 14;
    for (size_t i = 0; i < chart->count; i++)
        if (chart->series[i].values && chart->series[i].sideways) right = room_of(chart->series + i);
    scale x = scale_of(&chart->x, left, width - right, 5);
    scale y = scale_of(&chart->y, height - foot, top, 5);
    if (chart->equal) equalize(&x, &y);
    lm_page(out, "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"%s\">\n<title>%s</title>\n<desc>%s</desc>\n",
            width, height, chart->title, chart->title, chart->description);
    draw_upright(out, &y, &x);
    draw_level(out, &x, &y);
    if (chart->diagonal) draw_diagonal(out, &x, &y);
    for (size_t i = 0; i < chart->count; i++) draw_series(out, chart->series + i, &x, &y);
    lm_page(out, "</svg>\n");
}
