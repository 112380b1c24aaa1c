/*
 * A batch: some graphs side by side, as a network sees them. A network's numbers are matrices whose rows are the
 * elements of a space; the rows of graph g are start[g] .. start[g+1]-1, nothing is padded:
 *
 *   LM_TUPLES    k-tuples of vertices, the last component fastest: row start[g] + (v_1 n + v_2) n + ... + v_k
 *   LM_VERTICES  vertices
 *   LM_ARCS      arcs: arc e leaves vertex tail[e] and enters head[e]. An undirected edge is two arcs
 *   LM_LISTED    LM_LISTS spaces, LM_LISTED + i, whose rows are listed one by one: some sets or tuples of vertices,
 *                with their vertices and their neighbours within the list (lm_listing)
 *   LM_LINKS     the entries of the neighbour lists, one space for each list: it has a size, but no values
 *   LM_LABELS    the different edge labels of the data, the same rows in every batch
 *   LM_GRAPHS    graphs
 *   LM_SINGLE    one row
 *
 * All arrays lie in one block that only grows, so filling batch after batch allocates nothing once the largest has
 * been seen. A backend gets them by walking over lm_batch_arrays.
 */
#ifndef LM_BATCH_H
#define LM_BATCH_H

#include "base/context.h"
#include "nn/real.h"

enum { LM_LISTS = 2 };

typedef enum lm_row_space {
    LM_TUPLES,
    LM_VERTICES,
    LM_ARCS,
    LM_LISTED,
    LM_LINKS = LM_LISTED + LM_LISTS,
    LM_LABELS = LM_LINKS + LM_LISTS,
    LM_GRAPHS,
    LM_SINGLE,
    LM_ROW_SPACES,
    LM_GRAPH_SPACES = LM_LINKS,  /* those before it are cut into graphs */
    LM_SUMMED_SPACES = LM_LABELS /* those before it have in a batch the rows of its graphs together */
} lm_row_space;

static inline bool lm_is_listed(lm_row_space space)
{
    return space >= LM_LISTED && space < LM_LINKS;
}

/* How many rows each space has: of one batch, or the maximum over batches. */
typedef struct lm_extent {
    size_t rows[LM_ROW_SPACES];
} lm_extent;

/* "2500 tuples" or "7200 sets", for sentences about batches that are too large: of what there is the most of. */
enum { LM_EXTENT_TEXT = 48 };
const char *lm_extent_text(const lm_extent *extent, char text[LM_EXTENT_TEXT]);

/* Vertex numbers count over the whole batch; a row number fits 32 bits. */
#define LM_NO_TYPE                                                                                                     \
    UINT32_MAX /* an index without a row in its table: a type out of vocabulary. Its embedding is zero                 \
                */

/*
 * Rows that are listed: 2-sets, connected 3-sets; tuples of which only some exist would be another. Row r has `members`
 * vertices, and `lists` lists of neighbours: list j of row r is neighbor[start[r * lists + j]] up to the next start. A
 * list is symmetric: where it leads from r to s, that of s leads to r. So a sum on the way back runs over the same
 * list.
 */
typedef struct lm_listing {
    /* Set before lm_batch_resize(). */
    size_t members; /* 0: there is no such space */
    size_t lists;
    bool types;

    /* Filled by the caller. */
    uint32_t *member;   /* [rows][members] vertices of the batch */
    uint32_t *start;    /* [rows * lists + 1] */
    uint32_t *neighbor; /* [links] rows */
    uint32_t *type;     /* [rows] */

    /* Filled by lm_batch_link(). */
    uint32_t *row_start; /* [vertices+1] */
    uint32_t *row;       /* [rows * members] the rows that have each vertex, increasing */
} lm_listing;

typedef struct lm_batch {
    leman_context *ctx;
    void *block;
    size_t capacity; /* bytes of block */

    /* What has to be set before lm_batch_resize(). */
    unsigned k;       /* of the tuples; with 1 there are none, only vertices */
    lm_extent extent; /* rows of each space; SINGLE is set by lm_batch_resize() */
    /* [graphs] graphs that the backend has in its memory, by the numbers it was given with them: then it needs no array
     * of this batch, and only those of what is to be learned are filled. NULL: it has all arrays. */
    const uint32_t *resident;
    size_t vertex_attributes, arc_attributes, tuple_attributes;   /* columns */
    size_t targets;                                               /* columns */
    size_t counts;                                                /* columns of #: rounds * k, in local+ networks */
    bool tuple_types, vertex_types, arc_labels, classes, weights; /* which of these exist */
    bool target_weights;                                          /* and does this */
    lm_listing listed[LM_LISTS];                                  /* of LM_LISTED + i: has its own fields to be set */

    /* To be filled by the caller after lm_batch_resize(). */
    uint32_t *start[LM_GRAPH_SPACES]; /* [graphs+1] each; the caller fills those of LM_VERTICES and LM_LISTED + i */
    uint32_t *leaving_start;          /* [vertices+1] first arc of each vertex */
    uint32_t *head;                   /* [arcs] no self-loops, increasing within a vertex */
    uint32_t *tuple_type;             /* [tuples] */
    uint32_t *vertex_type;            /* [vertices] */
    uint32_t *arc_label;              /* [arcs] row of LM_LABELS, or LM_NO_TYPE */
    uint32_t *count;                  /* [counts][tuples] bucket of #_position in a round: [round * k + position] */
    lm_real *vertex_attribute;        /* [vertices][vertex_attributes] */
    lm_real *arc_attribute;           /* [arcs][arc_attributes] */
    lm_real *tuple_attribute;         /* [tuples][tuple_attributes] */
    lm_real *target;                  /* [graphs][targets] NAN: missing; of several tasks 0 or 1 */
    uint32_t *class_id;               /* [graphs] 0 .. classes-1 */
    double *graph_weight;             /* [graphs] in the cross entropy, 0: its class is missing; absent: 1 each */
    double *target_weight;            /* [graphs][targets] in the binary cross entropy; absent: 1 each */

    /* Filled by lm_batch_link(). */
    uint32_t *tail;           /* [arcs] */
    uint32_t *entering_start; /* [vertices+1] */
    uint32_t *entering_arc;   /* [arcs] the arcs that enter each vertex, their tails increasing */
    lm_real *label_count;     /* [labels] arcs of the batch that carry each label; 0 without arc labels */
} lm_batch;

/* Is the class of a graph known? */
static inline bool lm_batch_has_class(const lm_batch *batch, size_t graph)
{
    return !batch->graph_weight || batch->graph_weight[graph] > 0;
}

/* What stands in an array, and so what a batch has of it that is made of other batches' graphs. */
typedef enum lm_array_kind {
    LM_ARRAY_OF_BATCH, /* follows from which graphs there are: their starts, counts of labels */
    LM_ARRAY_STARTS,   /* one more than rows: where the lists of rows begin */
    LM_ARRAY_NUMBERS,  /* numbers of rows */
    LM_ARRAY_TYPES,
    LM_ARRAY_REALS,  /* attributes */
    LM_ARRAY_LEARNED /* targets, classes, their weights */
} lm_array_kind;

/* One array of the block. */
typedef struct lm_batch_array {
    size_t pointer;                         /* offsetof its pointer in lm_batch */
    size_t element;                         /* bytes */
    size_t (*count)(const lm_batch *batch); /* elements; 0: the array is absent and its pointer NULL */
    lm_array_kind kind;
    lm_row_space rows; /* that it goes along */
    /* Of starts and numbers: what they count, rows of this space, `each` for one row (NULL: 1). */
    lm_row_space counted;
    size_t (*each)(const lm_batch *batch);
} lm_batch_array;

enum { LM_BATCH_ARRAYS = 20 + 7 * LM_LISTS };
extern const lm_batch_array lm_batch_arrays[LM_BATCH_ARRAYS];

/* Its pointer in a batch. */
void *lm_batch_array_of(const lm_batch *batch, const lm_batch_array *array);
/* Elements that one row has; of `count`, which has a plane for each column, those of one column. */
size_t lm_batch_row_elements(const lm_batch *batch, const lm_batch_array *array);
/* Planes, one behind the other, each of all rows: 1 but of `count`. */
size_t lm_batch_planes(const lm_batch *batch, const lm_batch_array *array);

/* An empty batch; lm_batch_free() at the end. */
void lm_batch_init(leman_context *ctx, lm_batch *batch);
void lm_batch_free(lm_batch *batch);
/* Room for the sizes that stand in the batch; what the arrays held is lost. Rows of tuples are the sum of n^k, 0 for
 * k = 1. LEMAN_ERROR_BUDGET where a space has more rows than 32 bits can number. */
leman_status lm_batch_resize(lm_batch *batch);
/* Bytes of all arrays, each on a boundary of 64; where base is not NULL the pointers of the batch become those of
 * arrays there. false where they cannot be addressed. */
bool lm_batch_place(lm_batch *batch, char *base, size_t *bytes);
/* Finds what follows from the rest: starts of tuples and arcs, tails, entering arcs, counts of labels, the listed rows
 * of each vertex. O(vertices + arcs + rows). */
void lm_batch_link(lm_batch *batch);

#endif
