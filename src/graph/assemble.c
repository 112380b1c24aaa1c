/*
 * From what a reader found to a data set: the policy for repeated, one-way and looping edges, isolated vertices and
 * empty graphs.
 *
 * Every line (t, h) becomes an arc t -> h and, in undirected data, a reversed arc h -> t. Sorted by (tail, head), a
 * run of equal arcs holds a lines that name it this way round and b that name it the other way, so each run decides
 * alone: max(a, b) - 1 repeats, one-way if a or b is 0. Its label is that of its earliest line, which is the same line
 * for both directions of an edge; its attributes are those of the earliest line of its own direction.
 *
 * Time O(vertices + edges), two counting sorts; a file that is already sorted, simple and symmetric skips them.
 */
#include "graph/dataset.h"
#include <string.h>

/* An arc in the bucket of one of its ends. */
typedef struct arc {
    uint32_t end;  /* the other end: a vertex in the final order of graphs, before removals */
    uint32_t line; /* twice the index of the line, plus 1 where the line says it the other way round */
} arc;

typedef struct kept_arc {
    uint32_t tail, head;
    uint32_t label_edge, attribute_edge; /* the lines that label and attributes come from */
} kept_arc;

typedef struct assembly {
    leman_context *ctx;
    lm_raw *raw;
    const leman_policy *policy;
    leman_report report;
    size_t vertices, edges; /* of raw */
    uint32_t *place;        /* [vertices] position of raw vertex v when vertices are ordered by graph */
    uint32_t *at;           /* [vertices] raw vertex at a position: the inverse */
    kept_arc *arcs;         /* sorted by (tail, head) */
    size_t arc_count;
    uint32_t *vertex_new; /* [vertices] by position: number after removals, or REMOVED */
    uint32_t *graph_new;  /* [graphs] number after removals, or REMOVED */
} assembly;

enum { REMOVED = UINT32_MAX };

static uint32_t graph_of(const assembly *a, uint32_t position)
{
    return ((const uint32_t *)a->raw->vertex_graph.items)[a->at[position]];
}

/* The arrays that a large file asks for are known before they are taken. */
static leman_status check_budget(const assembly *a, uint64_t bytes)
{
    const uint64_t small = 1 << 24; /* not worth the question how much memory is free */
    if (bytes <= small) return LEMAN_OK;
    size_t budget = lm_budget(a->ctx);
    if (bytes <= budget) return LEMAN_OK;
    return lm_fail(a->ctx, LEMAN_ERROR_BUDGET,
                   "%s: %zu vertices and %zu lines of edges need %llu bytes to be sorted, the memory budget is %zu",
                   a->raw->name, a->vertices, a->edges, (unsigned long long)bytes, budget);
}

/* ---- Vertices in the order of their graphs -------------------------------------------------------------------- */

static leman_status order_vertices(assembly *a)
{
    leman_status st = LEMAN_OK;
    const uint32_t *graph = a->raw->vertex_graph.items;
    bool sorted = true;
    SCRATCH(a->ctx, a->place, a->vertices);
    SCRATCH(a->ctx, a->at, a->vertices);
    for (size_t v = 1; v < a->vertices && sorted; v++) sorted = graph[v - 1] <= graph[v];
    if (sorted) {
        for (size_t v = 0; v < a->vertices; v++) a->place[v] = a->at[v] = (uint32_t)v;
        goto done;
    }
    size_t *next;
    SCRATCH(a->ctx, next, a->raw->graphs + 1);
    memset(next, 0, (a->raw->graphs + 1) * sizeof *next);
    for (size_t v = 0; v < a->vertices; v++) next[graph[v] + 1]++;
    for (size_t g = 0; g < a->raw->graphs; g++) next[g + 1] += next[g];
    for (size_t v = 0; v < a->vertices; v++) {
        a->place[v] = (uint32_t)next[graph[v]]++;
        a->at[a->place[v]] = (uint32_t)v;
        a->report.moved_vertices += a->place[v] != v;
    }
done:
    return st;
}

/* ---- Sorting arcs --------------------------------------------------------------------------------------------- */

/* The ends of the arc that the numbered line, read in its own direction or reversed, stands for. */
static void ends_of(const assembly *a, uint32_t line, uint32_t *tail, uint32_t *head)
{
    const lm_vector *from = line & 1 ? &a->raw->head : &a->raw->tail, *to = line & 1 ? &a->raw->tail : &a->raw->head;
    *tail = a->place[((const uint32_t *)from->items)[line >> 1]];
    *head = a->place[((const uint32_t *)to->items)[line >> 1]];
}

/*
 * All arcs in buckets by tail (start[vertices+1]), by head and then by line inside. Two counting sorts: into buckets by
 * head in the order of lines, then from these, in order, into buckets by tail.
 */
static leman_status sorted_arcs(assembly *a, arc **out, size_t **out_start)
{
    leman_status st = LEMAN_OK;
    uint32_t step = a->policy->directed ? 2 : 1, tail, head;
    size_t lines = 2 * a->edges, count = lines / step, n = a->vertices;
    arc *by_head, *by_tail;
    size_t *head_next, *tail_next;
    TRY(check_budget(a, lm_saturating_multiply(count, 2 * sizeof(arc) + sizeof(kept_arc))));
    SCRATCH(a->ctx, by_head, count);
    SCRATCH(a->ctx, by_tail, count);
    SCRATCH(a->ctx, head_next, n + 2);
    SCRATCH(a->ctx, tail_next, n + 2);
    memset(head_next, 0, (n + 2) * sizeof *head_next);
    memset(tail_next, 0, (n + 2) * sizeof *tail_next);
    for (size_t i = 0; i < lines; i += step) {
        ends_of(a, (uint32_t)i, &tail, &head);
        head_next[head + 2]++;
        tail_next[tail + 2]++;
    }
    for (size_t v = 0; v < n; v++) { /* now next[v+1] is where bucket v begins, and soon where it ends */
        head_next[v + 2] += head_next[v + 1];
        tail_next[v + 2] += tail_next[v + 1];
    }
    for (size_t i = 0; i < lines; i += step) {
        ends_of(a, (uint32_t)i, &tail, &head);
        by_head[head_next[head + 1]++] = (arc){tail, (uint32_t)i};
    }
    for (size_t v = 0, i = 0; v < n; v++)
        for (; i < head_next[v + 1]; i++)
            by_tail[tail_next[by_head[i].end + 1]++] = (arc){(uint32_t)v, by_head[i].line};
    *out = by_tail;
    *out_start = tail_next;
done:
    return st;
}

/* ---- Deciding runs -------------------------------------------------------------------------------------------- */

/* The number of a raw vertex in its graph, from 1: for messages. */
static size_t number_in_graph(const assembly *a, uint32_t vertex)
{
    uint32_t first = a->place[vertex], graph = graph_of(a, first);
    while (first > 0 && graph_of(a, first - 1) == graph) first--;
    return a->place[vertex] - first + 1u;
}

static leman_status refuse(const assembly *a, uint32_t edge, const char *what)
{
    const lm_raw *raw = a->raw;
    const uint64_t *line = raw->edge_line.items;
    char ends[2][64];
    uint32_t tail = ((const uint32_t *)raw->tail.items)[edge], head = ((const uint32_t *)raw->head.items)[edge];
    lm_raw_call(raw, tail, number_in_graph(a, tail), ends[0], sizeof ends[0]);
    lm_raw_call(raw, head, number_in_graph(a, head), ends[1], sizeof ends[1]);
    if (raw->edge_file)
        return lm_fail(a->ctx, LEMAN_ERROR_INPUT, "%s:%llu: edge (%s, %s) %s, which the policy refuses", raw->edge_file,
                       raw->edge_line.count ? (unsigned long long)line[edge] : edge + 1ull, ends[0], ends[1], what);
    return lm_fail(a->ctx, LEMAN_ERROR_INPUT, "%s: graph %lu: edge (%s, %s) %s, which the policy refuses", raw->name,
                   graph_of(a, a->place[tail]) + 1ul, ends[0], ends[1], what);
}

static bool labels_differ(const assembly *a, uint32_t e, uint32_t f)
{
    size_t columns = a->raw->columns.edge_labels;
    const int64_t *label = a->raw->edge_label.items;
    return columns && memcmp(label + e * columns, label + f * columns, columns * sizeof *label);
}

/* Decides one run of equal arcs that leave tail; keeps at most one. The smaller direction of an edge does the counting.
 */
static leman_status decide(assembly *a, uint32_t tail, const arc *run, size_t length)
{
    leman_status st = LEMAN_OK;
    const leman_policy *policy = a->policy;
    uint32_t head = run->end;
    bool loop = tail == head, counts = policy->directed || tail <= head;
    size_t ways[2] = {0, 0};
    uint32_t earliest = run->line >> 1, own = REMOVED, last = run[length - 1].line >> 1;
    for (size_t i = 0; i < length; i++) {
        ways[run[i].line & 1]++;
        if (!(run[i].line & 1) && own == REMOVED) own = run[i].line >> 1;
    }
    size_t most = ways[0] > ways[1] ? ways[0] : ways[1];
    bool one_way = !policy->directed && !loop && (!ways[0] || !ways[1]);
    bool conflict = false;
    for (size_t i = 1; i < length && !policy->directed; i++) conflict |= labels_differ(a, earliest, run[i].line >> 1);

    if (loop && policy->self_loops == LEMAN_REFUSE) TRY(refuse(a, earliest, "is a self-loop"));
    if (most > 1 && policy->repeated_edges == LEMAN_REFUSE) TRY(refuse(a, last, "is repeated"));
    if (one_way && policy->one_way_edges == LEMAN_REFUSE) TRY(refuse(a, earliest, "has no way back"));
    if (conflict && policy->label_conflicts == LEMAN_REFUSE) TRY(refuse(a, last, "has two different labels"));
    if (counts) {
        a->report.repeated_edges += most - 1;
        a->report.one_way_edges += one_way;
        a->report.self_loops += loop;
        a->report.label_conflicts += conflict;
    }
    if ((loop && policy->self_loops == LEMAN_REMOVE) || (one_way && policy->one_way_edges == LEMAN_REMOVE)) goto done;
    a->arcs[a->arc_count++] = (kept_arc){tail, head, earliest, own == REMOVED ? earliest : own};
done:
    return st;
}

static leman_status decide_all(assembly *a)
{
    leman_status st = LEMAN_OK;
    arc *arcs;
    size_t *start;
    TRY(sorted_arcs(a, &arcs, &start));
    SCRATCH(a->ctx, a->arcs, start[a->vertices]);
    for (size_t v = 0; v < a->vertices; v++)
        for (size_t i = start[v], j; i < start[v + 1]; i = j) {
            for (j = i + 1; j < start[v + 1] && arcs[j].end == arcs[i].end;) j++;
            TRY(decide(a, (uint32_t)v, arcs + i, j - i));
        }
done:
    return st;
}

/*
 * The common case, without sorting: lines already increase by (tail, head), so there are no repeats; no loops; and in
 * undirected data the k-th arc that enters v comes from the tail of the k-th that leaves it, with the same label.
 */
static leman_status try_sorted(assembly *a, bool *simple)
{
    leman_status st = LEMAN_OK;
    const uint32_t *tail = a->raw->tail.items, *head = a->raw->head.items;
    size_t *cursor;
    *simple = !a->report.moved_vertices;
    for (size_t e = 0; e < a->edges && *simple; e++)
        *simple =
            tail[e] != head[e] && (!e || tail[e - 1] < tail[e] || (tail[e - 1] == tail[e] && head[e - 1] < head[e]));
    if (!*simple) goto done;
    if (!a->policy->directed) {
        SCRATCH(a->ctx, cursor, a->vertices);
        for (size_t e = a->edges; e-- > 0;) cursor[tail[e]] = e;
        for (size_t v = 0, e = 0; v < a->vertices; v++) { /* vertices without arcs must not match */
            if (e == a->edges || tail[e] != v) cursor[v] = a->edges;
            while (e < a->edges && tail[e] == v) e++;
        }
        for (size_t e = 0; e < a->edges && *simple; e++) {
            size_t back = cursor[head[e]]++;
            *simple = back < a->edges && tail[back] == head[e] && head[back] == tail[e] &&
                      !labels_differ(a, (uint32_t)e, (uint32_t)back);
        }
        if (!*simple) goto done;
    }
    SCRATCH(a->ctx, a->arcs, a->edges);
    for (size_t e = 0; e < a->edges; e++) a->arcs[e] = (kept_arc){tail[e], head[e], (uint32_t)e, (uint32_t)e};
    a->arc_count = a->edges;
done:
    return st;
}

/* ---- Isolated vertices and empty graphs ----------------------------------------------------------------------- */

static leman_status number_vertices(assembly *a, size_t *out_vertices, size_t *out_graphs)
{
    leman_status st = LEMAN_OK;
    size_t graphs = a->raw->graphs, vertices = 0, kept = 0;
    const leman_policy *policy = a->policy;
    SCRATCH(a->ctx, a->vertex_new, a->vertices);
    SCRATCH(a->ctx, a->graph_new, graphs);
    memset(a->vertex_new, 0, a->vertices * sizeof *a->vertex_new);
    for (size_t i = 0; i < a->arc_count; i++) a->vertex_new[a->arcs[i].tail] = a->vertex_new[a->arcs[i].head] = 1;
    memset(a->graph_new, 0, graphs * sizeof *a->graph_new);
    for (size_t p = 0; p < a->vertices; p++) {
        bool isolated = !a->vertex_new[p];
        a->report.isolated_vertices += isolated;
        if (isolated && policy->isolated_vertices == LEMAN_REFUSE)
            FAIL(a->ctx, LEMAN_ERROR_INPUT, "%s: vertex %lu of graph %lu is isolated, which the policy refuses",
                 a->raw->name, a->at[p] + 1ul, graph_of(a, (uint32_t)p) + 1ul);
        if (isolated && policy->isolated_vertices == LEMAN_REMOVE) {
            a->vertex_new[p] = REMOVED;
        } else {
            a->vertex_new[p] = (uint32_t)vertices++;
            a->graph_new[graph_of(a, (uint32_t)p)] = 1;
        }
    }
    for (size_t g = 0; g < graphs; g++) {
        bool empty = !a->graph_new[g];
        a->report.empty_graphs += empty;
        if (empty && policy->empty_graphs == LEMAN_REFUSE)
            FAIL(a->ctx, LEMAN_ERROR_INPUT, "%s: graph %zu has no vertices, which the policy refuses", a->raw->name,
                 g + 1);
        a->graph_new[g] = empty && policy->empty_graphs == LEMAN_REMOVE ? REMOVED : (uint32_t)kept++;
    }
    *out_vertices = vertices;
    *out_graphs = kept;
done:
    return st;
}

/* ---- Filling the block ---------------------------------------------------------------------------------------- */

#define WRITABLE(type, pointer) ((type *)(uintptr_t)(pointer))

/* Item `to` of an array of the block = item `from` of a raw array, `columns` words of 8 bytes. */
static void copy_item(const void *array, size_t to, const lm_vector *raw, size_t from, size_t columns)
{
    if (columns) memcpy(WRITABLE(char, array) + to * columns * 8, (char *)raw->items + from * columns * 8, columns * 8);
}

static size_t name_length(const lm_vector *ends, size_t item)
{
    const uint64_t *end = ends->items;
    return end[item] - (item ? end[item - 1] : 0);
}

/* Appends the name of raw item `from` as item `to`; names arrive in the order of `to`. */
static void copy_name(const uint64_t *start, const char *names, size_t to, const lm_vector *ends,
                      const lm_vector *bytes, size_t from)
{
    if (!start) return;
    size_t length = name_length(ends, from);
    uint64_t first = ((const uint64_t *)ends->items)[from] - length;
    if (length) memcpy(WRITABLE(char, names) + start[to], (char *)bytes->items + first, length);
    WRITABLE(uint64_t, start)[to + 1] = start[to] + length;
}

static void fill_graphs(const assembly *a, leman_dataset *d)
{
    const lm_raw *raw = a->raw;
    uint64_t *graph_start = WRITABLE(uint64_t, d->graph_start);
    memset(graph_start, 0, (d->graphs + 1) * sizeof *graph_start);
    if (d->graph_name_start) WRITABLE(uint64_t, d->graph_name_start)[0] = 0;
    for (size_t g = 0; g < raw->graphs; g++) {
        size_t to = a->graph_new[g];
        if (to == REMOVED) continue;
        copy_item(d->target, to, &raw->target, g, d->columns.targets);
        copy_item(d->class_label, to, &raw->class_label, g, d->columns.classes);
        copy_name(d->graph_name_start, d->graph_name, to, &raw->graph_name_end, &raw->graph_name, g);
    }
    if (d->vertex_name_start) WRITABLE(uint64_t, d->vertex_name_start)[0] = 0;
    for (size_t p = 0; p < a->vertices; p++) {
        size_t to = a->vertex_new[p], from = a->at[p];
        if (to == REMOVED) continue;
        graph_start[a->graph_new[graph_of(a, (uint32_t)p)] + 1]++;
        copy_item(d->vertex_label, to, &raw->vertex_label, from, d->columns.vertex_labels);
        copy_item(d->vertex_attribute, to, &raw->vertex_attribute, from, d->columns.vertex_attributes);
        copy_name(d->vertex_name_start, d->vertex_name, to, &raw->vertex_name_end, &raw->vertex_name, from);
    }
    for (size_t g = 0; g < d->graphs; g++) graph_start[g + 1] += graph_start[g];
}

static void fill_arcs(const assembly *a, leman_dataset *d)
{
    uint64_t *vertex_start = WRITABLE(uint64_t, d->vertex_start);
    uint32_t *arc_head = WRITABLE(uint32_t, d->arc_head);
    memset(vertex_start, 0, (d->vertices + 1) * sizeof *vertex_start);
    for (size_t i = 0; i < a->arc_count; i++) vertex_start[a->vertex_new[a->arcs[i].tail] + 1]++;
    for (size_t v = 0; v < d->vertices; v++) vertex_start[v + 1] += vertex_start[v];
    size_t i = 0;
    for (size_t g = 0; g < d->graphs; g++) /* arcs are sorted by tail, so graph after graph */
        for (; i < a->arc_count && a->vertex_new[a->arcs[i].tail] < d->graph_start[g + 1]; i++) {
            arc_head[i] = (uint32_t)(a->vertex_new[a->arcs[i].head] - d->graph_start[g]);
            copy_item(d->edge_label, i, &a->raw->edge_label, a->arcs[i].label_edge, d->columns.edge_labels);
            copy_item(d->edge_attribute, i, &a->raw->edge_attribute, a->arcs[i].attribute_edge,
                      d->columns.edge_attributes);
        }
}

leman_status lm_dataset_assemble(leman_context *ctx, lm_raw *raw, const leman_policy *policy, leman_report *report,
                                 leman_dataset **out)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    leman_policy standard = leman_policy_default();
    leman_dataset *data = NULL;
    assembly a = {.ctx = ctx,
                  .raw = raw,
                  .policy = policy ? policy : &standard,
                  .vertices = raw->vertex_graph.count,
                  .edges = raw->tail.count};
    TRY(lm_raw_room(ctx, raw, 0, 0));
    TRY(order_vertices(&a));
    bool simple;
    TRY(try_sorted(&a, &simple));
    if (!simple) TRY(decide_all(&a));

    leman_dataset shape = {.arcs = a.arc_count, .directed = a.policy->directed, .columns = raw->columns};
    TRY(number_vertices(&a, &shape.vertices, &shape.graphs));
    for (size_t g = 0; g < raw->graphs && raw->columns.graph_names; g++)
        if (a.graph_new[g] != REMOVED) shape.graph_name_bytes += name_length(&raw->graph_name_end, g);
    for (size_t p = 0; p < a.vertices && raw->columns.vertex_names; p++)
        if (a.vertex_new[p] != REMOVED) shape.vertex_name_bytes += name_length(&raw->vertex_name_end, a.at[p]);
    TRY(lm_dataset_new(ctx, &shape, raw->name, &data));
    fill_graphs(&a, data);
    fill_arcs(&a, data);
    if (report) *report = a.report;
    *out = data;
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}
