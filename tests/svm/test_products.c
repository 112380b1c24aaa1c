/* Products of several Hessians at once: against sums over dense rows, and bit by bit against each alone. */
#include "support/support.h"

#include "svm/products.h"
#include <math.h>

enum { ROWS = 60, SHARED = 2500, COLUMNS = SHARED + ROWS, NODES = 80 }; /* SHARED: frequent and rare ones */

typedef struct rows_at_hand {
    lm_rows rows;
    size_t start[ROWS + 1];
    lm_node node[ROWS * NODES];
    uint32_t item[LM_LANES][ROWS];
    size_t size[LM_LANES];
    double loss[LM_LANES][ROWS], direction[LM_LANES][SHARED + 1]; /* loss: by row; 0 where it is not in the lane */
} rows_at_hand;

static double random_number(uint64_t *state)
{
    return (double)(test_random(state) % 2001) / 1000 - 1;
}

/* Rows of increasing columns, the last one the row's own in every third; each lane has some of them. */
static rows_at_hand *rows_new(uint64_t *state)
{
    rows_at_hand *p = calloc(1, sizeof *p);
    size_t nodes = 0;
    for (size_t i = 0; i < ROWS; i++) {
        size_t begin = nodes;
        for (uint32_t c = 0; c < SHARED && nodes - begin + 1 < NODES; c += 1 + (uint32_t)(test_random(state) % 64))
            if (i != 7) p->node[nodes++] = (lm_node){c, (float)random_number(state)};
        if (i % 3 == 0) p->node[nodes++] = (lm_node){SHARED + (uint32_t)i, 0.5F};
        p->start[i + 1] = nodes;
    }
    for (size_t l = 0; l < LM_LANES; l++) {
        for (uint32_t i = 0; i < ROWS; i++)
            if (test_random(state) % 5) {
                p->item[l][p->size[l]++] = i;
                p->loss[l][i] = test_random(state) % 4 ? fabs(random_number(state)) : 0;
            }
        for (size_t j = 0; j <= SHARED; j++) p->direction[l][j] = random_number(state);
    }
    p->rows = (lm_rows){.rows = ROWS, .columns = COLUMNS, .shared = SHARED, .start = p->start, .node = p->node};
    return p;
}

/* What comes out for one lane. */
typedef struct found {
    double image[SHARED + 1], step[SHARED + 1], rest[SHARED + 1], value[ROWS], square, curvature, norm;
} found;

/* Lanes begin .. begin + count - 1 together. The image is what `rest` loses with length 1 and factor 1, less the
 * direction; two turns, so that keeping a part of the direction counts. */
static void multiply(leman_context *ctx, const rows_at_hand *p, size_t begin, size_t count, found *out)
{
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    static double spare[3][SHARED + 1];
    static uint32_t place[LM_LANES][ROWS];
    const uint32_t *item[LM_LANES];
    uint32_t *places[LM_LANES];
    size_t size[LM_LANES];
    double *add[LM_LANES], *step[LM_LANES], *rest[LM_LANES], keep[LM_LANES] = {0}, norm[LM_LANES];
    const double one[LM_LANES] = {1, 1, 1, 1};
    lm_products products;
    for (size_t l = 0; l < LM_LANES; l++) {
        add[l] = l < count ? (double *)p->direction[begin + l] : spare[0];
        step[l] = l < count ? out[l].step : spare[1];
        rest[l] = l < count ? out[l].rest : spare[2];
        places[l] = place[l];
        item[l] = p->item[begin + (l < count ? l : 0)];
        size[l] = p->size[begin + (l < count ? l : 0)];
    }
    assert_int_equal(lm_products_init(ctx, &p->rows, item, size, count, places, &products), LEMAN_OK);
    assert_true(products.count <= ROWS && products.lanes >= count);
    for (size_t l = 0; l < count; l++)
        for (size_t i = 0; i < size[l]; i++) {
            assert_int_equal(products.row[place[l][i]], item[l][i]);
            products.loss[place[l][i] * products.lanes + l] = p->loss[begin + l][item[l][i]];
        }
    lm_products_set_directions(&products, add, keep);
    for (size_t l = 0; l < LM_LANES; l++) keep[l] = 0.5;
    lm_products_set_directions(&products, add, keep); /* 1.5 times the direction */
    lm_products_multiply(&products);
    lm_products_advance(&products, 1, one, step, rest, norm);
    for (size_t l = 0; l < count; l++) {
        for (size_t j = 0; j <= SHARED; j++) out[l].image[j] = -out[l].rest[j] - out[l].step[j];
        for (size_t i = 0; i < size[l]; i++)
            if (p->loss[begin + l][item[l][i]] > 0)
                out[l].value[item[l][i]] = products.value[place[l][i] * products.lanes + l];
        out[l].square = products.square[l];
        out[l].curvature = products.curvature[l];
        out[l].norm = norm[l];
    }
    lm_arena_reset(&ctx->scratch, mark);
}

/* The definition, in double precision. */
static void assert_product(const rows_at_hand *p, size_t lane, const found *f)
{
    double image[SHARED + 1] = {0}, square = 0, curvature = 0, norm = 0;
    for (size_t i = 0; i < ROWS; i++) {
        double value = 1.5 * p->direction[lane][SHARED], loss = p->loss[lane][i];
        for (size_t e = p->start[i]; e < p->start[i + 1]; e++)
            if (p->node[e].column < SHARED)
                value += 1.5 * p->direction[lane][p->node[e].column] * (double)p->node[e].value;
        if (loss == 0) continue;
        assert_true(fabs(f->value[i] - value) < 1e-5);
        for (size_t e = p->start[i]; e < p->start[i + 1]; e++)
            if (p->node[e].column < SHARED) image[p->node[e].column] += loss * value * (double)p->node[e].value;
        image[SHARED] += loss * value;
        curvature += loss * value * value;
    }
    for (size_t j = 0; j <= SHARED; j++) {
        assert_true(fabs(f->step[j] - 1.5 * p->direction[lane][j]) < 1e-6);
        assert_true(fabs(f->image[j] - image[j]) < 1e-4);
        square += f->step[j] * f->step[j];
        norm += f->rest[j] * f->rest[j];
    }
    assert_true(fabs(f->square - square) < 1e-9 * square && fabs(f->norm - norm) < 1e-9 * norm);
    assert_true(fabs(f->curvature - curvature) < 1e-4 * curvature);
}

static void products_are_sums_over_rows(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 5;
    for (size_t test = 0; test < test_cases(4); test++) {
        rows_at_hand *p = rows_new(&state);
        found *alone = calloc(LM_LANES, sizeof *alone);
        for (size_t l = 0; l < LM_LANES; l++) {
            multiply(ctx, p, l, 1, alone + l);
            assert_product(p, l, alone + l);
        }
        for (size_t count = 2; count <= LM_LANES; count++) {
            found *together = calloc(LM_LANES, sizeof *together);
            multiply(ctx, p, LM_LANES - count, count, together);
            assert_memory_equal(together, alone + LM_LANES - count, count * sizeof *together);
            free(together);
        }
        free(alone);
        free(p);
    }
    test_context_free(ctx);
}

/* One list several times may be in any order: the rows of several classes against the others. */
static void one_list_in_any_order(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 6;
    rows_at_hand *p = rows_new(&state);
    const uint32_t list[] = {9, 3, 5, 3}, *item[] = {list, list, list};
    const size_t size[] = {4, 4, 4};
    uint32_t place[3][4], *places[] = {place[0], place[1], place[2]};
    lm_products products;
    assert_int_equal(lm_products_init(ctx, &p->rows, item, size, 3, places, &products), LEMAN_OK);
    assert_int_equal(products.count, 4);
    assert_int_equal(products.lanes, 4);
    for (uint32_t l = 0; l < 3; l++)
        for (uint32_t i = 0; i < 4; i++) {
            assert_int_equal(place[l][i], i);
            assert_int_equal(products.row[i], list[i]);
        }
    free(p);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(products_are_sums_over_rows),
                                       cmocka_unit_test(one_list_in_any_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
