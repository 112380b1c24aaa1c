/* Writes tuples, atomic types and branches in words. */
#include "base/text.h"
#include "io/molecule/sdf.h"
#include "report/drawing/graph_drawing.h"
#include "report/explain.h"
#include <string.h>

/* ---- Vertices -------------------------------------------------------------------------------- */

typedef struct place {
    uint32_t graph, vertex;
} place;

/* In a union the vertices of the second graph follow those of the first. */
static place place_of(const lm_explained *e, uint32_t graph, uint32_t vertex)
{
    bool second = e->as_union && vertex >= e->graph[0].vertices;
    return second ? (place){1, vertex - (uint32_t)e->graph[0].vertices} : (place){graph, vertex};
}

/* The apex is the last vertex of its graph. */
static bool is_apex(const lm_explained *e, place p)
{
    return e->apex && p.vertex + 1 == e->graph[p.graph].vertices;
}

static void append_vertex(lm_joined *w, const lm_explained *e, place p)
{
    size_t length = 0;
    const char *name = leman_dataset_vertex_name(e->data[p.graph], e->number[p.graph], p.vertex, &length);
    const char *prime = e->as_union && p.graph ? "'" : "";
    char clean[40];
    if (is_apex(e, p)) {
        lm_joined_add(w, "apex%s", prime);
    } else if (length && length < sizeof clean) {
        memcpy(clean, name, length);
        clean[length] = 0;
        lm_text_clean(clean, '?');
        lm_joined_add(w, "%s%s", clean, prime);
    } else {
        lm_joined_add(w, "%u%s", p.vertex, prime);
    }
}

const char *lm_tuple_words(const lm_explained *e, uint32_t graph, const uint32_t *tuple, char *text)
{
    lm_joined w = lm_joined_begin(text, LM_WORDS);
    const bool set = lm_explained_items(e)->kind == LM_ITEM_SET;
    lm_joined_add(&w, set ? "{" : "(");
    for (unsigned j = 0; j < e->unrolling->k; j++) {
        if (set && tuple[j] == LM_ABSENT) break;
        if (j) lm_joined_add(&w, ",");
        if (tuple[j] == LM_ABSENT)
            lm_joined_add(&w, "*");
        else
            append_vertex(&w, e, place_of(e, graph, tuple[j]));
    }
    lm_joined_add(&w, set ? "}" : ")");
    return text;
}

const char *lm_graph_words(const lm_explained *e, uint32_t graph, char *text)
{
    size_t length = 0;
    const char *name = leman_dataset_graph_name(e->data[graph], e->number[graph], &length);
    lm_joined w = lm_joined_begin(text, LM_WORDS);
    lm_joined_add(&w, "the %s graph", graph ? "second" : "first");
    if (length && length < 64) {
        lm_joined_add(&w, " (%.*s)", (int)length, name);
        lm_text_clean(text, '?');
    }
    return text;
}

const char *lm_root_words(const lm_explained *e, size_t node, char *text)
{
    return lm_tuple_words(e, e->unrolling->node[node].graph, e->unrolling->vertex + node * e->unrolling->k, text);
}

const char *lm_root_graph_words(const lm_explained *e, size_t node, char *text)
{
    return e->as_union ? "the union" : lm_graph_words(e, e->unrolling->node[node].graph, text);
}

/* ---- Atomic types ---------------------------------------------------------------------------- */

static void append_label(lm_joined *w, const int64_t *label, size_t columns)
{
    for (size_t i = 0; i < columns; i++) lm_joined_add(w, i ? "/%lld" : "%lld", (long long)label[i]);
}

/* Finds the arc from u to v; returns false if there is none. */
static bool find_arc(const lm_explained *e, place u, place v, uint64_t *arc)
{
    const leman_graph *g = &e->graph[u.graph];
    if (u.graph != v.graph) return false;
    for (*arc = g->start[u.vertex]; *arc < g->start[u.vertex + 1]; ++*arc)
        if (g->head[*arc] == v.vertex) return true;
    return false;
}

static void append_arc_label(lm_joined *w, const lm_explained *e, uint32_t graph, uint64_t arc, const char *before,
                             const char *behind)
{
    const leman_graph *g = &e->graph[graph];
    if (!g->edge_labels || e->coloring->ignore_edge_labels) return;
    lm_joined_add(w, "%s", before);
    append_label(w, g->edge_label + arc * g->edge_labels, g->edge_labels);
    lm_joined_add(w, "%s", behind);
}

/* Appends "v1 = v2", "v1, v2 adjacent (1)" or "v1 -> v2". */
static void append_pair(lm_joined *w, const lm_explained *e, place a, place b, unsigned i, unsigned j)
{
    uint64_t there = 0, back = 0;
    if (a.graph == b.graph && a.vertex == b.vertex) {
        lm_joined_add(w, "v%u = v%u", i + 1, j + 1);
        return;
    }
    bool out = find_arc(e, a, b, &there), in = find_arc(e, b, a, &back);
    if (!out && !in) {
        lm_joined_add(w, "v%u, v%u not adjacent", i + 1, j + 1);
    } else if (!e->graph[a.graph].directed) {
        lm_joined_add(w, "v%u, v%u adjacent", i + 1, j + 1);
        append_arc_label(w, e, a.graph, there, " (", ")");
    } else {
        lm_joined_add(w, "v%u %s v%u", i + 1, out && in ? "<->" : out ? "->" : "<-", j + 1);
        if (out) append_arc_label(w, e, a.graph, there, " (", ")");
        if (in) append_arc_label(w, e, a.graph, back, " (back ", ")");
    }
}

/* Returns the number of arcs of a shortest path; LM_ABSENT if there is none. */
static uint32_t find_distance(const lm_explained *e, place u, place v)
{
    const leman_graph *g = &e->graph[u.graph];
    uint32_t *distance = e->room, *queue = e->room + g->vertices;
    size_t reached = 1;
    if (u.graph != v.graph) return LM_ABSENT;
    memset(distance, 0xff, g->vertices * sizeof *distance);
    distance[u.vertex] = 0;
    queue[0] = u.vertex;
    for (size_t i = 0; i < reached && distance[v.vertex] == LM_ABSENT; i++)
        for (uint64_t arc = g->start[queue[i]]; arc < g->start[queue[i] + 1]; arc++) {
            if (distance[g->head[arc]] != LM_ABSENT) continue;
            distance[g->head[arc]] = distance[queue[i]] + 1;
            queue[reached++] = g->head[arc];
        }
    return distance[v.vertex];
}

/* What round 0 knows of an ordered pair: whether its vertices are equal, or their distance and the label of their arc. */
static void append_ordered_pair(lm_joined *w, const lm_explained *e, place a, place b)
{
    const unsigned first = lm_explained_items(e)->first;
    const bool equal = a.graph == b.graph && a.vertex == b.vertex;
    uint64_t arc;
    if (equal && first & (LM_FIRST_MARK | LM_FIRST_DISTANCE)) lm_joined_add(w, "v1 = v2");
    if (!equal && first & LM_FIRST_MARK) lm_joined_add(w, "v1, v2 different");
    if (equal || !(first & LM_FIRST_DISTANCE)) return;
    lm_joined_add(w, "v2 at distance %u", find_distance(e, a, b));
    if (find_arc(e, a, b, &arc)) append_arc_label(w, e, a.graph, arc, " (", ")");
}

/* The number of components that the tuple has, from the first on. */
static unsigned count_present(const lm_explained *e, const uint32_t *tuple)
{
    unsigned count = 0;
    while (count < e->unrolling->k && tuple[count] != LM_ABSENT) count++;
    return count;
}

static void append_labels(lm_joined *w, const lm_explained *e, uint32_t graph, const uint32_t *tuple)
{
    const unsigned k = count_present(e, tuple);
    const lm_item_rule *items = lm_explained_items(e);
    const unsigned from = items->kind == LM_ITEM_PAIR && !(items->first & LM_FIRST_ROOT) ? 1 : 0;
    size_t columns = e->graph[0].vertex_labels - e->apex; /* the last column marks the apex */
    if (e->coloring->ignore_vertex_labels || !columns) return;
    const bool molecule =
        columns == 1 && leman_graph_is_molecule(&e->graph[0]) && leman_graph_is_molecule(&e->graph[1]);
    lm_joined_add(w, "%s%s ", w->used ? "; " : "",
                  molecule        ? (k == from + 1 ? "atom" : "atoms")
                  : k == from + 1 ? "label"
                                  : "labels");
    if (from) lm_joined_add(w, "of v2 ");
    for (unsigned j = from; j < k; j++) {
        place p = place_of(e, graph, tuple[j]);
        const leman_graph *g = &e->graph[p.graph];
        char atom[LM_NUMBER_TEXT];
        if (j > from) lm_joined_add(w, ", ");
        if (is_apex(e, p))
            lm_joined_add(w, "-");
        else if (molecule && leman_atom_symbol(g->vertex_label[p.vertex * g->vertex_labels], atom, sizeof atom))
            lm_joined_add(w, "%s", atom);
        else
            append_label(w, g->vertex_label + p.vertex * g->vertex_labels, columns);
    }
}

const char *lm_type_words(const lm_explained *e, uint32_t graph, const uint32_t *tuple, char *text)
{
    lm_joined w = lm_joined_begin(text, LM_WORDS);
    const bool pair = lm_explained_items(e)->kind == LM_ITEM_PAIR;
    const unsigned k = count_present(e, tuple);
    if (pair && k < 2) { /* a row or a column */
        lm_joined_add(&w, "the pairs of v%u", tuple[0] == LM_ABSENT ? 2 : 1);
        return text;
    }
    if (pair) append_ordered_pair(&w, e, place_of(e, graph, tuple[0]), place_of(e, graph, tuple[1]));
    for (unsigned i = 0; i < k && !pair; i++)
        for (unsigned j = i + 1; j < k; j++) {
            if (w.used) lm_joined_add(&w, "; ");
            append_pair(&w, e, place_of(e, graph, tuple[i]), place_of(e, graph, tuple[j]), i, j);
        }
    append_labels(&w, e, graph, tuple);
    for (unsigned j = 0; j < k; j++) {
        place p = place_of(e, graph, tuple[j]);
        uint64_t arc;
        if (find_arc(e, p, p, &arc)) lm_joined_add(&w, "%sloop at v%u", w.used ? "; " : "", j + 1);
        if (is_apex(e, p)) lm_joined_add(&w, "%sv%u is the apex", w.used ? "; " : "", j + 1);
    }
    if (!w.used) lm_joined_add(&w, pair ? "a pair" : "a vertex");
    return text;
}

/* ---- Branches -------------------------------------------------------------------------------- */

/* Appends " over L" for the label of the arc between v and w, if edges have labels. */
static void append_over(lm_joined *w, const lm_explained *e, place from, place to)
{
    uint64_t arc;
    if (find_arc(e, from, to, &arc)) append_arc_label(w, e, from.graph, arc, " over ", "");
}

/* Appends which vertices w a path runs over, and the labels of the arcs that count. */
static void append_path(lm_joined *w, const lm_explained *e, place a, place b, const leman_branch *branch)
{
    const unsigned sums = lm_explained_items(e)->sums;
    const bool back = branch->position, both = sums & LM_PAIR_PATHS_BOTH;
    const place x = place_of(e, a.graph, branch->vertex);
    if (sums & LM_PAIR_PATHS_ALL) {
        lm_joined_add(w, "any vertex w");
        return;
    }
    lm_joined_add(w, "%s %s", back ? "a vertex w with an arc to" : "a neighbour w of", both ? "v1 or v2" : "v2");
    append_over(w, e, back ? x : b, back ? b : x);
    if (both) append_over(w, e, back ? x : a, back ? a : x);
}

static void append_distance(lm_joined *w, const lm_explained *e, place v, const leman_branch *branch)
{
    const unsigned distances = lm_explained_items(e)->distances;
    const bool back = branch->position;
    const place x = place_of(e, v.graph, branch->vertex), from = back ? x : v, to = back ? v : x;
    lm_joined_add(w, "a vertex");
    if (distances & LM_DISTANCE_PATH) {
        const uint32_t distance = find_distance(e, from, to);
        if (distance == LM_ABSENT)
            lm_joined_add(w, " without a path %s it", back ? "to" : "from");
        else
            lm_joined_add(w, " at distance %u%s", distance, back ? ", backwards" : "");
    }
    if (distances & LM_DISTANCE_RESISTANCE) {
        lm_joined_add(w, " with the resistance of ");
        append_vertex(w, e, x);
    }
    append_over(w, e, from, to);
}

/* The branches that only items have, and a vector. */
static void append_joint(lm_joined *w, const lm_explained *e, size_t node, const leman_branch *b)
{
    const leman_unrolling *u = e->unrolling;
    const uint32_t graph = u->node[node].graph, *tuple = u->vertex + node * u->k;
    switch (b->relation) {
    case LEMAN_RELATION_VECTOR: lm_joined_add(w, "a vertex in every place"); break;
    case LEMAN_RELATION_END: lm_joined_add(w, "(v2,v2)"); break;
    case LEMAN_RELATION_PATH: append_path(w, e, place_of(e, graph, tuple[0]), place_of(e, graph, tuple[1]), b); break;
    case LEMAN_RELATION_POOLED: lm_joined_add(w, "a pair"); break;
    case LEMAN_RELATION_DISTANCE: append_distance(w, e, place_of(e, graph, tuple[0]), b); break;
    case LEMAN_RELATION_LESS: lm_joined_add(w, "one vertex less"); break;
    case LEMAN_RELATION_MORE: lm_joined_add(w, "one vertex more"); break;
    case LEMAN_RELATION_ITSELF:
    case LEMAN_RELATION_NEIGHBOR:
    case LEMAN_RELATION_ENTERING:
    case LEMAN_RELATION_OTHER:
    case LEMAN_RELATION_ANY: break;
    }
}

const char *lm_branch_words(const lm_explained *e, size_t node, const leman_branch *b, char *text)
{
    static const char *const TO[] = {[LEMAN_RELATION_NEIGHBOR] = "a neighbour",
                                     [LEMAN_RELATION_ENTERING] = "a vertex with an arc to it",
                                     [LEMAN_RELATION_OTHER] = "a vertex that is no neighbour",
                                     [LEMAN_RELATION_ANY] = "any vertex"};
    const leman_unrolling *u = e->unrolling;
    lm_joined w = lm_joined_begin(text, LM_WORDS);
    if (b->relation == LEMAN_RELATION_ITSELF) {
        lm_joined_add(&w, "itself");
        return text;
    }
    if (b->relation > LEMAN_RELATION_ANY) {
        append_joint(&w, e, node, b);
    } else {
        const uint32_t graph = u->node[node].graph;
        const bool entering = b->relation == LEMAN_RELATION_ENTERING;
        const place v = place_of(e, graph, u->vertex[node * u->k + b->position]), x = place_of(e, graph, b->vertex);
        lm_joined_add(&w, "v%u to %s", b->position + 1, TO[b->relation]);
        if ((u->k == 1 || lm_explained_items(e)->kind == LM_ITEM_PAIR) &&
            (entering || b->relation == LEMAN_RELATION_NEIGHBOR))
            append_over(&w, e, entering ? x : v, entering ? v : x);
    }
    lm_joined_add(&w, ", %llu x", (unsigned long long)b->count);
    if (b->repeats) lm_joined_add(&w, ", # %llu", (unsigned long long)b->repeats);
    return text;
}
