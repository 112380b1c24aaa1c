/*
 * Sums over lists of rows in the caller's memory (leman/neighbor_sum.h):
 *
 *   y[r] = (1+e) x[r] + sum of w_i x[other_i] over the list of r
 *
 * A row of y stays in the first-level cache while the rows of its list are added in their order, so the result does not
 * depend on the number of threads. Threads take pieces of rows; a piece of long lists has fewer rows. O((rows +
 * entries) width); no memory is allocated.
 */
#include "nn/row_sum.h"
#include "base/arguments.h"
#include <string.h>

enum { PIECE = 256, PIECE_TERMS = 2048 /* about so many terms in a piece, at most PIECE rows */ };

void leman_row_lists_init(leman_row_lists *lists, size_t size)
{
    const leman_row_lists defaults = {0};
    lm_options_init(lists, size, &defaults, sizeof defaults);
}

/* ---- Checks ---------------------------------------------------------------------------------- */

/* Copies the caller's lists. Numbers in the memory of a device are not looked at. */
static leman_status copy_lists(leman_context *ctx, const leman_row_lists *given, leman_row_lists *out)
{
    leman_row_lists_init(out, sizeof *out);
    PASS(lm_options_copy(ctx, "leman_row_lists", given, out, sizeof *out));
    REQUIRE(ctx, out->start);
    REQUIRE_ENUM(ctx, out->device, LEMAN_DEVICE_COUNT - 1);
    return LEMAN_OK;
}

static leman_status check_lists(leman_context *ctx, const leman_row_lists *l)
{
    bool outside = false;
    if (l->start[0] != 0)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "start: found %lld first, expected 0", (long long)l->start[0]);
    for (size_t r = 0; r < l->rows; r++)
        if (l->start[r + 1] < l->start[r])
            return lm_fail(ctx, LEMAN_ERROR_INPUT,
                           "start: found %lld behind %lld, expected numbers that never decrease",
                           (long long)l->start[r + 1], (long long)l->start[r]);
    if (l->start[l->rows]) REQUIRE(ctx, l->other);
    for (size_t i = 0; i < (size_t)l->start[l->rows]; i++) outside |= (uint64_t)l->other[i] >= l->others;
    if (!outside) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_INPUT, "other: found a row that does not exist, expected numbers from 0 to %zu",
                   l->others ? l->others - 1 : 0);
}

/* ---- Sums ------------------------------------------------------------------------------------ */

/* Defines the sum of rows first .. end - 1 for one type of numbers. */
#define SUM_ROWS(type, name)                                                                                           \
    static void name(const lm_row_sum *s, size_t first, size_t end)                                                    \
    {                                                                                                                  \
        const leman_row_lists *l = &s->lists;                                                                          \
        const type *x = s->x, *weight = l->weight, own = s->epsilon ? 1 + *(const type *)s->epsilon : 0;               \
        const size_t width = s->width;                                                                                 \
        for (size_t r = first; r < end; r++) {                                                                         \
            type *restrict y = (type *)s->y + r * width;                                                               \
            const type *restrict mine = s->epsilon ? x + r * width : x;                                                \
            if (s->epsilon)                                                                                            \
                for (size_t c = 0; c < width; c++) y[c] = own * mine[c];                                               \
            else                                                                                                       \
                memset(y, 0, width * sizeof *y);                                                                       \
            for (int64_t i = l->start[r]; i < l->start[r + 1]; i++) {                                                  \
                const type *restrict row = x + (size_t)l->other[i] * width, factor = weight ? weight[i] : 1;           \
                for (size_t c = 0; c < width; c++) y[c] += factor * row[c];                                            \
            }                                                                                                          \
        }                                                                                                              \
    }
SUM_ROWS(float, sum_floats)
SUM_ROWS(double, sum_doubles)

static void sum_on_cpu(const leman_context *ctx, const lm_row_sum *s)
{
    const size_t rows = s->lists.rows, terms = rows + (size_t)s->lists.start[rows];
    const size_t wanted = rows / (terms / PIECE_TERMS + 1) + 1, piece = wanted < PIECE ? wanted : PIECE;
    const size_t pieces = rows / piece + (rows % piece != 0);
#pragma omp parallel for schedule(dynamic) num_threads(ctx->settings.threads) if (pieces > 1)
    for (size_t p = 0; p < pieces; p++) {
        const size_t first = p * piece, end = rows - first < piece ? rows : first + piece;
        (s->number == LEMAN_NUMBER_FLOAT32 ? sum_floats : sum_doubles)(s, first, end);
    }
}

leman_status leman_neighbor_sum(leman_context *ctx, const leman_row_lists *lists, leman_number number, const void *x,
                                size_t width, const void *epsilon, void *y)
{
    lm_row_sum s = {.number = number, .width = width, .x = x, .epsilon = epsilon, .y = y};
    REQUIRE(ctx, lists, x, y);
    REQUIRE_ENUM(ctx, number, LEMAN_NUMBER_COUNT - 1);
    PASS(copy_lists(ctx, lists, &s.lists));
    if (epsilon && s.lists.rows != s.lists.others)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "epsilon: found %zu list%s and %zu row%s of x, expected as many lists as rows", s.lists.rows,
                       lm_plural(s.lists.rows), s.lists.others, lm_plural(s.lists.others));
    if (s.lists.device == LEMAN_DEVICE_CUDA) return lm_row_sum_cuda(ctx, &s);
    PASS(check_lists(ctx, &s.lists));
    sum_on_cpu(ctx, &s);
    return LEMAN_OK;
}

leman_status leman_row_lists_transpose(leman_context *ctx, const leman_row_lists *lists, int64_t *start, int64_t *other,
                                       int64_t *entry)
{
    leman_row_lists l;
    REQUIRE(ctx, lists, start, other);
    PASS(copy_lists(ctx, lists, &l));
    if (l.device != LEMAN_DEVICE_CPU)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "lists: found lists on a CUDA device, expected lists on the CPU");
    PASS(check_lists(ctx, &l));
    const size_t entries = (size_t)l.start[l.rows];
    memset(start, 0, (l.others + 1) * sizeof *start);
    for (size_t i = 0; i < entries; i++) start[l.other[i] + 1]++;
    for (size_t r = 0; r < l.others; r++) start[r + 1] += start[r];
    for (size_t r = 0; r < l.rows; r++) /* start[t] is the next free place of the list of t */
        for (int64_t i = l.start[r]; i < l.start[r + 1]; i++) {
            const int64_t place = start[l.other[i]]++;
            other[place] = (int64_t)r;
            if (entry) entry[place] = i;
        }
    memmove(start + 1, start, l.others * sizeof *start);
    start[0] = 0;
    return LEMAN_OK;
}
