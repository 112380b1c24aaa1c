/*
 * The product of products.c for one number of lanes. Before including this file, define LANES (the number of lanes) and
 * NAME(word) (the name of a function for this number), and the types `part` (PART lanes in double precision) and
 * `single` (LANES lanes in single precision), which are scalars or vectors of the compiler.
 */

typedef struct NAME(product) {
    part direction[LANES / PART], image[LANES / PART];
} NAME(product);
typedef struct NAME(rare) {
    single direction, image;
} NAME(rare);

/* out[LANES] = x . direction, without the bias */
static inline void NAME(multiply_row)(row r, const NAME(product) * p, const NAME(rare) * rare, double *out)
{
    part even[LANES / PART] = {0}, odd[LANES / PART] = {0};
    single rare_even = {0}, rare_odd = {0};
    const lm_node *x = r.begin;
    for (; x + 1 < r.middle; x += 2) {
        const NAME(product) *a = p + x[0].column, *b = p + x[1].column;
        for (size_t i = 0; i < LANES / PART; i++) even[i] += a->direction[i] * (double)x[0].value;
        for (size_t i = 0; i < LANES / PART; i++) odd[i] += b->direction[i] * (double)x[1].value;
    }
    if (x < r.middle)
        for (size_t i = 0; i < LANES / PART; i++) even[i] += p[x->column].direction[i] * (double)x->value;
    for (x = r.middle; x + 1 < r.end; x += 2) {
        rare_even += rare[x[0].column].direction * x[0].value;
        rare_odd += rare[x[1].column].direction * x[1].value;
    }
    if (x < r.end) rare_even += rare[x->column].direction * x->value;
    float rest[LANES];
    for (size_t i = 0; i < LANES / PART; i++) even[i] += odd[i];
    rare_even += rare_odd;
    memcpy(out, even, sizeof even);
    memcpy(rest, &rare_even, sizeof rest);
    for (size_t l = 0; l < LANES; l++) out[l] += (double)rest[l];
}

/* image += factor x. No column occurs twice in a row, so two columns are updated at once. */
static inline void NAME(add_row)(row r, const double *factor, NAME(product) * p, NAME(rare) * rare)
{
    part scale[LANES / PART];
    single rare_scale;
    float rounded[LANES];
    for (size_t l = 0; l < LANES; l++) rounded[l] = (float)factor[l];
    memcpy(scale, factor, sizeof scale);
    memcpy(&rare_scale, rounded, sizeof rounded);
    for (const lm_node *x = r.begin; x < r.middle; x++)
        for (size_t i = 0; i < LANES / PART; i++) p[x->column].image[i] += scale[i] * (double)x->value;
    const lm_node *x = r.middle;
    for (; x + 1 < r.end; x += 2) {
        single a = rare[x[0].column].image + rare_scale * x[0].value;
        single b = rare[x[1].column].image + rare_scale * x[1].value;
        rare[x[0].column].image = a;
        rare[x[1].column].image = b;
    }
    if (x < r.end) rare[x->column].image += rare_scale * x->value;
}

static void NAME(multiply)(lm_products *products)
{
    NAME(product) *p = (NAME(product) *)(void *)products->product;
    NAME(rare) *rare = (NAME(rare) *)(void *)products->rare - products->frequent;
    float *bias = products->rare + 2 * LANES * (products->width - 1 - products->frequent);
    double sum[LANES] = {0}, curvature[LM_LANES] = {0}, factor[LANES];
    for (size_t i = 0; i < products->count; i++) {
        if (i + 1 < products->count && is_active(products, i + 1, LANES)) {
            row next = row_of(products, i + 1);
            for (const lm_node *x = next.middle; x < next.end; x++) PREFETCH(rare + x->column);
        }
        if (!is_active(products, i, LANES)) continue;
        row r = row_of(products, i);
        double *value = products->value + i * LANES;
        NAME(multiply_row)(r, p, rare, value);
        for (size_t l = 0; l < LANES; l++) {
            value[l] += (double)bias[l];
            factor[l] = products->loss[i * LANES + l] * value[l];
            sum[l] += factor[l];
            curvature[l] += factor[l] * value[l];
        }
        NAME(add_row)(r, factor, p, rare);
    }
    for (size_t l = 0; l < LANES; l++) bias[LANES + l] = (float)sum[l];
    memcpy(products->curvature, curvature, sizeof curvature);
}
