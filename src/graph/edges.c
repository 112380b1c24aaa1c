/*
 * The policy for repeated edges, one-way edges, self-loops, and conflicting labels.
 *
 * Every line (t, h) becomes an arc t -> h and, in undirected data, a reversed arc h -> t. Arcs are sorted by tail and
 * head. A run of equal arcs has `a` lines in this direction and `b` lines in the other, so each run is decided by
 * itself: it has max(a, b) - 1 repeated edges, and is one-way if a or b is 0. Its label is that of its earliest line,
 * which is the same line for both directions of an edge; if repeated edges are kept, bundles.c finds it. Its attributes are those of the earliest line in its own
 * direction.
 *
 * Time O(vertices + edges), two counting sorts. A file that is already sorted, simple and symmetric needs no sort.
 */
#include "base/text.h"
#include "graph/assembly.h"
#include <string.h>

/* An arc in the bucket of one of its ends. */
typedef struct arc {
    uint32_t end;  /* the other end: a vertex in the final order of graphs, before removals */
    uint32_t line; /* twice the index of the line, plus 1 if the line has the other direction */
} arc;

static const uint32_t NONE = UINT32_MAX; /* no line */

/* The first line that the policy refuses, and the reason. */
typedef struct fault {
    uint32_t edge;
    const char *reason;
} fault;

/* Fails if arrays of so many bytes exceed the budget, before they are allocated. */
static leman_status check_sorting_memory(const lm_assembly *a, uint64_t bytes)
{
    const uint64_t small = 1 << 24; /* too few bytes to ask how much memory is free */
    if (bytes <= small) return LEMAN_OK;
    size_t budget = lm_budget(a->ctx);
    if (bytes <= budget) return LEMAN_OK;
    char needed[LM_NUMBER_TEXT], available[LM_BUDGET_TEXT];
    return lm_fail(a->ctx, LEMAN_ERROR_BUDGET,
                   "%s: %zu %s and %zu line%s of edges need %s to be sorted, the memory budget is %s", a->raw->name,
                   a->vertices, lm_plural_of(a->vertices, "vertex", "vertices"), a->edges, lm_plural(a->edges),
                   lm_bytes_text(bytes, needed), lm_budget_text(a->ctx, budget, available));
}

/* ---- Sorting arcs ---------------------------------------------------------------------------- */

/* Returns the ends of the arc that a numbered line, in its own direction or reversed, stands for. */
static void ends_of(const lm_assembly *a, uint32_t line, uint32_t *tail, uint32_t *head)
{
    const lm_vector *from = line & 1 ? &a->raw->head : &a->raw->tail, *to = line & 1 ? &a->raw->tail : &a->raw->head;
    *tail = a->place[((const uint32_t *)from->items)[line >> 1]];
    *head = a->place[((const uint32_t *)to->items)[line >> 1]];
}

/*
 * Makes all arcs in buckets by tail (start[vertices+1]), sorted by head and then by line inside a bucket. Two counting
 * sorts: into buckets by head in the order of lines, then from these, in order, into buckets by tail.
 */
static leman_status sorted_arcs(lm_assembly *a, arc **out, size_t **out_start)
{
    uint32_t step = a->policy->directed ? 2 : 1, tail, head;
    size_t lines = 2 * a->edges, count = lines / step, n = a->vertices;
    arc *by_head, *by_tail;
    size_t *head_next, *tail_next;
    PASS(check_sorting_memory(a, lm_saturating_multiply(count, 2 * sizeof(arc) + sizeof(lm_kept_arc))));
    PASS_SCRATCH(a->ctx, by_head, count);
    PASS_SCRATCH(a->ctx, by_tail, count);
    PASS_SCRATCH_ZERO(a->ctx, head_next, n + 2);
    PASS_SCRATCH_ZERO(a->ctx, tail_next, n + 2);
    for (size_t i = 0; i < lines; i += step) {
        ends_of(a, (uint32_t)i, &tail, &head);
        head_next[head + 2]++;
        tail_next[tail + 2]++;
    }
    for (size_t v = 0; v < n; v++) { /* next[v+1] becomes the beginning of bucket v, and later its end */
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
    return LEMAN_OK;
}

/* ---- Deciding runs --------------------------------------------------------------------------- */

static leman_status refuse_edge(const lm_assembly *a, const fault *f)
{
    const lm_raw *raw = a->raw;
    const uint64_t *line = raw->edge_line.items;
    char ends[2][64];
    uint32_t tail = ((const uint32_t *)raw->tail.items)[f->edge], head = ((const uint32_t *)raw->head.items)[f->edge];
    lm_raw_vertex_text(raw, tail, lm_assembly_number(a, tail), ends[0], sizeof ends[0]);
    lm_raw_vertex_text(raw, head, lm_assembly_number(a, head), ends[1], sizeof ends[1]);
    if (raw->edge_file)
        return lm_fail(a->ctx, LEMAN_ERROR_INPUT, "%s:%llu: edge (%s, %s) %s, which the policy refuses", raw->edge_file,
                       raw->edge_line.count ? (unsigned long long)line[f->edge] : f->edge + 1ull, ends[0], ends[1],
                       f->reason);
    return lm_fail(a->ctx, LEMAN_ERROR_INPUT, "%s: graph %llu: edge (%s, %s) %s, which the policy refuses", raw->name,
                   (unsigned long long)(raw->first_graph + lm_assembly_graph(a, a->place[tail])), ends[0], ends[1],
                   f->reason);
}

static bool labels_differ(const lm_assembly *a, uint32_t e, uint32_t f)
{
    size_t columns = a->raw->columns.edge_labels;
    const int64_t *label = a->raw->edge_label.items;
    return columns && memcmp(label + e * columns, label + f * columns, columns * sizeof *label);
}

/* The lines of a run. A member is NONE if there is no such line. */
typedef struct finding {
    size_t ways[2];    /* number of lines in this direction, and in the other */
    uint32_t own;      /* the first line in this direction */
    uint32_t repeated; /* the first line that repeats an earlier line in the same direction */
    uint32_t conflict; /* the first line whose labels differ from those of the earliest */
} finding;

static finding read_run(const lm_assembly *a, const arc *run, size_t length)
{
    finding f = {.own = NONE, .repeated = NONE, .conflict = NONE};
    for (size_t i = 0; i < length; i++) {
        uint32_t edge = run[i].line >> 1, reversed = run[i].line & 1;
        if (f.ways[reversed]++ && f.repeated == NONE) f.repeated = edge;
        if (!reversed && f.own == NONE) f.own = edge;
        if (!a->policy->directed && f.conflict == NONE && labels_differ(a, run->line >> 1, edge)) f.conflict = edge;
    }
    return f;
}

/* Keeps the first refused line in file order. */
static void record_fault(fault *first, bool applies, leman_action action, uint32_t edge, const char *reason)
{
    if (applies && action == LEMAN_ACTION_REFUSE && edge < first->edge) *first = (fault){edge, reason};
}

/* Makes a bundle of a run whose repeated edges are kept. */
static leman_status keep_repeated(lm_assembly *a, const arc *run, size_t length, lm_kept_arc *kept)
{
    SCRATCH_SCOPE(a->ctx);
    uint32_t *line[2];
    size_t count[2] = {0};
    for (size_t way = 0; way < 2; way++) PASS_SCRATCH(a->ctx, line[way], length);
    for (size_t i = 0; i < length; i++) line[run[i].line & 1][count[run[i].line & 1]++] = run[i].line >> 1;
    return lm_bundle_add(a, line, count, kept);
}

/* Decides one run of equal arcs tail -> run->end, and keeps at most one arc. Findings of an undirected edge are counted
 * for its direction with the smaller tail. */
static leman_status decide_run(lm_assembly *a, uint32_t tail, const arc *run, size_t length, fault *first)
{
    const leman_policy *policy = a->policy;
    finding f = read_run(a, run, length);
    const bool bundle = f.repeated != NONE && policy->repeated_edges == LEMAN_ACTION_KEEP;
    if (bundle) f.conflict = NONE; /* parallel edges may have different labels */
    const uint32_t head = run->end, earliest = run->line >> 1;
    const bool loop = tail == head, counts = policy->directed || tail <= head;
    const bool one_way = !policy->directed && !loop && (!f.ways[0] || !f.ways[1]);
    record_fault(first, loop, policy->self_loops, earliest, "is a self-loop");
    record_fault(first, f.repeated != NONE, policy->repeated_edges, f.repeated, "is repeated");
    record_fault(first, one_way, policy->one_way_edges, earliest, "has no way back");
    record_fault(first, f.conflict != NONE, policy->label_conflicts, f.conflict, "has two different labels");
    if (counts) {
        a->cleaning.repeated_edges += (f.ways[0] > f.ways[1] ? f.ways[0] : f.ways[1]) - 1;
        a->cleaning.one_way_edges += one_way;
        a->cleaning.self_loops += loop;
        a->cleaning.label_conflicts += f.conflict != NONE;
    }
    if ((loop && policy->self_loops == LEMAN_ACTION_REMOVE) ||
        (one_way && policy->one_way_edges == LEMAN_ACTION_REMOVE))
        return LEMAN_OK;
    lm_kept_arc *kept = &a->arcs[a->arc_count++];
    *kept = (lm_kept_arc){tail, head, earliest, f.own == NONE ? earliest : f.own, 0};
    return bundle ? keep_repeated(a, run, length, kept) : LEMAN_OK;
}

static leman_status decide_all(lm_assembly *a)
{
    arc *arcs;
    size_t *start;
    fault first = {.edge = NONE};
    PASS(sorted_arcs(a, &arcs, &start));
    PASS_SCRATCH(a->ctx, a->arcs, start[a->vertices]);
    for (size_t v = 0; v < a->vertices; v++)
        for (size_t i = start[v], j; i < start[v + 1]; i = j) {
            for (j = i + 1; j < start[v + 1] && arcs[j].end == arcs[i].end;) j++;
            PASS(decide_run(a, (uint32_t)v, arcs + i, j - i, &first));
        }
    if (first.edge != NONE) return refuse_edge(a, &first);
    return LEMAN_OK;
}

/*
 * Handles the common case without sorting: lines are increasing by (tail, head), so that there are no repeated edges;
 * there are no loops; and in undirected data the k-th arc that enters v comes from the head of the k-th arc that leaves
 * v, with the same label.
 */
static leman_status try_sorted(lm_assembly *a, bool *simple)
{
    const uint32_t *tail = a->raw->tail.items, *head = a->raw->head.items;
    size_t *cursor;
    *simple = !a->cleaning.moved_vertices;
    for (size_t e = 0; e < a->edges && *simple; e++)
        *simple =
            tail[e] != head[e] && (!e || tail[e - 1] < tail[e] || (tail[e - 1] == tail[e] && head[e - 1] < head[e]));
    if (!*simple) return LEMAN_OK;
    if (!a->policy->directed) {
        PASS_SCRATCH(a->ctx, cursor, a->vertices);
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
        if (!*simple) return LEMAN_OK;
    }
    PASS_SCRATCH(a->ctx, a->arcs, a->edges);
    for (size_t e = 0; e < a->edges; e++) a->arcs[e] = (lm_kept_arc){tail[e], head[e], (uint32_t)e, (uint32_t)e, 0};
    a->arc_count = a->edges;
    return LEMAN_OK;
}

leman_status lm_assembly_edges(lm_assembly *a)
{
    bool simple;
    PASS(try_sorted(a, &simple));
    if (!simple) PASS(decide_all(a));
    return LEMAN_OK;
}
