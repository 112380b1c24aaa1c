/*
 * Every operation against finite differences, in double precision: a small program around it, whose inputs are tables
 * of weights, so that the gradients of inputs are checked as well. The last test fails if an operation of
 * nn/operation_list.h is in none of the programs.
 */
#include "nn/check.h"

static const size_t SIZES[] = {4, 1, 3, 0, 5, SIZE_MAX};

/* The end of every program: sums over graphs, a linear map to the targets, squares. */
static void close_program(lm_program *p, uint32_t x)
{
    if (lm_program_value(p, x)->space != LM_GRAPHS) x = lm_program_pool(p, x, false);
    lm_linear last = lm_linear_new(p, "last", lm_program_value(p, x)->width, CHECK_TARGETS);
    lm_program_predict(p, lm_program_linear(p, x, last, LM_IDENTITY));
    lm_program_set_loss(p, LM_OP_SQUARE);
}

static bool covered[LM_OPERATIONS]; /* the operations of the programs so far */

typedef uint32_t build(lm_program *p, unsigned k, size_t variant);

/* Builds, runs in all ways of keeping values, and compares. */
static void check(build *body, unsigned k, size_t variant, bool directed, const char *what)
{
    static const lm_mode MODES[] = {LM_WHOLE, LM_TRAIN, LM_LEAST, LM_RECOMPUTE};
    leman_context *ctx = test_context_new(1);
    lm_program *p = NULL;
    lm_batch b;
    double loss[4];
    check_batch(ctx, k, SIZES, 45, directed, 11 + variant, &b);
    assert_int_equal(lm_program_new(ctx, k, &p), LEMAN_OK);
    uint32_t x = body(p, k, variant);
    if (p->loss == LM_NONE) close_program(p, x);
    for (size_t s = 0; s < p->steps.count; s++) covered[lm_program_step(p, s)->operation] = true;
    for (size_t m = 0; m < 4; m++) {
        check_run n = check_run_new(ctx, p, MODES[m], 3 + variant, true);
        loss[m] = check_pass(&n, &b);
        check_differences(&n, &b, m ? 4 : 20, what);
        check_run_free(&n);
        assert_true(loss[m] == loss[0]);
    }
    lm_program_free(p);
    lm_batch_free(&b);
    test_context_free(ctx);
}

/* Rows with weights of their own: a type for (almost) every row is not needed, equal rows only add up. */
static uint32_t rows_of(lm_program *p, lm_row_space space, const char *name, size_t width)
{
    static const lm_index INDEX[] = {[LM_TUPLES] = LM_INDEX_TUPLE_TYPE,      [LM_VERTICES] = LM_INDEX_VERTEX_TYPE,
                                     [LM_ARCS] = LM_INDEX_ARC_LABEL,         [LM_LISTED] = LM_INDEX_LISTED_TYPE,
                                     [LM_LISTED + 1] = LM_INDEX_LISTED_TYPE, [LM_LABELS] = LM_INDEX_LABEL};
    size_t types = space == LM_ARCS || space == LM_LABELS ? CHECK_LABELS : CHECK_TYPES;
    return lm_program_embed(p, INDEX[space], lm_is_listed(space) ? space - LM_LISTED : 0,
                            lm_table_new(p, name, types, width));
}

/* The same, made different in every row by attributes. */
static uint32_t different_rows(lm_program *p, lm_row_space space, const char *name, size_t width)
{
    lm_source source = LM_FROM_VERTEX_ATTRIBUTES;
    if (space == LM_ARCS) source = LM_FROM_ARC_ATTRIBUTES;
    if (space == LM_TUPLES) source = LM_FROM_TUPLE_ATTRIBUTES;
    lm_program_enter(p, "%s", name);
    uint32_t x = lm_program_input(p, source, CHECK_COLUMNS);
    uint32_t y = lm_program_linear(p, x, lm_linear_new(p, "reals", CHECK_COLUMNS, width), LM_IDENTITY);
    y = lm_program_add(p, y, rows_of(p, space, "types", width), LM_IDENTITY);
    lm_program_leave(p);
    return y;
}

static lm_row_space main_space(unsigned k)
{
    return k == 1 ? LM_VERTICES : LM_TUPLES;
}

enum { COUNTS = LM_ROW_SPACES };

static uint32_t embed_body(lm_program *p, unsigned k, size_t variant)
{
    (void)k;
    if (variant == COUNTS) return lm_program_embed(p, LM_INDEX_COUNT, 1, lm_table_new(p, "counts", CHECK_BUCKETS, 3));
    if (variant == 2) return lm_program_bias(p, rows_of(p, LM_ARCS, "x", 3), LM_NONE, LM_IDENTITY);
    return rows_of(p, (lm_row_space)variant, "x", 3);
}

static void embeddings(void **state)
{
    (void)state;
    for (size_t variant = 0; variant <= LM_LISTED + 1; variant++) check(embed_body, 2, variant, false, "embed");
    check(embed_body, 2, COUNTS, false, "embed");
}

static uint32_t row_body(lm_program *p, unsigned k, size_t variant)
{
    static const lm_activation F[] = {LM_IDENTITY, LM_RELU, LM_ELU};
    uint32_t x = different_rows(p, main_space(k), "x", 4);
    lm_activation f = F[variant % 3];
    switch (variant / 3) {
    case 0: return lm_program_linear(p, x, lm_linear_new(p, "map", 4, 3), f);
    case 1: return lm_program_bias(p, x, lm_bias_new(p, "b", 4, 4), f);
    case 2: return lm_program_add(p, x, different_rows(p, main_space(k), "y", 4), f);
    case 3: return lm_program_norm(p, x, lm_norm_new(p, "norm", 4), f);
    case 4: return lm_program_add(p, x, x, f);
    default: return lm_program_dropout(p, x, 0.3);
    }
}

static void row_by_row(void **state)
{
    (void)state;
    for (size_t variant = 0; variant < 16; variant++) {
        check(row_body, 1, variant, false, "a row, vertices");
        check(row_body, 2, variant, false, "a row, tuples");
    }
}

/* A linear map without a bias. */
static uint32_t plain_body(lm_program *p, unsigned k, size_t variant)
{
    lm_linear map = lm_linear_new(p, "map", 4, 3);
    map.bias = variant ? LM_NONE : map.bias;
    return lm_program_linear(p, different_rows(p, main_space(k), "x", 4), map, LM_RELU);
}

static void linear_without_bias(void **state)
{
    (void)state;
    for (size_t variant = 0; variant < 2; variant++) check(plain_body, 2, variant, false, "linear");
}

/* Norms over labels count each as often as arcs carry it. */
static uint32_t label_norm_body(lm_program *p, unsigned k, size_t variant)
{
    uint32_t x = different_rows(p, LM_VERTICES, "x", 4), e = rows_of(p, LM_LABELS, "e", 4);
    (void)k;
    e = lm_program_norm(p, e, lm_norm_new(p, "norm", 4), variant ? LM_RELU : LM_IDENTITY);
    return lm_program_messages(p, x, e, lm_sum_default(LM_LEAVING, 0, lm_epsilon_new(p, "epsilon")));
}

static void norms_of_labels(void **state)
{
    (void)state;
    for (size_t variant = 0; variant < 2; variant++) check(label_norm_body, 1, variant, false, "norm of labels");
}

enum { SUMS = LM_OPPOSITE + 1 };

static uint32_t sum_body(lm_program *p, unsigned k, size_t variant)
{
    uint32_t x = different_rows(p, main_space(k), "x", 3);
    lm_sum sum = lm_sum_default((lm_neighborhood)(variant % SUMS), variant / SUMS % k, LM_NONE);
    size_t options = variant / (SUMS * k);
    if (options & 1) sum.epsilon = lm_epsilon_new(p, "epsilon");
    if (options & 2) sum.bias = lm_bias_new(p, "b", 3, 3), sum.activation = LM_RELU;
    if (options & 4) sum.sent = lm_program_bias(p, different_rows(p, main_space(k), "sent", 3), LM_NONE, LM_RELU);
    return lm_program_sum(p, x, &sum);
}

static void sums_over_neighbors(void **state)
{
    (void)state;
    for (unsigned k = 1; k <= 3; k++)
        for (size_t variant = 0; variant < SUMS * k * 8; variant++) {
            if ((k == 3 && variant % 5) || (k != 2 && variant % SUMS == LM_OPPOSITE)) continue;
            check(sum_body, k, variant, variant % 3 == 1, "sum over neighbours");
        }
}

static uint32_t pair_body(lm_program *p, unsigned k, size_t variant)
{
    const uint32_t x = different_rows(p, main_space(k), "x", 3);
    const uint32_t epsilons[2] = {variant & 4 ? lm_epsilon_new(p, "one") : LM_NONE, lm_epsilon_new(p, "two")};
    uint32_t z[2];
    lm_program_pair_sums(p, x, (lm_neighborhood)(variant % 4), epsilons, z);
    return lm_program_join(p, z, 2);
}

static void sums_over_neighbors_of_pairs(void **state)
{
    (void)state;
    for (size_t variant = 0; variant < 8; variant++) check(pair_body, 2, variant, variant % 3 == 1, "sums of pairs");
}

/* Rows of a listed space, all different: from vertices and types. */
static uint32_t listed_rows(lm_program *p, lm_row_space space, const char *name, size_t width)
{
    lm_program_enter(p, "%s", name);
    const lm_listed_sum members = {.own = rows_of(p, space, "listed", width),
                                   .sent = different_rows(p, LM_VERTICES, "vertices", width),
                                   .epsilon = LM_NONE,
                                   .bias = LM_NONE};
    const uint32_t y = lm_program_listed(p, space, &members);
    lm_program_leave(p);
    return y;
}

/* Neighbours in every list, and vertices; sums and means; with and without a row of their own, epsilon and bias. */
static uint32_t listed_body(lm_program *p, unsigned k, size_t variant)
{
    const lm_row_space space = variant & 1 ? LM_LISTED + 1 : LM_LISTED;
    lm_listed_sum sum = {.own = LM_NONE, .epsilon = LM_NONE, .bias = LM_NONE, .mean = variant & 2};
    (void)k;
    if (variant & 4) sum.own = listed_rows(p, space, "own", 3), sum.epsilon = lm_epsilon_new(p, "epsilon");
    if (variant & 8) sum.bias = lm_bias_new(p, "b", 3, 3), sum.activation = LM_ELU;
    sum.list = space == LM_LISTED ? variant >> 4 & 1 : 0;
    sum.sent = variant & 32 ? different_rows(p, LM_VERTICES, "sent", 3)
               : (variant & 64) && sum.own != LM_NONE /* one value as both */ ? sum.own
                                                                              : listed_rows(p, space, "sent", 3);
    return lm_program_listed(p, space, &sum);
}

static void sums_over_lists(void **state)
{
    (void)state;
    for (size_t variant = 0; variant < 128; variant++) check(listed_body, 1, variant, variant % 3 == 1, "listed");
}

/* Sums over the tuples that have a vertex at one place; pairs that vertices and arcs pick. */
static uint32_t place_body(lm_program *p, unsigned k, size_t variant)
{
    const uint32_t x = listed_rows(p, LM_LISTED, "x", 3);
    const lm_listed_sum diagonal = {.own = LM_NONE, .sent = x, .list = 2, .epsilon = LM_NONE, .bias = LM_NONE};
    (void)k;
    if (variant < 2) return lm_program_collect(p, x, variant);
    return variant == 2 ? lm_program_listed(p, LM_VERTICES, &diagonal) : lm_program_gather(p, x, variant == 4);
}

static void sums_over_places(void **state)
{
    (void)state;
    for (size_t variant = 0; variant < 10; variant++) check(place_body, 1, variant % 5, variant / 5, "listed");
}

/* Messages along the links of listed pairs, X and M one value or two. */
static uint32_t linked_body(lm_program *p, unsigned k, size_t variant)
{
    const uint32_t x = listed_rows(p, LM_LISTED, "x", 3);
    lm_linked_sum sum = {.own = x, .sent = x, .list = variant % 4, .epsilon = LM_NONE};
    (void)k;
    sum.edges = different_rows(p, LM_ARCS, "e", 3);
    if (variant & 4) sum.epsilon = lm_epsilon_new(p, "epsilon");
    if (variant & 8) sum.sent = lm_program_linear(p, x, lm_linear_new(p, "sent", 3, 3), LM_IDENTITY);
    return lm_program_linked(p, LM_LISTED, &sum);
}

static void messages_along_links(void **state)
{
    (void)state;
    for (size_t variant = 0; variant < 16; variant++) {
        check(linked_body, 1, variant, true, "linked, directed");
        if (variant % 4 < 2) check(linked_body, 1, variant, false, "linked");
    }
}

static uint32_t message_body(lm_program *p, unsigned k, size_t variant)
{
    uint32_t x = different_rows(p, main_space(k), "x", 3);
    uint32_t e = variant & 1 ? different_rows(p, LM_ARCS, "e", 3) : rows_of(p, LM_LABELS, "e", 3);
    lm_sum sum = lm_sum_default(variant & 4 ? LM_ENTERING : LM_LEAVING, variant / 16 % k, LM_NONE);
    if (variant & 2) sum.epsilon = lm_epsilon_new(p, "epsilon");
    if (variant & 8) sum.sent = lm_program_linear(p, x, lm_linear_new(p, "sent", 3, 3), LM_IDENTITY);
    return lm_program_messages(p, x, e, sum);
}

static void messages(void **state)
{
    (void)state;
    for (unsigned k = 1; k <= 3; k++)
        for (size_t variant = 0; variant < 16 * k; variant++)
            for (int directed = 0; directed < 2; directed++)
                if (k < 3 || variant % 5 == 1) check(message_body, k, variant, directed, "messages");
}

/* The pairs of arcs, which send messages in their turn. */
static uint32_t gather_body(lm_program *p, unsigned k, size_t variant)
{
    uint32_t x = different_rows(p, main_space(k), "x", 3), e = lm_program_gather(p, x, variant & 1);
    if (variant & 2) e = lm_program_add(p, e, lm_program_gather(p, x, !(variant & 1)), LM_IDENTITY);
    return lm_program_messages(p, x, e, lm_sum_default(LM_LEAVING, variant & 1, LM_NONE));
}

static void pairs_of_arcs(void **state)
{
    (void)state;
    for (size_t variant = 0; variant < 4; variant++)
        for (int directed = 0; directed < 2; directed++) check(gather_body, 2, variant, directed, "gather");
}

/* Both directions, sum and mean; what is sent is itself computed, and H is read twice. */
static uint32_t nnconv_body(lm_program *p, unsigned k, size_t variant)
{
    const size_t hidden = 3, width = 2;
    uint32_t y = different_rows(p, LM_VERTICES, "y", (hidden + 1) * width);
    uint32_t h = lm_program_bias(p, different_rows(p, LM_ARCS, "h", hidden), LM_NONE, LM_RELU);
    const lm_neighborhood along = variant & 1 ? LM_ENTERING : LM_LEAVING;
    (void)k;
    uint32_t z = lm_program_nnconv(p, y, h, along, variant & 2);
    if (variant & 4) {
        const lm_linear maps = lm_linear_new(p, "maps", width, (hidden + 1) * width);
        z = lm_program_nnconv(p, lm_program_linear(p, z, maps, LM_IDENTITY), h, along, variant & 2);
    }
    return z;
}

static void maps_of_arcs(void **state)
{
    (void)state;
    for (size_t variant = 0; variant < 8; variant++)
        for (int directed = 0; directed < 2; directed++) check(nnconv_body, 1, variant, directed, "nnconv");
}

/* A width that fills registers and one that does not; factors that are read elsewhere, and one that is both. */
static uint32_t matmul_body(lm_program *p, unsigned k, size_t variant)
{
    const size_t width = variant & 1 ? 11 : 3;
    uint32_t x = different_rows(p, main_space(k), "x", width), y = different_rows(p, main_space(k), "y", width);
    uint32_t m = lm_program_matmul(p, x, variant & 2 ? x : y);
    if (variant & 4) m = lm_program_join(p, (uint32_t[]){x, m, y}, 3);
    return m;
}

static void products_of_matrices(void **state)
{
    (void)state;
    for (size_t variant = 0; variant < 8; variant++) check(matmul_body, 2, variant, false, "matmul");
}

static uint32_t max_body(lm_program *p, unsigned k, size_t variant)
{
    uint32_t x = different_rows(p, main_space(k), "x", 3), y = lm_program_pool_max(p, x);
    if (variant) y = lm_program_join(p, (uint32_t[]){y, lm_program_pool(p, x, true)}, 2);
    return y;
}

static void largest_of_matrices(void **state)
{
    (void)state;
    for (size_t variant = 0; variant < 2; variant++) check(max_body, 2, variant, false, "pool_max");
}

static uint32_t graph_body(lm_program *p, unsigned k, size_t variant)
{
    uint32_t x = different_rows(p, main_space(k), "x", 3);
    if (variant < 2) return lm_program_pool(p, x, variant);
    if (variant == 2) return lm_program_set2set(p, x, 3, lm_lstm_new(p, "lstm", 6, 3));
    return lm_program_attend(p, x, lm_program_pool(p, different_rows(p, LM_VERTICES, "q", 3), true));
}

static void graphs(void **state)
{
    (void)state;
    for (size_t variant = 0; variant < 4; variant++)
        for (unsigned k = 1; k <= 2; k++) check(graph_body, k, variant, false, "graphs");
}

static uint32_t spread_body(lm_program *p, unsigned k, size_t variant)
{
    uint32_t parts[] = {different_rows(p, LM_VERTICES, "x", 3), different_rows(p, LM_VERTICES, "y", 3),
                        different_rows(p, LM_VERTICES, "z", 3)};
    if (variant == 2) parts[1] = parts[0];
    if (variant > 2 && k > 1) parts[variant == 3 ? 0 : k - 1] = LM_NONE;
    return lm_program_spread(p, parts, k, variant ? lm_bias_new(p, "b", 3, 3) : LM_NONE,
                             variant ? LM_ELU : LM_IDENTITY);
}

static void vertices_over_tuples(void **state)
{
    (void)state;
    for (size_t variant = 0; variant < 5; variant++)
        for (unsigned k = 1; k <= 3; k++) check(spread_body, k, variant, false, "spread");
}

static uint32_t collect_body(lm_program *p, unsigned k, size_t variant)
{
    uint32_t x = different_rows(p, main_space(k), "x", 3);
    x = lm_program_norm(p, lm_program_collect(p, x, variant), lm_norm_new(p, "norm", 3), LM_RELU);
    return lm_program_pool(p, x, true);
}

static void tuples_at_vertices(void **state)
{
    (void)state;
    for (unsigned k = 2; k <= 3; k++)
        for (size_t position = 0; position < k; position++) check(collect_body, k, position, false, "collect");
}

static uint32_t cell_body(lm_program *p, unsigned k, size_t variant)
{
    uint32_t x = different_rows(p, main_space(k), "x", 2), h = different_rows(p, main_space(k), "h", 3);
    uint32_t c = different_rows(p, main_space(k), "c", 3);
    lm_gates cell = variant ? lm_gru_new(p, "gru", 2, 3) : lm_lstm_new(p, "lstm", 2, 3);
    for (size_t turn = 0; turn < 2; turn++)
        h = variant ? lm_program_gru(p, x, h, cell) : lm_program_lstm(p, x, h, &c, cell);
    return variant ? h : lm_program_add(p, h, c, LM_IDENTITY);
}

static void cells(void **state)
{
    (void)state;
    for (size_t variant = 0; variant < 2; variant++) check(cell_body, 1, variant, false, "cell");
}

static uint32_t loss_body(lm_program *p, unsigned k, size_t variant)
{
    const lm_operation loss = (lm_operation)variant;
    uint32_t x = lm_program_pool(p, different_rows(p, main_space(k), "x", 3), true);
    size_t outputs = lm_operation_has(loss, LM_RULE_CLASSES) ? CHECK_CLASSES : CHECK_TARGETS;
    lm_program_predict(p, lm_program_linear(p, x, lm_linear_new(p, "last", 3, outputs), LM_IDENTITY));
    lm_program_set_loss(p, loss);
    return x;
}

static void losses(void **state)
{
    (void)state;
    for (size_t op = 0; op < LM_OPERATIONS; op++)
        if (lm_operation_has((lm_operation)op, LM_RULE_LOSS)) check(loss_body, 1, op, false, "loss");
}

/* Columns of a value that are read alone, together, and by nobody; a value joined twice; a weight used twice. */
static uint32_t joined_body(lm_program *p, unsigned k, size_t variant)
{
    uint32_t x = different_rows(p, main_space(k), "x", 3), y = different_rows(p, main_space(k), "y", 2);
    uint32_t whole = lm_program_join(p, (uint32_t[]){x, y}, 2);
    lm_linear map = lm_linear_new(p, "map", 5, 5);
    if (variant & 1) whole = lm_program_linear(p, whole, map, LM_RELU);
    lm_program_segment(p);
    uint32_t z = lm_program_linear(p, whole, map, LM_ELU);
    if (variant & 2) z = lm_program_join(p, (uint32_t[]){z, x, whole, y}, 4);
    if (variant & 4) z = lm_program_columns(p, z, 1, 3);
    lm_program_segment(p);
    if (variant & 8) z = lm_program_add(p, z, z, LM_RELU);
    return z;
}

static void columns_of_values(void **state)
{
    (void)state;
    for (size_t variant = 0; variant < 16; variant++) check(joined_body, 2, variant, false, "columns");
}

/* Layers in segments, as models have them. */
static uint32_t layers_body(lm_program *p, unsigned k, size_t variant)
{
    uint32_t x = different_rows(p, main_space(k), "x", 3), pooled[3];
    for (unsigned t = 0; t < 3; t++) {
        uint32_t h[2];
        lm_program_segment(p);
        lm_program_enter(p, "layer%u", t);
        for (unsigned j = 0; j < 2; j++) {
            lm_program_enter(p, "position%u", j);
            uint32_t z = check_neighbors(p, x, LM_LEAVING, j % k, lm_epsilon_new(p, "epsilon"));
            z = lm_program_linear(p, z, lm_linear_new(p, "first", 3, 3), LM_RELU);
            h[j] = lm_program_linear(p, z, lm_linear_new(p, "second", 3, 3), LM_ELU);
            if (variant) h[j] = lm_program_norm(p, h[j], lm_norm_new(p, "norm", 3), LM_RELU);
            lm_program_leave(p);
        }
        x = lm_program_linear(p, lm_program_join(p, h, 2), lm_linear_new(p, "merge", 6, 3), LM_IDENTITY);
        x = lm_program_norm(p, x, lm_norm_new(p, "norm", 3), LM_IDENTITY);
        pooled[t] = lm_program_pool(p, x, true);
        lm_program_leave(p);
    }
    return lm_program_join(p, pooled, 3);
}

static void layers(void **state)
{
    (void)state;
    for (size_t variant = 0; variant < 2; variant++) check(layers_body, 2, variant, false, "layers");
}

static void no_operation_is_left_out(void **state)
{
    (void)state;
    for (size_t op = 0; op < LM_OPERATIONS; op++)
        if (!covered[op]) fail_msg("%s: no case here, expected one", lm_operation_name((lm_operation)op));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(embeddings),
        cmocka_unit_test(row_by_row),
        cmocka_unit_test(linear_without_bias),
        cmocka_unit_test(norms_of_labels),
        cmocka_unit_test(sums_over_neighbors),
        cmocka_unit_test(sums_over_neighbors_of_pairs),
        cmocka_unit_test(sums_over_lists),
        cmocka_unit_test(sums_over_places),
        cmocka_unit_test(messages_along_links),
        cmocka_unit_test(messages),
        cmocka_unit_test(pairs_of_arcs),
        cmocka_unit_test(tuples_at_vertices),
        cmocka_unit_test(maps_of_arcs),
        cmocka_unit_test(products_of_matrices),
        cmocka_unit_test(largest_of_matrices),
        cmocka_unit_test(graphs),
        cmocka_unit_test(vertices_over_tuples),
        cmocka_unit_test(cells),
        cmocka_unit_test(losses),
        cmocka_unit_test(columns_of_values),
        cmocka_unit_test(layers),
        cmocka_unit_test(no_operation_is_left_out),
    };
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests(tests, NULL, NULL);
}
