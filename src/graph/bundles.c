/*
 * Parallel edges that the policy keeps. A bundle of m edges becomes one edge with the labels of all of them: their rows of
 * labels in lexicographic order, one behind the other, or the label m if edges have no labels. Edges with fewer labels
 * than columns end in LEMAN_EDGE_LABEL_NONE. The rows are those of one direction: the one with more lines, or the one
 * whose sorted rows come first. Time: O(lines) for each column of labels, by radix sorts.
 */
#include "base/sort.h"
#include "graph/assembly.h"
#include <string.h>

static const int64_t *row_of(const lm_assembly *a, uint32_t line)
{
    return (const int64_t *)a->raw->edge_label.items + line * a->raw->columns.edge_labels;
}

/* Sorts lines by their rows of labels, the last column first. */
static leman_status sort_lines(const lm_assembly *a, uint32_t *line, size_t count)
{
    SCRATCH_SCOPE(a->ctx);
    lm_pair *pair, *spare;
    PASS_SCRATCH(a->ctx, pair, count);
    PASS_SCRATCH(a->ctx, spare, count);
    for (size_t i = 0; i < count; i++) pair[i].payload = line[i];
    for (size_t c = a->raw->columns.edge_labels; c-- > 0;) {
        for (size_t i = 0; i < count; i++)
            pair[i].key = (uint64_t)row_of(a, (uint32_t)pair[i].payload)[c] ^ UINT64_C(1) << 63;
        lm_sort_pairs(pair, spare, count, 1);
    }
    for (size_t i = 0; i < count; i++) line[i] = (uint32_t)pair[i].payload;
    return LEMAN_OK;
}

/* Returns true if the sorted rows of the other lines come before those of the first. */
static bool comes_later(const lm_assembly *a, const uint32_t *line, const uint32_t *other, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < a->raw->columns.edge_labels; c++) {
            const int64_t one = row_of(a, line[i])[c], two = row_of(a, other[i])[c];
            if (one != two) return two < one;
        }
    return false;
}

leman_status lm_bundle_add(lm_assembly *a, uint32_t *line[2], const size_t count[2], lm_kept_arc *arc)
{
    for (size_t way = 0; way < 2; way++) PASS(sort_lines(a, line[way], count[way]));
    const bool equal = count[0] == count[1];
    const size_t way = count[1] > count[0] || (equal && comes_later(a, line[0], line[1], count[0]));
    const lm_bundle bundle = {a->bundle_line.count, count[way]};
    PASS(lm_vector_append(a->ctx, &a->bundle_line, line[way], count[way], sizeof **line));
    PASS(lm_vector_append(a->ctx, &a->bundle, &bundle, 1, sizeof bundle));
    arc->bundle = (uint32_t)a->bundle.count;
    if (bundle.count > a->most) a->most = bundle.count;
    return LEMAN_OK;
}

leman_status lm_bundle_columns(const lm_assembly *a, size_t *columns)
{
    *columns = a->raw->columns.edge_labels;
    if (a->most < 2) return LEMAN_OK;
    if (!*columns)
        *columns = 1;
    else if (!lm_multiply(*columns, a->most, columns))
        return lm_fail(a->ctx, LEMAN_ERROR_BUDGET, "%s: found an edge that is repeated %zu times, more than any memory",
                       a->raw->name, a->most);
    return LEMAN_OK;
}

void lm_bundle_label(const lm_assembly *a, const lm_kept_arc *arc, size_t columns, int64_t *to)
{
    const size_t own = a->raw->columns.edge_labels;
    const lm_bundle one = {0, 1};
    const lm_bundle *b = arc->bundle ? (const lm_bundle *)a->bundle.items + arc->bundle - 1 : &one;
    const uint32_t *line = arc->bundle ? (const uint32_t *)a->bundle_line.items + b->first : &arc->label_edge;
    for (size_t i = 0; i < b->count && own; i++) memcpy(to + i * own, row_of(a, line[i]), own * sizeof *to);
    size_t filled = b->count * own;
    if (!own && b->count > 1) to[filled++] = (int64_t)b->count;
    for (; filled < columns; filled++) to[filled] = LEMAN_EDGE_LABEL_NONE;
}

void lm_bundles_release(lm_assembly *a)
{
    lm_vector_release(&a->bundle);
    lm_vector_release(&a->bundle_line);
}
