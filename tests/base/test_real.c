/* Reals as text: the shortest that reads back, whichever way it was made, and the scanner's agreement with strtod. */
#include "support/support.h"

#include "base/context.h"
#include "base/file.h"
#include "base/text.h"
#include <float.h>
#include <math.h>
#include <stdio.h>

static int collect(void *user, const char *bytes, size_t size)
{
    strncat(user, bytes, size);
    return 0;
}

/* What lm_output_real writes is the first of 15, 16, 17 digits that strtod reads as the same value. */
static void expect_shortest(leman_context *ctx, double value)
{
    char written[512] = "", expected[64];
    lm_output out;
    assert_int_equal(lm_output_open_sink(ctx, "memory", collect, written, &out), LEMAN_OK);
    assert_int_equal(lm_output_real(&out, value), LEMAN_OK);
    assert_int_equal(lm_output_commit(&out), LEMAN_OK);
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(expected, sizeof expected, "%.*g", digits, value);
        double back = strtod(expected, NULL);
        if (!memcmp(&back, &value, sizeof back)) break;
    }
    assert_string_equal(written, expected);

    double read;
    lm_text text = lm_text_of(ctx, "memory", (lm_bytes){written, strlen(written), false});
    assert_int_equal(lm_text_real(&text, "a number", &read), LEMAN_OK);
    assert_memory_equal(&read, &value, sizeof read);
}

static void the_shortest_text_is_written(void **state)
{
    (void)state;
    static const double ODD[] = {0,
                                 -0.0,
                                 1,
                                 -1,
                                 0.1,
                                 1.0 / 3,
                                 1e14,
                                 1e15,
                                 1e16,
                                 1e22,
                                 1e23,
                                 1e-4,
                                 1e-5,
                                 0.5,
                                 2.5,
                                 999999.5,
                                 DBL_MAX,
                                 DBL_MIN,
                                 5e-324,
                                 -0.001,
                                 123.456,
                                 1234567,
                                 1e-4 / 3,
                                 99.99,
                                 0.3 - 0.1,
                                 999999999999999.0,
                                 9007199254740993.0};
    leman_context *ctx = test_context_new(1);
    uint64_t random = 3;
    for (size_t i = 0; i < sizeof ODD / sizeof *ODD; i++) expect_shortest(ctx, ODD[i]);
    for (size_t i = 0; i < test_cases(20000); i++) {
        uint64_t bits = test_random(&random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) expect_shortest(ctx, value);
        /* Short decimals, and their neighbours, which are not short. */
        value = (double)(int64_t)(bits % 2000000 - 1000000) / pow(10, (double)(bits >> 60));
        expect_shortest(ctx, value);
        expect_shortest(ctx, nextafter(value, 1e30));
        expect_shortest(ctx, (double)(bits >> 11) / 9007199254740992.0); /* all of [0, 1) */
    }
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_shortest_text_is_written)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
