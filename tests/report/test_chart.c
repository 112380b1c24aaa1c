/* Axes: ticks are round, inside, evenly spaced and few. Charts: every point is inside the chart, whatever the values.
 */
#include "base/context.h"
#include "report/chart.h"
#include "support/captured_output.h"
#include <math.h>
#include <stdio.h>

static double real(uint64_t *state)
{
    return (double)(test_random(state) % 2000001) / 1e6 - 1;
}

static void test_ticks(void **unused)
{
    (void)unused;
    uint64_t state = 17;
    for (size_t i = 0; i < 5000; i++) {
        double size = pow(10, (double)(test_random(&state) % 16) - 8), low = real(&state) * size;
        double high = low + fabs(real(&state)) * size * (i % 2 ? 1 : 100);
        bool whole = i % 3 == 0;
        size_t wanted = 2 + test_random(&state) % 6;
        lm_ticks t = lm_ticks_linear(low, high, wanted, whole);
        assert_true(t.count <= LM_TICKS);
        if (!whole && wanted > 2 && high - low > 1e-6 * size) assert_true(t.count >= 1);
        double step = t.count > 1 ? t.value[1] - t.value[0] : 0;
        for (size_t j = 0; j < t.count; j++) {
            char text[400];
            assert_true(t.value[j] >= low - 1e-6 * (high - low) && t.value[j] <= high + 1e-6 * (high - low));
            if (whole && t.count > 1) assert_true(fabs(t.value[j] - round(t.value[j])) < 1e-9);
            if (j)
                assert_true(fabs(t.value[j] - t.value[j - 1] - step) <
                            1e-9 * fmax(fabs(high), fabs(low)) + 1e-9 * step);
            if (t.count < 2) continue;
            snprintf(text, sizeof text, "%.*f", t.decimals, t.value[j]); /* so many decimals say it exactly */
            assert_true(fabs(strtod(text, NULL) - t.value[j]) < step * 1e-3);
        }
        if (t.count > 1) { /* 1, 2 or 5 times a power of ten */
            double factor = step / pow(10, floor(log10(step) + 1e-6));
            assert_true(fabs(factor - 1) < 1e-4 || fabs(factor - 2) < 1e-4 || fabs(factor - 5) < 1e-4);
        }
    }
    lm_ticks known = lm_ticks_linear(0, 100, 5, false);
    assert_int_equal(known.count, 6);
    assert_true(known.value[5] == 100 && known.value[1] == 20 && known.decimals == 0);
}

static void test_strange_ranges(void **unused)
{
    (void)unused;
    assert_int_equal(lm_ticks_linear(NAN, 1, 5, false).count, 0);
    assert_int_equal(lm_ticks_linear(0, INFINITY, 5, false).count, 0);
    assert_int_equal(lm_ticks_linear(2, 1, 5, false).count, 0);
    assert_int_equal(lm_ticks_linear(3, 3, 5, false).count, 1);
    assert_int_equal(lm_ticks_linear(-1e308, 1e308, 5, false).count, 0);
    assert_int_equal(lm_ticks_powers(0, 10, 5).count, 0);
    lm_ticks t = lm_ticks_powers(0.0009, 2000, 8);
    assert_int_equal(t.count, 7);
    for (size_t i = 0; i < t.count; i++) assert_true(fabs(t.value[i] / pow(10, (double)i - 3) - 1) < 1e-9);
    t = lm_ticks_powers(1.5, 7, 5);
    assert_int_equal(t.count, 2);
    assert_true(fabs(t.value[0] - 2) < 1e-9 && fabs(t.value[1] - 5) < 1e-9);
    assert_true(lm_ticks_powers(1e-300, 1e300, 5).count <= LM_TICKS);
}

/* Every number of an attribute, in turn. */
static void assert_inside(const char *svg, const char *attribute, double low, double high)
{
    for (const char *at = svg; (at = strstr(at, attribute)); at++) {
        double value = strtod(at + strlen(attribute), NULL);
        if (!(value >= low && value <= high)) fail_msg("%s%g lies outside of %g .. %g", attribute, value, low, high);
    }
}

static void draw(leman_context *ctx, const lm_chart *chart, test_captured_output *c)
{
    lm_output out;
    assert_int_equal(test_captured_output_open(ctx, c, &out), LEMAN_OK);
    lm_chart_write(&out, chart);
    lm_chart_legend(&out, chart->series, chart->count);
    assert_int_equal(lm_output_commit(&out), LEMAN_OK);
    assert_null(strstr(c->text, "nan"));
    assert_null(strstr(c->text, "inf"));
}

static void test_points_stay_inside(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    test_captured_output c = {0};
    uint64_t state = 5;
    for (size_t i = 0; i < 200; i++) {
        double x[20], y[20], spread[20];
        size_t count = i % 20;
        for (size_t j = 0; j < count; j++) {
            x[j] = i % 7 == 0 ? 3 : fabs(real(&state)) + 1e-3;
            y[j] = i % 11 == 0 ? NAN : real(&state) * 1e3;
            spread[j] = i % 5 == 0 ? 0 : fabs(real(&state));
        }
        lm_series series = {.name = "one",
                            .count = count,
                            .x = x,
                            .y = y,
                            .spread = spread,
                            .dots = true,
                            .line = i % 2,
                            .band = i % 3 == 0,
                            .style = (unsigned)i};
        lm_chart chart = lm_chart_new("t", "d", "x", "y");
        chart.width = 300, chart.height = 200, chart.x.powers = i % 4 == 1;
        lm_chart_show(&chart, &series, 1);
        draw(ctx, &chart, &c);
        assert_inside(c.text, " cx=\"", 0, 300);
        assert_inside(c.text, " cy=\"", 0, 200);
        assert_inside(c.text, "translate(", 0, 300);
        assert_inside(c.text, "<text x=\"", -1, 301);
    }
    test_captured_output_free(&c);
    test_context_free(ctx);
}

/* Bars that are longer than the axis end with it. */
static void test_bars_end_with_the_axis(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    test_captured_output c = {0};
    const double x[] = {0.3, 0.6}, y[] = {0.05, 0.97}, spread[] = {0.4, 0.4};
    lm_chart chart = lm_chart_new("t", "d", "x", "y");
    lm_series series = lm_series_dots("one", 2, x, y, 0);
    series.spread = spread;
    chart.width = 300, chart.height = 200;
    chart.x.low = chart.y.low = 0, chart.x.high = chart.y.high = 1;
    lm_chart_show(&chart, &series, 1);
    draw(ctx, &chart, &c);
    double at[2][3]; /* x, lower end, upper end */
    const char *text = c.text;
    for (size_t i = 0; i < 2; i++) {
        text = strstr(text, "class=\"whisker\"");
        assert_non_null(text);
        assert_int_equal(sscanf(text++, "class=\"whisker\" d=\"M%lf %lfV%lf\"", at[i], at[i] + 1, at[i] + 2), 3);
    }
    const double unit = (at[0][1] - at[1][2]); /* the first ends at 0, the second at 1 */
    assert_true(unit > 50 && unit < 200);
    assert_true(fabs(at[0][2] - (at[0][1] - 0.45 * unit)) < 0.2);
    assert_true(fabs(at[1][1] - (at[0][1] - 0.57 * unit)) < 0.2);
    test_captured_output_free(&c);
    test_context_free(ctx);
}

static void test_names_are_escaped(void **unused)
{
    (void)unused;
    static const char *const NAMES[] = {"<i>a</i>", "b & c"};
    double x[] = {1, 2}, y[] = {0, 1};
    const char *titles[] = {"<script>", "&"};
    leman_context *ctx = test_context_new(1);
    test_captured_output c = {0};
    lm_series series[2] = {{.name = "<u>", .count = 2, .x = x, .y = y, .dots = true, .titles = titles},
                           {.name = "two", .count = 2, .x = x, .y = y, .dots = true, .style = 1}};
    lm_chart chart = {.title = "a \"t\"", .description = "<d>", .series = series, .count = 2};
    chart.x = (lm_axis){.label = "x < 3", .low = 1, .high = 2};
    chart.y = (lm_axis){.names = NAMES, .high = 1};
    draw(ctx, &chart, &c);
    for (const char *bad = "<i> <u> <d> <script>"; *bad; bad += strcspn(bad, " "), bad += *bad == ' ') {
        char word[16] = {0};
        memcpy(word, bad, strcspn(bad, " "));
        assert_null(strstr(c.text, word));
    }
    assert_non_null(strstr(c.text, "x &lt; 3"));
    assert_non_null(strstr(c.text, "<li class=\"c1\">"));
    test_captured_output_free(&c);
    test_context_free(ctx);
}

/* Names that would leave the page are cut between characters, and the whole name is their title. */
static void test_long_names_are_cut(void **unused)
{
    (void)unused;
    static const char *const NAMES[] = {"short", "δδδδδδδδδδδδδδδδδδδδδδδδδδδδδδδδδδδδδδδδ",
                                        "NVS_NR_HUMAN_RECEPTOR_AGONIST"};
    double x[] = {1, 2, 3}, y[] = {0, 1, 2};
    leman_context *ctx = test_context_new(1);
    test_captured_output c = {0};
    lm_series series = {.count = 3, .x = x, .y = y, .dots = true};
    lm_chart chart = {.title = "t", .description = "d", .series = &series, .count = 1};
    chart.x = (lm_axis){.low = 1, .high = 3};
    chart.y = (lm_axis){.names = NAMES, .high = 2};
    draw(ctx, &chart, &c);
    assert_non_null(strstr(c.text, ">short</text>"));
    assert_non_null(strstr(c.text, ">NVS_NR_"));
    assert_null(strstr(c.text, ">NVS_NR_HUMAN_RECEPTOR_AGONIST</text>"));
    assert_non_null(strstr(c.text, "…<title>NVS_NR_HUMAN_RECEPTOR_AGONIST</title></text>"));
    const char *greek = strstr(c.text, ">δ");
    size_t letters = strspn(greek + 1, "δ") / 2; /* bytes of a letter */
    assert_true(letters >= 8 && letters < 30);
    assert_memory_equal(greek + 1 + 2 * letters, "…<title>δ", strlen("…<title>δ"));
    test_captured_output_free(&c);
    test_context_free(ctx);
}

/* A line of steps has no slanted part: it goes level to the next x, then upright. */
static void test_steps(void **unused)
{
    (void)unused;
    static const double x[] = {1, 2, 3, 4}, y[] = {8, 8, 4, 2};
    leman_context *ctx = test_context_new(1);
    test_captured_output c = {0};
    lm_series series = {.count = 4, .x = x, .y = y, .line = true, .steps = true};
    lm_chart chart = {.title = "t",
                      .description = "d",
                      .x = {.low = 1, .high = 4},
                      .y = {.low = 2, .high = 8},
                      .series = &series,
                      .count = 1};
    draw(ctx, &chart, &c);
    const char *line = strstr(c.text, "class=\"line\" d=\"M");
    assert_non_null(line);
    const size_t from = strlen("class=\"line\" d=\""), length = strcspn(line + from, "\"");
    assert_null(memchr(line + from, 'L', length));
    assert_non_null(memchr(line + from, 'H', length));
    series.steps = false;
    draw(ctx, &chart, &c);
    line = strstr(c.text, "class=\"line\" d=\"M");
    assert_non_null(memchr(line + from, 'L', strcspn(line + from, "\"")));
    test_captured_output_free(&c);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps),
                                       cmocka_unit_test(test_ticks),
                                       cmocka_unit_test(test_strange_ranges),
                                       cmocka_unit_test(test_points_stay_inside),
                                       cmocka_unit_test(test_bars_end_with_the_axis),
                                       cmocka_unit_test(test_names_are_escaped),
                                       cmocka_unit_test(test_long_names_are_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
