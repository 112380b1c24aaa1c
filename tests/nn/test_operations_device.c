/*
 * Every operation on the device of the test against the CPU: values, and gradients of all weights, on random ragged
 * batches with an empty graph and one of a single vertex. A program's values are all compared, so a failure names the
 * first operation that differs. Without LEMAN_TEST_DEVICE the device is the CPU, and the test compares it with itself.
 */
#include "nn/check.h"
#include "nn/on_device.h"

enum { WIDTH = 8, ODD = 5, BUCKETS = CHECK_BUCKETS };

/* ---- Programs -------------------------------------------------------------------------------- */

/* The mean, then a linear map to the outputs and a loss. */
static void finish(lm_program *p, uint32_t x, lm_operation loss)
{
    const bool classes = loss == LM_OP_CROSS_ENTROPY;
    const lm_linear last =
        lm_linear_new(p, "last", lm_program_value(p, x)->width, classes ? CHECK_CLASSES : CHECK_TARGETS);
    lm_program_predict(p, lm_program_linear(p, x, last, LM_IDENTITY));
    lm_program_set_loss(p, loss);
}

static uint32_t tuples_of(lm_program *p, size_t width)
{
    return lm_program_embed(p, LM_INDEX_TUPLE_TYPE, 0, lm_table_new(p, "types", CHECK_TYPES, width));
}

static uint32_t vertices_of(lm_program *p, size_t width)
{
    return lm_program_embed(p, LM_INDEX_VERTEX_TYPE, 0, lm_table_new(p, "types", CHECK_TYPES, width));
}

/* Sums over every neighbourhood and position, of X and of what is sent instead, with bias and ELU or ReLU. */
static void sums(lm_program *p, unsigned k, size_t width)
{
    uint32_t x = tuples_of(p, width), part[8];
    size_t count = 0;
    for (int along = LM_LEAVING; along <= (k == 2 ? LM_OPPOSITE : LM_LINE); along++) {
        lm_sum sum = lm_sum_default((lm_neighborhood)along, (size_t)along % k, LM_NONE);
        char name[32];
        snprintf(name, sizeof name, "e%d", along);
        sum.epsilon = lm_epsilon_new(p, name);
        if (along % 2) {
            snprintf(name, sizeof name, "b%d", along);
            sum.bias = lm_bias_new(p, name, width, width);
            sum.activation = along == LM_ALL ? LM_ELU : LM_RELU;
        }
        if (along == LM_OTHERS) {
            const uint32_t more = lm_program_embed(p, LM_INDEX_COUNT, k - 1, lm_table_new(p, "counts", BUCKETS, width));
            sum.sent = lm_program_add(p, x, more, LM_RELU);
        }
        part[count++] = lm_program_sum(p, x, &sum);
    }
    const uint32_t joined = lm_program_join(p, part, count);
    const lm_linear map = lm_linear_new(p, "map", count * width, width);
    finish(p, lm_program_pool(p, lm_program_linear(p, joined, map, LM_RELU), true), LM_OP_SQUARE);
}

/* Both components of pairs at once; a value that is read again, so that gradients are added. */
static void sums_together(lm_program *p, size_t width)
{
    uint32_t x = tuples_of(p, width), part[9];
    size_t count = 0;
    for (int along = LM_LEAVING; along <= LM_ALL; along++) {
        char names[2][32];
        for (int j = 0; j < 2; j++) snprintf(names[j], sizeof names[j], "e%d%d", along, j);
        const uint32_t epsilons[2] = {along == LM_OTHERS ? LM_NONE : lm_epsilon_new(p, names[0]),
                                      lm_epsilon_new(p, names[1])};
        lm_program_pair_sums(p, x, (lm_neighborhood)along, epsilons, part + count);
        count += 2;
    }
    part[count++] = lm_program_bias(p, x, LM_NONE, LM_ELU);
    const lm_linear map = lm_linear_new(p, "map", 9 * width, width);
    const uint32_t y = lm_program_linear(p, lm_program_join(p, part, count), map, LM_RELU);
    finish(p, lm_program_pool(p, y, true), LM_OP_SQUARE);
}

static void sums_together_wide(lm_program *p)
{
    sums_together(p, WIDTH);
}
static void sums_together_odd(lm_program *p)
{
    sums_together(p, ODD);
}

static void sums_of_pairs(lm_program *p)
{
    sums(p, 2, WIDTH);
}
static void sums_of_odd_pairs(lm_program *p)
{
    sums(p, 2, ODD);
}
static void sums_of_triples(lm_program *p)
{
    sums(p, 3, WIDTH);
}

/* Vertices: 1-tuples. */
static void sums_of_1_tuples(lm_program *p, size_t width)
{
    uint32_t x = vertices_of(p, width);
    for (int along = LM_LEAVING; along <= LM_ALL; along++) {
        char name[32];
        snprintf(name, sizeof name, "e%d", along);
        x = check_neighbors(p, x, (lm_neighborhood)along, 0, lm_epsilon_new(p, name));
        snprintf(name, sizeof name, "n%d", along);
        x = lm_program_norm(p, x, lm_norm_new(p, name, width), along % 2 ? LM_RELU : LM_ELU);
    }
    finish(p, lm_program_pool(p, x, false), LM_OP_L1);
}
static void sums_of_vertices(lm_program *p)
{
    sums_of_1_tuples(p, WIDTH);
}
static void wide_sums_of_vertices(lm_program *p) /* several groups of columns, one by one */
{
    sums_of_1_tuples(p, 17 * ODD);
}

/* Linear maps with all activations, norms, dropout, copies; values read twice, so that gradients are added. */
static void rows(lm_program *p)
{
    const uint32_t x = lm_program_input(p, LM_FROM_TUPLE_ATTRIBUTES, CHECK_COLUMNS), t = tuples_of(p, 2 * WIDTH);
    const lm_linear a = lm_linear_new(p, "a", CHECK_COLUMNS, 2 * WIDTH), b = lm_linear_new(p, "b", 2 * WIDTH, WIDTH);
    const lm_linear c = lm_linear_new(p, "c", WIDTH, WIDTH);
    uint32_t y = lm_program_add(p, lm_program_linear(p, x, a, LM_ELU), t, LM_RELU);
    const uint32_t z = lm_program_linear(p, y, b, LM_IDENTITY);
    y = lm_program_norm(p, z, lm_norm_new(p, "norm", WIDTH), LM_RELU);
    y = lm_program_dropout(p, lm_program_linear(p, y, c, LM_RELU), 0.3);
    const uint32_t parts[] = {y, z, lm_program_columns(p, t, 3, WIDTH)};
    y = lm_program_bias(p, lm_program_join(p, parts, 3), lm_bias_new(p, "bias", WIDTH, 3 * WIDTH), LM_ELU);
    finish(p, lm_program_pool(p, y, true), LM_OP_CROSS_ENTROPY);
}

static void narrow_maps(lm_program *p)
{
    const uint32_t x = tuples_of(p, WIDTH);
    const uint32_t y = lm_program_linear(p, x, lm_linear_new(p, "one", WIDTH, WIDTH), LM_RELU);
    const uint32_t z = lm_program_linear(p, y, lm_linear_new(p, "two", WIDTH, WIDTH), LM_RELU);
    finish(p, lm_program_pool(p, z, true), LM_OP_SQUARE);
}

/* Linear maps behind ReLUs that only they read, one and two side by side; widths that end inside a tile. */
static void maps(lm_program *p)
{
    const uint32_t x = tuples_of(p, 36);
    const uint32_t wide = lm_program_linear(p, x, lm_linear_new(p, "wide", 36, 136), LM_RELU);
    const uint32_t part[] = {lm_program_linear(p, wide, lm_linear_new(p, "narrow", 136, 12), LM_RELU),
                             lm_program_linear(p, x, lm_linear_new(p, "beside", 36, 20), LM_RELU)};
    const uint32_t y = lm_program_linear(p, lm_program_join(p, part, 2), lm_linear_new(p, "merge", 32, WIDTH), LM_RELU);
    const uint32_t z = lm_program_linear(p, y, lm_linear_new(p, "again", WIDTH, WIDTH), LM_ELU);
    finish(p, lm_program_pool(p, z, true), LM_OP_SQUARE);
}

/* More weights than a device copies at once, in turn of odd and even sizes; the last counts for as much as all. */
static void many_maps(lm_program *p)
{
    enum { MAPS = 131 };
    const uint32_t x = vertices_of(p, ODD);
    uint32_t sum = LM_NONE, y = LM_NONE;
    for (int i = 0; i < MAPS; i++) {
        char name[32];
        const size_t width = i % 2 ? 33 : 6;
        snprintf(name, sizeof name, "first%d", i);
        y = lm_program_linear(p, x, lm_linear_new(p, name, ODD, width), LM_RELU);
        snprintf(name, sizeof name, "second%d", i);
        y = lm_program_linear(p, y, lm_linear_new(p, name, width, WIDTH), LM_IDENTITY);
        sum = i ? lm_program_add(p, sum, y, LM_IDENTITY) : y;
    }
    const uint32_t both[] = {sum, lm_program_linear(p, y, lm_linear_new(p, "last map", WIDTH, ODD), LM_ELU)};
    finish(p, lm_program_pool(p, lm_program_join(p, both, 2), true), LM_OP_SQUARE);
}

static void spread(lm_program *p, unsigned k)
{
    const uint32_t x = lm_program_input(p, LM_FROM_VERTEX_ATTRIBUTES, CHECK_COLUMNS);
    uint32_t part[LM_STEP_VALUES];
    for (unsigned j = 0; j < k; j++) {
        char name[32];
        snprintf(name, sizeof name, "map%u", j);
        part[j] = lm_program_linear(p, x, lm_linear_new(p, name, CHECK_COLUMNS, WIDTH), LM_RELU);
    }
    const uint32_t y = lm_program_spread(p, part, k, lm_bias_new(p, "bias", WIDTH, WIDTH), LM_RELU);
    const uint32_t z = lm_program_add(p, y, tuples_of(p, WIDTH), LM_IDENTITY);
    finish(p, lm_program_pool(p, z, true), LM_OP_BINARY_CROSS_ENTROPY);
}

static void spread_over_pairs(lm_program *p)
{
    spread(p, 2);
}
static void spread_over_triples(lm_program *p)
{
    spread(p, 3);
}

/* Messages with features of labels and of arcs. */
static void messages(lm_program *p)
{
    uint32_t x = vertices_of(p, WIDTH);
    const uint32_t labels =
        lm_program_norm(p, lm_program_embed(p, LM_INDEX_LABEL, 0, lm_table_new(p, "labels", CHECK_LABELS, WIDTH)),
                        lm_norm_new(p, "norm", WIDTH), LM_RELU);
    x = lm_program_messages(p, x, labels, lm_sum_default(LM_LEAVING, 0, lm_epsilon_new(p, "e")));
    x = lm_program_messages(p, x, labels, lm_sum_default(LM_ENTERING, 0, LM_NONE));
    const lm_linear map = lm_linear_new(p, "arcs", CHECK_COLUMNS, WIDTH);
    const uint32_t arcs = lm_program_linear(p, lm_program_input(p, LM_FROM_ARC_ATTRIBUTES, CHECK_COLUMNS), map, LM_ELU);
    const uint32_t more = lm_program_embed(p, LM_INDEX_ARC_LABEL, 0, lm_table_new(p, "more", CHECK_LABELS, WIDTH));
    x = lm_program_messages(p, x, lm_program_add(p, arcs, more, LM_IDENTITY),
                            lm_sum_default(LM_LEAVING, 0, lm_epsilon_new(p, "f")));
    x = lm_program_messages(p, x, arcs, lm_sum_default(LM_ENTERING, 0, lm_epsilon_new(p, "g")));
    finish(p, lm_program_pool(p, x, true), LM_OP_L1);
}

/* Messages on the lines of tuples: with features of labels, of arcs and, for pairs, of the pairs that are edges; what is
 * sent is the value itself or columns of a map. */
static void tuple_messages(lm_program *p, unsigned k, size_t width)
{
    uint32_t x = tuples_of(p, width), part[6];
    const uint32_t labels = lm_program_embed(p, LM_INDEX_LABEL, 0, lm_table_new(p, "labels", CHECK_LABELS, width));
    const uint32_t arcs = lm_program_embed(p, LM_INDEX_ARC_LABEL, 0, lm_table_new(p, "arcs", CHECK_LABELS, width));
    const uint32_t sent = lm_program_linear(p, x, lm_linear_new(p, "sent", width, 2 * width), LM_IDENTITY);
    size_t count = 0;
    for (size_t i = 0; i < 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "e%zu", i);
        lm_sum sum = lm_sum_default(i % 2 ? LM_ENTERING : LM_LEAVING, i % k, lm_epsilon_new(p, name));
        if (i) sum.sent = lm_program_columns(p, sent, i % 2 ? width : 0, width);
        part[count++] = lm_program_messages(p, x, i < 2 ? labels : arcs, sum);
    }
    for (size_t j = 0; j < 2 && k == 2; j++)
        part[count++] = lm_program_messages(p, x, lm_program_gather(p, x, j), lm_sum_default(LM_LEAVING, j, LM_NONE));
    const lm_linear map = lm_linear_new(p, "map", count * width, width);
    const uint32_t y = lm_program_linear(p, lm_program_join(p, part, count), map, LM_IDENTITY);
    const uint32_t z = lm_program_collect(p, y, 0);
    finish(p, lm_program_pool(p, lm_program_add(p, z, lm_program_collect(p, y, k - 1), LM_IDENTITY), true),
           LM_OP_SQUARE);
}
static void messages_of_pairs(lm_program *p)
{
    tuple_messages(p, 2, WIDTH);
}
static void messages_of_odd_pairs(lm_program *p)
{
    tuple_messages(p, 2, ODD);
}
static void messages_of_triples(lm_program *p)
{
    tuple_messages(p, 3, WIDTH);
}

/* Sums over the vertices of listed rows, and over their lists of neighbours. */
static void listed(lm_program *p, size_t width)
{
    uint32_t pooled[LM_LISTS];
    const uint32_t x = vertices_of(p, width);
    for (size_t i = 0; i < LM_LISTS; i++) {
        const lm_row_space space = LM_LISTED + (lm_row_space)i;
        lm_program_enter(p, "list%zu", i);
        const uint32_t types = lm_program_embed(p, LM_INDEX_LISTED_TYPE, i, lm_table_new(p, "t", CHECK_TYPES, width));
        lm_listed_sum sum = {.own = types, .sent = x, .mean = i, .epsilon = lm_epsilon_new(p, "e"), .bias = LM_NONE};
        uint32_t y = lm_program_listed(p, space, &sum);
        for (size_t list = 0; list < 3; list++) { /* with X and without; M the same value or another */
            char name[32];
            snprintf(name, sizeof name, "map%zu", list);
            const uint32_t sent = lm_program_linear(p, y, lm_linear_new(p, name, width, width), LM_IDENTITY);
            snprintf(name, sizeof name, "b%zu", list);
            sum = (lm_listed_sum){.own = list == 1 ? LM_NONE : y,
                                  .sent = list == 2 ? y : sent,
                                  .list = i ? 0 : list % 2,
                                  .mean = list < 2,
                                  .epsilon = LM_NONE,
                                  .bias = lm_bias_new(p, name, width, width),
                                  .activation = LM_ELU};
            y = lm_program_listed(p, space, &sum);
            snprintf(name, sizeof name, "n%zu", list);
            y = lm_program_norm(p, y, lm_norm_new(p, name, width), LM_IDENTITY);
        }
        pooled[i] = lm_program_pool(p, y, true);
        lm_program_leave(p);
    }
    finish(p, lm_program_join(p, pooled, LM_LISTS), LM_OP_SQUARE);
}

/* Messages along the links of listed pairs; pairs that vertices and arcs pick; sums over the pairs of a vertex. */
static void linked(lm_program *p, size_t width)
{
    uint32_t part[5];
    const uint32_t types = lm_program_embed(p, LM_INDEX_LISTED_TYPE, 0, lm_table_new(p, "t", CHECK_TYPES, width));
    const lm_listed_sum members = {
        .own = types, .sent = vertices_of(p, width), .list = 1, .epsilon = LM_NONE, .bias = LM_NONE};
    const uint32_t x = lm_program_listed(p, LM_LISTED, &members);
    lm_linked_sum sum = {.own = x, .sent = x, .epsilon = lm_epsilon_new(p, "e")};
    sum.edges = lm_program_embed(p, LM_INDEX_ARC_LABEL, 0, lm_table_new(p, "edges", CHECK_LABELS, width));
    sum.own = lm_program_linked(p, LM_LISTED, &sum);
    sum.sent = lm_program_linear(p, sum.own, lm_linear_new(p, "sent", width, width), LM_IDENTITY);
    sum.list = 1;
    const uint32_t z = lm_program_linked(p, LM_LISTED, &sum);
    const lm_listed_sum diagonal = {.own = LM_NONE, .sent = z, .list = 2, .epsilon = LM_NONE, .bias = LM_NONE};
    part[0] = lm_program_pool(p, z, true);
    part[1] = lm_program_pool(p, lm_program_collect(p, z, 1), true);
    part[2] = lm_program_pool(p, lm_program_listed(p, LM_VERTICES, &diagonal), true);
    for (size_t i = 0; i < 2; i++) /* a map of its own: gradients of arcs differ */
        part[3 + i] = lm_program_pool(p,
                                      lm_program_linear(p, lm_program_gather(p, z, i),
                                                        lm_linear_new(p, i ? "back" : "there", width, width), LM_ELU),
                                      false);
    finish(p, lm_program_join(p, part, 5), LM_OP_SQUARE);
}

static void links(lm_program *p)
{
    linked(p, WIDTH);
}
static void odd_links(lm_program *p)
{
    linked(p, ODD);
}

static void lists(lm_program *p)
{
    listed(p, WIDTH);
}
static void odd_lists(lm_program *p)
{
    listed(p, ODD);
}

/* Set2Set: attention and an LSTM. */
static void set2set(lm_program *p)
{
    const uint32_t x = lm_program_linear(p, tuples_of(p, WIDTH), lm_linear_new(p, "map", WIDTH, WIDTH), LM_ELU);
    finish(p, lm_program_set2set(p, x, 3, lm_lstm_new(p, "cell", 2 * WIDTH, WIDTH)), LM_OP_SQUARE);
}

/* More rows and columns than a block keeps at once. */
static void attention(lm_program *p)
{
    const uint32_t x = lm_program_linear(p, tuples_of(p, WIDTH), lm_linear_new(p, "map", WIDTH, 17 * WIDTH), LM_ELU);
    finish(p, lm_program_attend(p, x, lm_program_pool(p, x, true)), LM_OP_SQUARE);
}

/* Several tiles of columns, read four at a time and one by one. */
static void wide_norms(lm_program *p)
{
    const uint32_t x = tuples_of(p, WIDTH);
    uint32_t pooled[2];
    for (size_t i = 0; i < 2; i++) {
        const size_t width = i ? 17 * ODD : 17 * WIDTH;
        const uint32_t y = lm_program_linear(p, x, lm_linear_new(p, i ? "odd" : "wide", WIDTH, width), LM_IDENTITY);
        const uint32_t z = lm_program_norm(p, y, lm_norm_new(p, i ? "second" : "first", width), LM_ELU);
        pooled[i] = lm_program_pool(p, z, true);
    }
    finish(p, lm_program_join(p, pooled, 2), LM_OP_SQUARE);
}

static void gru(lm_program *p, uint32_t x)
{
    uint32_t h = lm_program_linear(p, x, lm_linear_new(p, "map", ODD, WIDTH), LM_ELU);
    const lm_gates cell = lm_gru_new(p, "cell", ODD, WIDTH);
    for (int turn = 0; turn < 2; turn++) h = lm_program_gru(p, x, h, cell);
    finish(p, lm_program_pool(p, h, true), LM_OP_SQUARE);
}

static void gru_of_vertices(lm_program *p)
{
    gru(p, vertices_of(p, ODD));
}
static void gru_of_pairs(lm_program *p)
{
    gru(p, tuples_of(p, ODD));
}

/* Maps of arcs, both ways: the sum of a wide one, the mean of an odd one. */
static void nnconv(lm_program *p, size_t width)
{
    enum { HIDDEN = 35 };
    const uint32_t x = vertices_of(p, WIDTH), arcs = lm_program_input(p, LM_FROM_ARC_ATTRIBUTES, CHECK_COLUMNS);
    const uint32_t h = lm_program_linear(p, arcs, lm_linear_new(p, "hidden", CHECK_COLUMNS, HIDDEN), LM_RELU);
    lm_linear maps = lm_linear_new(p, "maps", WIDTH, (HIDDEN + 1) * ODD);
    uint32_t z = lm_program_nnconv(p, lm_program_linear(p, x, maps, LM_IDENTITY), h, LM_LEAVING, true);
    maps = lm_linear_new(p, "more", ODD, (HIDDEN + 1) * width);
    z = lm_program_nnconv(p, lm_program_linear(p, z, maps, LM_IDENTITY), h, LM_ENTERING, false);
    finish(p, lm_program_pool(p, z, true), LM_OP_SQUARE);
}
static void maps_of_arcs(lm_program *p)
{
    nnconv(p, WIDTH);
}
static void wide_maps_of_arcs(lm_program *p)
{
    nnconv(p, 9 * WIDTH);
}

/* Behind a map, whose bias makes rows of padding other than zero. */
static void matrices(lm_program *p, size_t width)
{
    const uint32_t x = lm_program_linear(p, tuples_of(p, width), lm_linear_new(p, "first", width, width), LM_RELU);
    uint32_t part[2];
    for (size_t i = 0; i < 2; i++)
        part[i] = lm_program_linear(p, x, lm_linear_new(p, i ? "right" : "left", width, width), LM_RELU);
    const uint32_t both[] = {x, lm_program_matmul(p, part[0], part[1])};
    const uint32_t joined = lm_program_join(p, both, 2);
    const uint32_t y = lm_program_linear(p, joined, lm_linear_new(p, "merge", 2 * width, width), LM_IDENTITY);
    const uint32_t pooled[] = {lm_program_pool(p, lm_program_matmul(p, y, x), true), lm_program_pool(p, y, true)};
    finish(p, lm_program_join(p, pooled, 2), LM_OP_SQUARE);
}

/* Predictions of vertices and of arcs, which have losses of their own rows. */
static void losses_of_vertices(lm_program *p)
{
    finish(p, lm_program_collect(p, tuples_of(p, WIDTH), 0), LM_OP_L1);
}
static void losses_of_arcs(lm_program *p)
{
    const uint32_t x = tuples_of(p, WIDTH);
    finish(p, lm_program_add(p, lm_program_gather(p, x, false), lm_program_gather(p, x, true), LM_IDENTITY),
           LM_OP_SQUARE);
}
static void classes_of_vertices(lm_program *p)
{
    finish(p, vertices_of(p, WIDTH), LM_OP_CROSS_ENTROPY);
}
static void tasks_of_arcs(lm_program *p)
{
    finish(p, lm_program_gather(p, tuples_of(p, WIDTH), false), LM_OP_BINARY_CROSS_ENTROPY);
}

/* Whole numbers, which few bits have exactly as long as they are small. */
static void whole_matrices(lm_program *p)
{
    enum { MANY = 4 * WIDTH };
    const uint32_t left = tuples_of(p, MANY);
    const uint32_t right = lm_program_embed(p, LM_INDEX_COUNT, 0, lm_table_new(p, "counts", BUCKETS, MANY));
    finish(p, lm_program_pool(p, lm_program_matmul(p, left, right), true), LM_OP_SQUARE);
}

/* Straight from the table: what is computed before it may make another number the largest in few bits. */
static void largest(lm_program *p)
{
    const uint32_t x = tuples_of(p, 2 * WIDTH + ODD);
    const uint32_t pooled[] = {lm_program_pool_max(p, x), lm_program_pool(p, x, true)};
    finish(p, lm_program_join(p, pooled, 2), LM_OP_SQUARE);
}

static void wide_matrices(lm_program *p)
{
    matrices(p, WIDTH);
}
static void odd_matrices(lm_program *p)
{
    matrices(p, 4 * ODD + 1); /* 42 side by side: in bfloat16 rows have 6 zeros in front */
}

/* ---- Comparing ------------------------------------------------------------------------------- */

typedef struct example {
    const char *name;
    unsigned k;
    void (*build)(lm_program *p);
    bool large; /* graphs of more vertices, and four maps one behind the other: errors are larger too */
    bool huge;  /* so many rows that a product has more tiles than run at once */
    bool whole; /* weights are -1, 0 and 1 */
} example;

static const example EXAMPLES[] = {
    {"sums of pairs", 2, sums_of_pairs, false, false, false},
    {"sums of odd pairs", 2, sums_of_odd_pairs, false, false, false},
    {"sums of triples", 3, sums_of_triples, false, false, false},
    {"sums of vertices", 1, sums_of_vertices, false, false, false},
    {"rows", 2, rows, false, false, false},
    {"spread over pairs", 2, spread_over_pairs, false, false, false},
    {"spread over triples", 3, spread_over_triples, false, false, false},
    {"messages", 1, messages, false, false, false},
    {"messages of pairs", 2, messages_of_pairs, false, false, false},
    {"messages of odd pairs", 2, messages_of_odd_pairs, false, false, false},
    {"messages of triples", 3, messages_of_triples, false, false, false},
    {"messages of many pairs", 2, messages_of_pairs, true, false, false},
    {"Set2Set", 2, set2set, false, false, false},
    {"GRU", 1, gru_of_vertices, false, false, false},
    {"maps", 2, maps, true, false, false},
    {"many maps", 1, many_maps, false, false, false},
    {"sums of both components", 2, sums_together_wide, false, false, false},
    {"the same, odd widths", 2, sums_together_odd, false, false, false},
    {"lists", 1, lists, false, false, false},
    {"odd lists", 1, odd_lists, false, false, false},
    {"links", 1, links, false, false, false},
    {"odd links", 1, odd_links, false, false, false},
    {"norms of many columns and few rows", 2, wide_norms, false, false, false},
    {"maps of arcs", 1, maps_of_arcs, false, false, false},
    {"sums over many neighbours", 1, sums_of_vertices, true, false, false},
    {"the same, many odd columns", 1, wide_sums_of_vertices, true, false, false},
    {"wide maps of many arcs", 1, wide_maps_of_arcs, true, false, false},
    {"matrices", 2, wide_matrices, false, false, false},
    {"odd matrices", 2, odd_matrices, false, false, false},
    {"matrices in parts", 2, wide_matrices, true, false, false},
    {"odd matrices in parts", 2, odd_matrices, true, false, false},
    {"largest", 2, largest, false, false, false},
};

/* Without bfloat16, in which predictions of vertices and arcs are not stored. */
static const example LEVELS[] = {
    {"losses of vertices", 2, losses_of_vertices, false, false, false},
    {"losses of arcs", 2, losses_of_arcs, false, false, false},
    {"losses of many arcs", 2, losses_of_arcs, true, false, false},
    {"classes of vertices", 1, classes_of_vertices, false, false, false},
    {"tasks of arcs", 2, tasks_of_arcs, false, false, false},
};

static const example HUGE_EXAMPLES[] = {
    {"maps of many rows", 2, narrow_maps, false, true,
     false}, /* tiles of 128 rows, and behind the last whole wave of 64 */
    {"attention to many rows", 2, attention, false, true, false},
    {"norms of many columns", 2, wide_norms, false, true, false},
    {"messages on long lines", 2, messages_of_pairs, false, true, false}, /* longer than a block holds */
};

/* Gradients of weights in several parts. */
static const example CELLS = {"GRU of pairs", 2, gru_of_pairs, true, false, false};

/* One pass in LM_WHOLE: all values, gradients, running statistics. */
typedef struct pass {
    leman_context *ctx;
    lm_program *p;
    lm_batch b;
    check_run run;
    double loss;
    void *labels[4]; /* of vertices or arcs, in memory of their own */
} pass;

/* Replaces the labels of graphs by labels of the rows that the program predicts. */
static void label_rows(pass *s, uint64_t seed)
{
    lm_batch *b = &s->b;
    b->level = lm_program_value(s->p, s->p->prediction)->space;
    if (b->level == LM_GRAPHS) return;
    const size_t rows = b->extent.rows[b->level];
    s->labels[0] = b->target = malloc((rows * CHECK_TARGETS + 1) * sizeof *b->target);
    s->labels[1] = b->class_id = malloc((rows + 1) * sizeof *b->class_id);
    s->labels[2] = b->graph_weight = malloc((rows + 1) * sizeof *b->graph_weight);
    s->labels[3] = b->target_weight = malloc((rows * CHECK_TARGETS + 1) * sizeof *b->target_weight);
    for (size_t i = 0; i < rows * CHECK_TARGETS; i++) {
        b->target[i] = (lm_real)check_real(&seed);
        b->target_weight[i] = 0.5 + (double)(i % 4);
    }
    for (size_t i = 0; i < rows; i++) {
        b->class_id[i] = (uint32_t)(test_random(&seed) % CHECK_CLASSES);
        b->graph_weight[i] = 0.25 * (double)(i % 3);
    }
}

/* 0/1 labels for the binary loss, and targets that are missing. */
static void change_targets(lm_batch *b, bool binary)
{
    const size_t count = b->targets * b->extent.rows[b->level];
    for (size_t i = 0; i < count; i++) {
        if (binary) b->target[i] = b->target[i] > 0;
        if (i % 4 == 1) b->target[i] = (lm_real)NAN;
    }
}

/* Memory for values that is not clean: rows of padding hold what was there before, as they do in training. */
static leman_status (*allocate)(lm_backend *backend, size_t bytes, void **out);
static leman_status allocate_used(lm_backend *backend, size_t bytes, void **out)
{
    leman_status st = allocate(backend, bytes, out);
    void *used = memset(malloc(bytes + 1), 0x49, bytes); /* 8e5 in 32 bits and in 16 */
    if (!st) st = backend->write(backend, *out, used, bytes);
    free(used);
    return st;
}

static pass run(const example *e, const char *device, leman_precision precision, bool directed, uint64_t seed)
{
    static const size_t SIZES[] = {4, 1, 0, 6, 2, 5, 3, SIZE_MAX}, LARGE[] = {53, 0, 1, 12, SIZE_MAX};
    static const size_t MANY[] = {133, 0, 1, 12, SIZE_MAX}; /* vertices of which some have more than 64 arcs */
    static const size_t HUGE_SIZES[] = {3, 185, SIZE_MAX};  /* 265 tiles, and a few more */
    const size_t *sizes = e->huge ? HUGE_SIZES : !e->large ? SIZES : e->k == 1 ? MANY : LARGE;
    pass s = {0};
    s.ctx = test_context_new(2);
    s.ctx->settings.precision = precision;
    check_batch(s.ctx, e->k, sizes, e->huge ? 2 : 50, directed, seed, &s.b);
    assert_int_equal(lm_program_new(s.ctx, e->k, &s.p), LEMAN_OK);
    e->build(s.p);
    if (lm_program_finish(s.p)) fail_msg("%s: %s", e->name, leman_context_message(s.ctx));
    const lm_operation loss = lm_program_step(s.p, s.p->steps.count - 1)->operation;
    label_rows(&s, seed);
    change_targets(&s.b, loss == LM_OP_BINARY_CROSS_ENTROPY);
    s.run = check_run_on(s.ctx, s.p, device, LM_WHOLE, seed, true);
    for (size_t i = 0; e->whole && i < s.run.trainable; i++) s.run.weights[i] = rintf((float)s.run.weights[i]);
    allocate = s.run.backend->allocate, s.run.backend->allocate = allocate_used;
    s.loss = check_pass(&s.run, &s.b);
    assert_int_equal(lm_executor_weights_read(s.run.executor, s.run.weights), LEMAN_OK);
    return s;
}

static void pass_free(pass *s)
{
    check_run_free(&s->run);
    lm_program_free(s->p);
    lm_batch_free(&s->b);
    for (size_t i = 0; i < 4; i++) free(s->labels[i]);
    test_context_free(s->ctx);
}

/* Does the gradient go to the largest number, which may be another one once numbers have 8 bits? */
static bool chooses(const lm_program *p)
{
    for (size_t s = 0; s < p->steps.count; s++)
        if (lm_program_step(p, s)->operation == LM_OP_POOL_MAX) return true;
    return false;
}

static void compare(const example *e, const pass *one, const pass *other, double tolerance)
{
    for (uint32_t v = 0; v < one->p->values.count; v++) {
        const lm_value *value = lm_program_value(one->p, v);
        if (value->source != LM_FROM_STEP) continue;
        lm_real *a = check_value((check_run *)&one->run, &one->b, v),
                *b = check_value((check_run *)&other->run, &other->b, v);
        const double away = check_distance(a, b, one->b.extent.rows[value->space] * value->width, 1e-6);
        if (!(away <= tolerance)) fail_msg("%s: value %u differs by %g", e->name, v, away);
        free(a);
        free(b);
    }
    if (tolerance > 0.1 && chooses(one->p)) return;
    double largest = 0; /* a gradient that is small beside others may be the difference of large numbers */
    for (size_t i = 0; i < other->run.trainable; i++)
        if (fabs((double)other->run.gradients[i]) > largest) largest = fabs((double)other->run.gradients[i]);
    for (uint32_t w = 0; w < one->p->weights.count; w++) {
        const lm_weight *weight = lm_program_weight(one->p, w);
        const size_t count = weight->rows * weight->columns;
        const lm_real *a = weight->trainable ? one->run.gradients : one->run.weights;
        const lm_real *b = weight->trainable ? other->run.gradients : other->run.weights;
        const double away = check_distance(a + weight->offset, b + weight->offset, count, largest / 10);
        if (!(away <= tolerance)) fail_msg("%s: gradient of %s differs by %g", e->name, weight->name, away);
    }
    check_close(one->loss, other->loss, tolerance, e->name);
}

static void compare_devices(const example *e, leman_precision precision, bool directed, uint64_t seed, double tolerance)
{
    pass cpu = run(e, "cpu", LEMAN_PRECISION_FP32, directed, seed);
    pass there = run(e, check_device(), precision, directed, seed);
    compare(e, &there, &cpu, e->large ? 5 * tolerance : tolerance); /* sums over up to 133 rows */
    pass_free(&cpu);
    pass_free(&there);
}

static void compare_all(leman_precision precision, double tolerance)
{
    for (size_t i = 0; i < sizeof EXAMPLES / sizeof *EXAMPLES; i++)
        for (int directed = 0; directed < 2; directed++)
            compare_devices(EXAMPLES + i, precision, directed, 5 + i, tolerance);
}

static void operations_in_fp32(void **state)
{
    (void)state;
    compare_all(LEMAN_PRECISION_FP32, 2e-5);
    for (size_t i = 0; i < sizeof LEVELS / sizeof *LEVELS; i++)
        compare_devices(LEVELS + i, LEMAN_PRECISION_FP32, i % 2, 5 + i, 2e-5);
    for (size_t i = 0; i < sizeof HUGE_EXAMPLES / sizeof *HUGE_EXAMPLES; i++) /* means over 34,225 rows */
        compare_devices(HUGE_EXAMPLES + i, LEMAN_PRECISION_FP32, false, 5, 1e-3);
}

/* Products of 10 bits: errors of some units in the third digit, through a few layers. */
static void operations_in_tf32(void **state)
{
    (void)state;
    compare_all(LEMAN_PRECISION_TF32, 2e-2);
    compare_devices(&CELLS, LEMAN_PRECISION_TF32, false, 5, 2e-2);
}

/* 8 bits, and ReLUs that open on one side only. */
static void operations_in_bf16(void **state)
{
    (void)state;
    compare_all(LEMAN_PRECISION_BF16, 0.25);
}

/* Products of matrices by tensor cores: all that is between the tables and the mean is exact. */
static void whole_numbers_in_bf16(void **state)
{
    static const example e = {"whole matrices", 2, whole_matrices, true, false, true};
    (void)state;
    for (uint64_t seed = 1; seed < 4; seed++) {
        pass cpu = run(&e, "cpu", LEMAN_PRECISION_FP32, false, seed);
        pass there = run(&e, check_device(), LEMAN_PRECISION_BF16, false, seed);
        const uint32_t product = lm_program_step(cpu.p, 2)->output[0];
        lm_real *a = check_value(&cpu.run, &cpu.b, product), *b = check_value(&there.run, &there.b, product);
        assert_int_equal(lm_program_step(cpu.p, 2)->operation, LM_OP_MATMUL);
        const size_t count = cpu.b.extent.rows[LM_TUPLES] * lm_program_value(cpu.p, product)->width;
        size_t others = 0;
        for (size_t i = 0; i < count; i++) others += a[i] != 0 && fabs((double)a[i]) != 1;
        assert_true(others > count / 4);
        assert_true(check_distance(b, a, count, 1) == 0); /* at most 53, of which 8 bits have all */
        compare(&e, &there, &cpu, 2e-2);
        free(a);
        free(b);
        pass_free(&cpu);
        pass_free(&there);
    }
}

/* The same pass twice gives the same bits. */
static void passes_are_repeatable(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof EXAMPLES / sizeof *EXAMPLES; i++) {
        pass one = run(EXAMPLES + i, check_device(), LEMAN_PRECISION_TF32, true, 3);
        pass other = run(EXAMPLES + i, check_device(), LEMAN_PRECISION_TF32, true, 3);
        assert_memory_equal(one.run.gradients, other.run.gradients, one.run.trainable * sizeof(lm_real));
        pass_free(&one);
        pass_free(&other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_in_fp32),    cmocka_unit_test(operations_in_tf32),
        cmocka_unit_test(operations_in_bf16),    cmocka_unit_test(whole_numbers_in_bf16),
        cmocka_unit_test(passes_are_repeatable),
    };
    const int skipped = check_without_device();
    return skipped ? skipped : cmocka_run_group_tests(tests, NULL, NULL);
}
