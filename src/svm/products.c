/* Products of several Hessians; products.h has the contracts. Loops over lanes have a constant length once they are
 * inlined, and become vector instructions. Sums are computed in the order of the rows and of the columns. */
#include "svm/products.h"
#include <string.h>

#define FREQUENT 2048 /* columns whose numbers fit into the second-level cache, even with four lanes */
#define LINE 64       /* bytes of a cache line */

#if defined __GNUC__ || defined __clang__
#define INLINE static inline __attribute__((always_inline))
#define PREFETCH(address) __builtin_prefetch(address, 1)
#else
#define INLINE static inline
#define PREFETCH(address) ((void)(address))
#endif

/* ---- Initialisation -------------------------------------------------------------------------- */

/* Merges the rows of all lists, each row once. */
static void merge_lists(lm_products *p, const uint32_t *const *item, const size_t *size, size_t count,
                        uint32_t *const *place)
{
    size_t at[LM_LANES] = {0};
    for (;;) {
        uint32_t next = UINT32_MAX;
        for (size_t l = 0; l < count; l++)
            if (at[l] < size[l] && item[l][at[l]] < next) next = item[l][at[l]];
        if (next == UINT32_MAX) return;
        for (size_t l = 0; l < count; l++)
            if (at[l] < size[l] && item[l][at[l]] == next) place[l][at[l]++] = (uint32_t)p->count;
        p->row[p->count++] = next;
    }
}

/* Returns true if all lists are the same array, in any order of rows. */
static bool are_same(const uint32_t *const *item, const size_t *size, size_t count)
{
    for (size_t l = 1; l < count; l++)
        if (item[l] != item[0] || size[l] != size[0]) return false;
    return true;
}

static void list_rows(lm_products *p, const uint32_t *const *item, const size_t *size, size_t count,
                      uint32_t *const *place)
{
    if (!are_same(item, size, count)) {
        merge_lists(p, item, size, count, place);
        return;
    }
    p->count = size[0];
    memcpy(p->row, item[0], size[0] * sizeof *p->row);
    for (size_t l = 0; l < count; l++)
        for (size_t i = 0; i < size[l]; i++) place[l][i] = (uint32_t)i;
}

/* Returns the number of nodes of a row in columns below `column`. */
static uint32_t nodes_below(const lm_node *node, size_t count, size_t column)
{
    size_t low = 0;
    while (low < count) {
        size_t middle = low + (count - low) / 2;
        if (node[middle].column < column)
            low = middle + 1;
        else
            count = middle;
    }
    return (uint32_t)low;
}

static void *align(void *memory)
{
    return (char *)memory + (LINE - (uintptr_t)memory % LINE) % LINE;
}

leman_status lm_products_init(leman_context *ctx, const lm_rows *rows, const uint32_t *const *item, const size_t *size,
                              size_t count, uint32_t *const *place, lm_products *out)
{
    lm_products p = {.rows = rows, .width = rows->shared + 1};
    size_t most = 0, cells;
    p.lanes = count > 2 ? LM_LANES : count;
    p.frequent = rows->shared < FREQUENT ? rows->shared : FREQUENT;
    for (size_t l = 0; l < count; l++) most += size[l];
    if (most > rows->rows && !are_same(item, size, count)) most = rows->rows;
    PASS_SCRATCH(ctx, p.row, most);
    PASS_SCRATCH(ctx, p.split, most);
    list_rows(&p, item, size, count, place);
    for (size_t i = 0; i < p.count; i++) {
        const lm_node *end, *begin = lm_rows_nodes(rows, p.row[i], &end);
        p.split[i] = nodes_below(begin, (size_t)(end - begin), p.frequent);
    }
    PASS_SCRATCH_ZERO(ctx, p.loss, p.count * p.lanes);
    PASS_SCRATCH(ctx, p.value, p.count * p.lanes);
    cells = 2 * p.frequent * p.lanes;
    PASS_SCRATCH(ctx, p.product, cells + LINE / sizeof *p.product);
    p.product = align(p.product);
    memset(p.product, 0, cells * sizeof *p.product);
    cells = 2 * (p.width - p.frequent) * p.lanes;
    PASS_SCRATCH(ctx, p.rare, cells + LINE / sizeof *p.rare);
    p.rare = align(p.rare);
    memset(p.rare, 0, cells * sizeof *p.rare);
    *out = p;
    return LEMAN_OK;
}

/* ---- Directions ------------------------------------------------------------------------------ */

INLINE void set_directions(lm_products *products, double *const *add, const double *keep, const size_t lanes)
{
    double square[LM_LANES] = {0};
    double *p = products->product;
    float *rare = products->rare;
    for (size_t j = 0; j < products->frequent; j++, p += 2 * lanes)
        for (size_t l = 0; l < lanes; l++) {
            p[l] = add[l][j] + keep[l] * p[l];
            p[lanes + l] = 0;
            square[l] += p[l] * p[l];
        }
    for (size_t j = products->frequent; j < products->width; j++, rare += 2 * lanes)
        for (size_t l = 0; l < lanes; l++) {
            rare[l] = (float)(add[l][j] + keep[l] * (double)rare[l]);
            rare[lanes + l] = 0;
            square[l] += (double)rare[l] * (double)rare[l];
        }
    memcpy(products->square, square, sizeof square);
}

INLINE void advance(const lm_products *products, double factor, const double *length, double *const *step,
                    double *const *rest, double *norm, const size_t lanes)
{
    double sum[LM_LANES] = {0};
    const double *p = products->product;
    const float *rare = products->rare;
    for (size_t j = 0; j < products->frequent; j++, p += 2 * lanes)
        for (size_t l = 0; l < lanes; l++) {
            step[l][j] += length[l] * p[l];
            rest[l][j] -= length[l] * (p[l] + factor * p[lanes + l]);
            sum[l] += rest[l][j] * rest[l][j];
        }
    for (size_t j = products->frequent; j < products->width; j++, rare += 2 * lanes)
        for (size_t l = 0; l < lanes; l++) {
            step[l][j] += length[l] * (double)rare[l];
            rest[l][j] -= length[l] * ((double)rare[l] + factor * (double)rare[lanes + l]);
            sum[l] += rest[l][j] * rest[l][j];
        }
    memcpy(norm, sum, lanes * sizeof *norm);
}

/* ---- Products -------------------------------------------------------------------------------- */

/* The nodes of a row: frequent columns before `middle`, rare ones from there on. */
typedef struct product_row {
    const lm_node *begin, *middle, *end;
} product_row;

INLINE product_row row_of(const lm_products *p, size_t i)
{
    const lm_rows *rows = p->rows;
    const lm_node *end, *begin = lm_rows_nodes(rows, p->row[i], &end);
    if (end > begin && end[-1].column >= rows->shared) end--; /* in a column that only this row has */
    return (product_row){begin, begin + p->split[i], end};
}

/* Returns true if the row has a loss in any lane. */
INLINE bool is_active(const lm_products *p, size_t i, const size_t lanes)
{
    const double *loss = p->loss + i * lanes;
    double sum = 0;
    for (size_t l = 0; l < lanes; l++) sum += loss[l];
    return sum > 0;
}

/* Sets out[lanes] to x . direction, without the bias. */
INLINE void multiply_row(product_row r, const double *p, const float *rare, double *out, const size_t lanes)
{
    double even[LM_LANES] = {0}, odd[LM_LANES] = {0};
    float rare_even[LM_LANES] = {0}, rare_odd[LM_LANES] = {0};
    const lm_node *x = r.begin;
    for (; x + 1 < r.middle; x += 2) {
        const double *a = p + 2 * lanes * x[0].column, *b = p + 2 * lanes * x[1].column;
        for (size_t l = 0; l < lanes; l++) even[l] += a[l] * (double)x[0].value;
        for (size_t l = 0; l < lanes; l++) odd[l] += b[l] * (double)x[1].value;
    }
    if (x < r.middle)
        for (size_t l = 0; l < lanes; l++) even[l] += p[2 * lanes * x->column + l] * (double)x->value;
    for (x = r.middle; x + 1 < r.end; x += 2) {
        const float *a = rare + 2 * lanes * x[0].column, *b = rare + 2 * lanes * x[1].column;
        for (size_t l = 0; l < lanes; l++) rare_even[l] += a[l] * x[0].value;
        for (size_t l = 0; l < lanes; l++) rare_odd[l] += b[l] * x[1].value;
    }
    if (x < r.end)
        for (size_t l = 0; l < lanes; l++) rare_even[l] += rare[2 * lanes * x->column + l] * x->value;
    for (size_t l = 0; l < lanes; l++) out[l] = even[l] + odd[l] + (double)(rare_even[l] + rare_odd[l]);
}

/* Adds factor x to the image. No column occurs twice in a row, so two columns are updated at once. */
INLINE void add_row(product_row r, const double *factor, double *p, float *rare, const size_t lanes)
{
    float rounded[LM_LANES];
    const lm_node *x = r.begin;
    for (size_t l = 0; l < lanes; l++) rounded[l] = (float)factor[l];
    for (; x < r.middle; x++)
        for (size_t l = 0; l < lanes; l++) p[2 * lanes * x->column + lanes + l] += factor[l] * (double)x->value;
    for (; x + 1 < r.end; x += 2) {
        float *a = rare + 2 * lanes * x[0].column + lanes, *b = rare + 2 * lanes * x[1].column + lanes;
        float sum[2][LM_LANES];
        for (size_t l = 0; l < lanes; l++) sum[0][l] = a[l] + rounded[l] * x[0].value;
        for (size_t l = 0; l < lanes; l++) sum[1][l] = b[l] + rounded[l] * x[1].value;
        memcpy(a, sum[0], lanes * sizeof *a);
        memcpy(b, sum[1], lanes * sizeof *b);
    }
    if (x < r.end)
        for (size_t l = 0; l < lanes; l++) rare[2 * lanes * x->column + lanes + l] += rounded[l] * x->value;
}

INLINE void multiply(lm_products *products, const size_t lanes)
{
    float *rare = products->rare, *bias = rare + 2 * lanes * (products->width - 1 - products->frequent);
    double sum[LM_LANES] = {0}, curvature[LM_LANES] = {0}, factor[LM_LANES];
    rare -= 2 * lanes * products->frequent; /* so that columns are its indices */
    for (size_t i = 0; i < products->count; i++) {
        if (i + 1 < products->count && is_active(products, i + 1, lanes)) {
            product_row next = row_of(products, i + 1);
            for (const lm_node *x = next.middle; x < next.end; x++) PREFETCH(rare + 2 * lanes * x->column);
        }
        if (!is_active(products, i, lanes)) continue;
        product_row r = row_of(products, i);
        double *value = products->value + i * lanes;
        multiply_row(r, products->product, rare, value, lanes);
        for (size_t l = 0; l < lanes; l++) {
            value[l] += (double)bias[l];
            factor[l] = products->loss[i * lanes + l] * value[l];
            sum[l] += factor[l];
            curvature[l] += factor[l] * value[l];
        }
        add_row(r, factor, products->product, rare, lanes);
    }
    for (size_t l = 0; l < lanes; l++) bias[lanes + l] = (float)sum[l];
    memcpy(products->curvature, curvature, sizeof curvature);
}

/* ---- For every number of lanes --------------------------------------------------------------- */

/* Calls a function whose last argument, the number of lanes, is a constant. */
#define WITH_LANES(products, function, ...)                                                                            \
    ((products)->lanes == 1   ? function(__VA_ARGS__, 1)                                                               \
     : (products)->lanes == 2 ? function(__VA_ARGS__, 2)                                                               \
                              : function(__VA_ARGS__, 4))

void lm_products_set_directions(lm_products *p, double *const *add, const double *keep)
{
    WITH_LANES(p, set_directions, p, add, keep);
}

void lm_products_multiply(lm_products *p)
{
    WITH_LANES(p, multiply, p);
}

void lm_products_advance(const lm_products *p, double factor, const double *length, double *const *step,
                         double *const *rest, double *norm)
{
    WITH_LANES(p, advance, p, factor, length, step, rest, norm);
}
