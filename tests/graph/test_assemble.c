/*
 * Assembling against docs/data.md, followed word by word: lines in a matrix, every rule by its definition, for every
 * policy, on random inputs with everything that files get wrong.
 */
#include "base/context.h"
#include "graph/dataset.h"
#include "support/support.h"
#include <stdio.h>

enum { MAX_VERTICES = 9, MAX_GRAPHS = 4, MAX_LINES = 60 };

/* ---- Random inputs --------------------------------------------------------------------------- */

typedef struct input {
    size_t graphs, vertices, lines;
    uint32_t graph[MAX_VERTICES];
    uint32_t tail[MAX_LINES], head[MAX_LINES];
    int64_t label[MAX_LINES];
} input;

static void add_line(input *in, uint32_t tail, uint32_t head, int64_t label)
{
    in->tail[in->lines] = tail;
    in->head[in->lines] = head;
    in->label[in->lines++] = label;
}

/* Everything at once: unsorted indicators, gaps, repeats, one-way edges, loops, conflicts, isolated vertices. */
static input messy_input(uint64_t *state)
{
    input in = {.graphs = test_random(state) % (MAX_GRAPHS + 1)};
    bool sorted = test_random(state) & 1, labels = test_random(state) & 1;
    if (in.graphs) in.vertices = test_random(state) % (MAX_VERTICES + 1);
    for (size_t v = 0; v < in.vertices; v++)
        in.graph[v] = (uint32_t)(sorted ? v * in.graphs / MAX_VERTICES : test_random(state) % in.graphs);
    size_t tries = test_random(state) % MAX_LINES;
    for (size_t i = 0; i < tries; i++) {
        uint32_t tail = (uint32_t)(test_random(state) % MAX_VERTICES);
        uint32_t head = (uint32_t)(test_random(state) % MAX_VERTICES);
        if (tail < in.vertices && head < in.vertices && in.graph[tail] == in.graph[head])
            add_line(&in, tail, head, labels ? (int64_t)(test_random(state) % 2) : 7);
    }
    return in;
}

/* What the fast path takes, and what nearly is it: lines in order, both ways, with few errors. */
static input tidy_input(uint64_t *state)
{
    input in = {.graphs = 2, .vertices = MAX_VERTICES};
    for (uint32_t v = 0; v < MAX_VERTICES; v++) in.graph[v] = v >= 5;
    uint64_t joined = test_random(state) & test_random(state), wrong = test_random(state) & 7 ? 0 : 1;
    for (uint32_t u = 0; u < MAX_VERTICES; u++)
        for (uint32_t v = 0; v < MAX_VERTICES; v++) {
            uint32_t low = u < v ? u : v, high = u < v ? v : u;
            bool edge = u != v && in.graph[u] == in.graph[v] && joined >> (low * 5 + high) % 64 & 1;
            if (wrong && test_random(state) % 20 == 0) edge = !edge && in.graph[u] == in.graph[v];
            if (edge) add_line(&in, u, v, wrong && test_random(state) % 20 == 0 ? 1 : 0);
        }
    return in;
}

static void append(leman_context *ctx, lm_vector *vector, const void *items, size_t count, size_t size)
{
    assert_int_equal(lm_vector_append(ctx, vector, items, count, size), LEMAN_OK);
}

/* The input as a reader hands it on. A vertex has its number as label and name; a line its number as attribute. */
static lm_raw raw_of(leman_context *ctx, const input *in)
{
    lm_raw raw = {.edge_file = "E.txt",
                  .graphs = in->graphs,
                  .columns = {.vertex_labels = 1, .edge_labels = 1, .edge_attributes = 1, .classes = true}};
    raw.name = lm_alloc(ctx, 5, 1);
    strcpy(raw.name, "mess");
    append(ctx, &raw.vertex_graph, in->graph, in->vertices, 4);
    append(ctx, &raw.tail, in->tail, in->lines, 4);
    append(ctx, &raw.head, in->head, in->lines, 4);
    append(ctx, &raw.edge_label, in->label, in->lines, 8);
    for (size_t i = 0; i < in->lines; i++) {
        double attribute = (double)i;
        append(ctx, &raw.edge_attribute, &attribute, 1, 8);
    }
    for (size_t v = 0; v < in->vertices; v++) {
        int64_t label = (int64_t)v;
        append(ctx, &raw.vertex_label, &label, 1, 8);
    }
    for (size_t g = 0; g < in->graphs; g++) {
        int64_t class_label = (int64_t)g;
        append(ctx, &raw.class_label, &class_label, 1, 8);
    }
    return raw;
}

/* ---- The definition -------------------------------------------------------------------------- */

typedef struct expectation {
    leman_cleaning cleaning;
    size_t refused_line;    /* from 1; 0: none */
    const char *reasons[4]; /* why that line may be refused */
    size_t reason_count;
    size_t refused_vertex, refused_graph; /* from 1; 0: none */
    bool arc[MAX_VERTICES][MAX_VERTICES];
    int64_t label[MAX_VERTICES][MAX_VERTICES];
    size_t attribute[MAX_VERTICES][MAX_VERTICES]; /* a line */
    bool vertex[MAX_VERTICES], graph[MAX_GRAPHS]; /* kept */
} expectation;

/* How many lines before line `end` are tail -> head. */
static size_t count_lines(const input *in, size_t tail, size_t head, size_t end)
{
    size_t count = 0;
    for (size_t i = 0; i < end; i++) count += in->tail[i] == tail && in->head[i] == head;
    return count;
}

/* The first line that is tail -> head, or is so either way; `lines` if none. */
static size_t first_line(const input *in, size_t tail, size_t head, bool either)
{
    size_t i = 0;
    while (i < in->lines && !(in->tail[i] == tail && in->head[i] == head) &&
           !(either && in->tail[i] == head && in->head[i] == tail))
        i++;
    return i;
}

static void add_refusal(expectation *t, size_t line, const char *reason)
{
    if (t->refused_line && t->refused_line < line + 1) return;
    if (t->refused_line != line + 1) t->reason_count = 0;
    t->refused_line = line + 1;
    t->reasons[t->reason_count++] = reason;
}

/* Each line by itself: is it one that a rule refuses? */
static void check_lines(const input *in, const leman_policy *policy, expectation *t)
{
    for (size_t i = 0; i < in->lines; i++) {
        size_t tail = in->tail[i], head = in->head[i], first = first_line(in, tail, head, !policy->directed);
        bool opens = first == i, conflict = false;
        for (size_t j = first; j < i; j++) /* is it the first whose label is not that of the edge's first line? */
            if ((in->tail[j] == tail && in->head[j] == head) || (in->tail[j] == head && in->head[j] == tail))
                conflict |= in->label[j] != in->label[first];
        conflict = !policy->directed && !conflict && in->label[i] != in->label[first];
        if (tail == head && opens && policy->self_loops == LEMAN_ACTION_REFUSE) add_refusal(t, i, "is a self-loop");
        if (count_lines(in, tail, head, i) && policy->repeated_edges == LEMAN_ACTION_REFUSE)
            add_refusal(t, i, "is repeated");
        if (!policy->directed && tail != head && opens && !count_lines(in, head, tail, in->lines) &&
            policy->one_way_edges == LEMAN_ACTION_REFUSE)
            add_refusal(t, i, "has no way back");
        if (conflict && policy->label_conflicts == LEMAN_ACTION_REFUSE) add_refusal(t, i, "has two different labels");
    }
}

/* One edge {u, v}, or arc u -> v of directed data. */
static void check_pair(const input *in, const leman_policy *policy, size_t u, size_t v, expectation *t)
{
    size_t a = count_lines(in, u, v, in->lines), b = policy->directed ? 0 : count_lines(in, v, u, in->lines);
    if (!a && !b) return;
    bool one_way = !policy->directed && u != v && (!a || !b), conflict = false;
    size_t first = first_line(in, u, v, !policy->directed);
    for (size_t i = 0; i < in->lines && !policy->directed; i++)
        if ((in->tail[i] == u && in->head[i] == v) || (in->tail[i] == v && in->head[i] == u))
            conflict |= in->label[i] != in->label[first];
    t->cleaning.repeated_edges += (a > b ? a : b) - 1;
    t->cleaning.one_way_edges += one_way;
    t->cleaning.self_loops += u == v;
    t->cleaning.label_conflicts += conflict;
    if ((u == v && policy->self_loops == LEMAN_ACTION_REMOVE) ||
        (one_way && policy->one_way_edges == LEMAN_ACTION_REMOVE))
        return;
    t->arc[u][v] = true;
    t->label[u][v] = in->label[first];
    t->attribute[u][v] = a ? first_line(in, u, v, false) : first;
    if (policy->directed) return;
    t->arc[v][u] = true;
    t->label[v][u] = in->label[first];
    t->attribute[v][u] = b ? first_line(in, v, u, false) : first;
}

/* Isolated vertices and empty graphs, graph by graph; only the first refusal counts. */
static void check_rest(const input *in, const leman_policy *policy, expectation *t)
{
    size_t position = 0;
    for (size_t g = 0; g < in->graphs; g++)
        for (size_t v = 0; v < in->vertices; v++) {
            if (in->graph[v] != g) continue;
            bool isolated = true;
            for (size_t u = 0; u < in->vertices; u++) isolated &= !t->arc[u][v] && !t->arc[v][u];
            t->cleaning.moved_vertices += position++ != v;
            t->cleaning.isolated_vertices += isolated;
            t->vertex[v] = !isolated || policy->isolated_vertices != LEMAN_ACTION_REMOVE;
            t->graph[g] |= t->vertex[v];
            if (isolated && policy->isolated_vertices == LEMAN_ACTION_REFUSE && !t->refused_vertex)
                t->refused_vertex = v + 1;
        }
    for (size_t g = 0; g < in->graphs; g++) {
        t->cleaning.empty_graphs += !t->graph[g];
        if (!t->graph[g] && policy->empty_graphs == LEMAN_ACTION_REFUSE && !t->refused_graph) t->refused_graph = g + 1;
        if (policy->empty_graphs != LEMAN_ACTION_REMOVE) t->graph[g] = true;
    }
}

static expectation expected_of(const input *in, const leman_policy *policy)
{
    expectation t = {0};
    check_lines(in, policy, &t);
    for (size_t u = 0; u < in->vertices; u++)
        for (size_t v = policy->directed ? 0 : u; v < in->vertices; v++) check_pair(in, policy, u, v, &t);
    check_rest(in, policy, &t);
    return t;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

/* Graph `index` of the data set is what is left of graph `graph` of the input. */
static void compare_graph(const input *in, const expectation *t, size_t graph, const leman_dataset *data, size_t index)
{
    leman_graph g = leman_dataset_graph(data, index);
    size_t vertex[MAX_VERTICES], n = 0, arcs = 0;
    for (size_t v = 0; v < in->vertices; v++)
        if (in->graph[v] == graph && t->vertex[v]) vertex[n++] = v;
    assert_int_equal(leman_dataset_classes(data)[index], graph);
    assert_int_equal(g.vertices, n);
    for (size_t x = 0; x < n; x++) {
        uint64_t e = g.start[x];
        assert_int_equal(g.vertex_label[x], vertex[x]);
        for (size_t y = 0; y < n; y++) {
            if (!t->arc[vertex[x]][vertex[y]]) continue;
            assert_true(e < g.start[x + 1] && g.head[e] == y);
            assert_true(g.edge_label[e] == t->label[vertex[x]][vertex[y]]);
            assert_true(g.edge_attribute[e] == (double)t->attribute[vertex[x]][vertex[y]]);
            e++;
            arcs++;
        }
        assert_true(e == g.start[x + 1]);
    }
    assert_int_equal(g.arcs, arcs);
}

static void expect_refusal(leman_context *ctx, const input *in, const expectation *t)
{
    const char *message = leman_context_message(ctx);
    char expected[128] = "";
    bool found = false;
    size_t line = t->refused_line;
    for (size_t i = 0; i < t->reason_count; i++) {
        snprintf(expected, sizeof expected, "E.txt:%zu: edge (%u, %u) %s, which the policy refuses", line,
                 in->tail[line - 1] + 1, in->head[line - 1] + 1, t->reasons[i]);
        found |= !strcmp(message, expected);
    }
    if (!line && t->refused_vertex) {
        snprintf(expected, sizeof expected, "mess: graph %u: vertex %zu is isolated, which the policy refuses",
                 in->graph[t->refused_vertex - 1], t->refused_vertex);
        found = !strcmp(message, expected);
    } else if (!line) {
        snprintf(expected, sizeof expected, "mess: graph %zu has no vertices, which the policy refuses",
                 t->refused_graph - 1);
        found = !strcmp(message, expected);
    }
    if (!found) fail_msg("the message is '%s', expected '%s'", message, expected);
}

static void compare(leman_context *ctx, const input *in, const leman_policy *policy)
{
    expectation t = expected_of(in, policy);
    lm_raw raw = raw_of(ctx, in);
    leman_dataset *data = NULL;
    leman_cleaning cleaning = {.repeated_edges = 77};
    leman_status st = lm_dataset_assemble(ctx, &raw, policy, &cleaning, &data);
    if (t.refused_line || t.refused_vertex || t.refused_graph) {
        assert_int_equal(st, LEMAN_ERROR_INPUT);
        assert_null(data);
        assert_int_equal(cleaning.repeated_edges, 77); /* untouched */
        expect_refusal(ctx, in, &t);
    } else {
        assert_int_equal(st, LEMAN_OK);
        assert_memory_equal(&cleaning, &t.cleaning, sizeof cleaning);
        assert_int_equal(leman_dataset_check(ctx, data), LEMAN_OK);
        size_t index = 0;
        for (size_t g = 0; g < in->graphs; g++)
            if (t.graph[g]) compare_graph(in, &t, g, data, index++);
        assert_int_equal(leman_dataset_shape(data)->graphs, index);
    }
    leman_dataset_free(data);
    lm_raw_free(&raw);
}

/* ---- Tests ----------------------------------------------------------------------------------- */

/* Calls body with every policy that there is. */
static void for_every_policy(void (*body)(leman_context *ctx, const leman_policy *policy, uint64_t *state))
{
    static const leman_action REPEATED[] = {LEMAN_ACTION_REMOVE, LEMAN_ACTION_REFUSE};
    static const leman_action ONE_WAY[] = {LEMAN_ACTION_REPAIR, LEMAN_ACTION_REMOVE, LEMAN_ACTION_REFUSE};
    static const leman_action OTHER[] = {LEMAN_ACTION_KEEP, LEMAN_ACTION_REMOVE, LEMAN_ACTION_REFUSE};
    static const leman_action CONFLICT[] = {LEMAN_ACTION_REPAIR, LEMAN_ACTION_REFUSE};
    leman_context *ctx = test_context_new(1);
    uint64_t state = 1;
    for (unsigned i = 0; i < 2 * 2 * 3 * 3 * 3 * 3 * 2; i++) {
        leman_policy policy = {.directed = i & 1,
                               .repeated_edges = REPEATED[i / 2 % 2],
                               .one_way_edges = ONE_WAY[i / 4 % 3],
                               .self_loops = OTHER[i / 12 % 3],
                               .isolated_vertices = OTHER[i / 36 % 3],
                               .empty_graphs = OTHER[i / 108 % 3],
                               .label_conflicts = CONFLICT[i / 324 % 2]};
        body(ctx, &policy, &state);
    }
    test_context_free(ctx);
}

static void messy_body(leman_context *ctx, const leman_policy *policy, uint64_t *state)
{
    for (size_t round = 0; round < test_cases(20); round++) {
        input in = messy_input(state);
        compare(ctx, &in, policy);
    }
}

static void tidy_body(leman_context *ctx, const leman_policy *policy, uint64_t *state)
{
    for (size_t round = 0; round < test_cases(8); round++) {
        input in = tidy_input(state);
        compare(ctx, &in, policy);
    }
}

static void test_messy_inputs(void **unused)
{
    (void)unused;
    for_every_policy(messy_body);
}

static void test_tidy_inputs(void **unused)
{
    (void)unused;
    for_every_policy(tidy_body);
}

/* Arcs in order, as many into each vertex as out of it, and yet no arc has a way back. */
static void test_round_trips_are_one_way(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_policy policy = leman_policy_default();
    for (uint32_t length = 3; length <= MAX_VERTICES; length++) {
        input in = {.graphs = 1, .vertices = length};
        for (uint32_t v = 0; v < length; v++) add_line(&in, v, (v + 1) % length, 0);
        assert_int_equal(expected_of(&in, &policy).cleaning.one_way_edges, length);
        compare(ctx, &in, &policy);
    }
    test_context_free(ctx);
}

/* Numbers that no array could have: the limit is checked, nothing is touched. */
static void test_too_many(void **unused)
{
    (void)unused;
    static const size_t MAX = UINT32_MAX / 2;
    leman_context *ctx = test_context_new(1);
    char name[] = "many";
    lm_raw raw = {.name = name};
    assert_int_equal(lm_raw_check_size(ctx, &raw, MAX, MAX), LEMAN_OK);
    assert_int_equal(lm_raw_check_size(ctx, &raw, MAX + 1, 0), LEMAN_ERROR_INPUT);
    assert_int_equal(lm_raw_check_size(ctx, &raw, 0, SIZE_MAX), LEMAN_ERROR_INPUT);
    raw.graphs = MAX + 1;
    assert_int_equal(lm_raw_check_size(ctx, &raw, 0, 0), LEMAN_ERROR_INPUT);
    raw = (lm_raw){.name = name, .vertex_graph.count = MAX};
    assert_int_equal(lm_raw_check_size(ctx, &raw, 0, 0), LEMAN_OK);
    assert_int_equal(lm_raw_check_size(ctx, &raw, 0, 1), LEMAN_ERROR_INPUT);
    raw.vertex_graph.count = MAX + 5;
    assert_int_equal(lm_raw_check_size(ctx, &raw, 0, 0), LEMAN_ERROR_INPUT);
    raw = (lm_raw){.name = name, .tail.count = MAX + 1};
    assert_int_equal(lm_raw_check_size(ctx, &raw, 0, 0), LEMAN_ERROR_INPUT);
    test_context_free(ctx);
}

static leman_status assemble_again(leman_context *ctx, void *state)
{
    leman_dataset *data = NULL;
    const leman_policy policy = leman_policy_default();
    leman_status st = lm_dataset_assemble(ctx, state, &policy, NULL, &data);
    assert_int_equal(st == LEMAN_OK, data != NULL);
    leman_dataset_free(data);
    return st;
}

static void test_failing_allocations(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 3;
    for (int round = 0; round < 20; round++) {
        input in = round & 1 ? tidy_input(&state) : messy_input(&state);
        lm_raw raw = raw_of(ctx, &in);
        assert_true(test_fail_each_allocation(assemble_again, &raw) > 3);
        lm_raw_free(&raw);
    }
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messy_inputs),
        cmocka_unit_test(test_tidy_inputs),
        cmocka_unit_test(test_round_trips_are_one_way),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
