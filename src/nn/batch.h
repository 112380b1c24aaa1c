/*
 * A batch: several graphs side by side, as input of a network. The numbers of a network are matrices whose rows are the
 * elements of a space. The rows of graph g are start[g] .. start[g+1]-1; there is no padding:
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
 * All arrays lie in one block that only grows: once the largest batch has been filled, further batches allocate
 * nothing. A backend copies the arrays by iterating over lm_batch_arrays.
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
    LM_GRAPH_SPACES = LM_LINKS,  /* the rows of smaller spaces are divided among the graphs */
    LM_SUMMED_SPACES = LM_LABELS /* in smaller spaces a batch has as many rows as its graphs together */
} lm_row_space;

static inline bool lm_is_listed(lm_row_space space)
{
    return space >= LM_LISTED && space < LM_LINKS;
}

/* The number of rows of each space: in one batch, or the maximum over batches. */
typedef struct lm_extent {
    size_t rows[LM_ROW_SPACES];
} lm_extent;

/* Writes the size of the largest part of a batch, for example "2500 tuples" or "7200 sets", for messages about batches
 * that are too large. Returns text. */
enum { LM_EXTENT_TEXT = 48 };
const char *lm_extent_text(const lm_extent *extent, char text[LM_EXTENT_TEXT]);

/* Vertices are numbered over the whole batch. Row numbers have 32 bits. */
#define LM_NO_TYPE                                                                                                     \
    UINT32_MAX /* an index without a row in its table: a type out of vocabulary. Its embedding is zero                 \
                */

/*
 * A space whose rows are listed one by one, for example 2-sets, connected 3-sets or connected tuples. Row r has
 * `members` vertices and `lists` lists of neighbours. List j of row r is neighbor[start[r * lists + j]] up to the next
 * start. Every list has a reverse: if s is in list j of r, then r is in the reverse list of s. The reverse of list j is
 * list j itself or, if `paired`, the list that is half of all lists away. So sums in the backward pass run over lists
 * that exist.
 */
typedef struct lm_listing {
    /* Set before lm_batch_resize(). */
    size_t members; /* 0: the space does not exist */
    size_t lists;
    size_t types;      /* 0 or 1: whether the array exists */
    size_t attributes; /* columns */
    size_t paired;     /* 0 or 1: the first half of the lists are the reverses of the second half */
    size_t places;     /* 1: the members of a row are a set; `members`: a tuple, whose components are told apart */
    size_t follows;    /* 0 or 1: tuples whose links along component j are arcs: list j replaces it by the heads of its
                          arcs or, in the second half of the lists, by the tails of the arcs that enter it */
    size_t picks; /* 0 or 1: pairs in the order of their vertices, among them (v, v), (u, w), (w, u) for all arcs uw */

    /* Filled by the caller. */
    uint32_t *member;   /* [rows][members] vertices of the batch */
    uint32_t *start;    /* [rows * lists + 1] */
    uint32_t *neighbor; /* [links] row numbers */
    uint32_t *type;     /* [rows] */
    lm_real *attribute; /* [rows][attributes] */

    /* Filled by lm_batch_link(). */
    uint32_t *row_start; /* [vertices * places + 1] */
    uint32_t *row;       /* [rows * members] for each vertex, of tuples for each vertex and component, the rows that
                            contain it there, increasing */
    uint32_t *link_arc;  /* [links] with `follows`: the arc of each link, increasing in every list */
    /* With `picks`: the rows of (v, v) [vertices], (u, w) and (w, u) [arcs]; and [rows+1] for each how many rows of its
     * kind are before a row. */
    uint32_t *diagonal, *there, *back, *diagonals, *theres, *backs;
} lm_listing;

/* Returns the number of the reverse of list j. */
static inline size_t lm_reverse_list(const lm_listing *listing, size_t j)
{
    return listing->paired ? (j + listing->lists / 2) % listing->lists : j;
}

typedef struct lm_batch {
    leman_context *ctx;
    void *block;
    size_t capacity; /* bytes of block */

    /* To be set by the caller before lm_batch_resize(). */
    unsigned k;         /* size of the tuples; with k = 1 there are only vertices */
    lm_row_space level; /* of targets, classes and their weights: LM_GRAPHS, LM_VERTICES or LM_ARCS */
    lm_extent extent;   /* rows of each space; SINGLE is set by lm_batch_resize() */
    size_t vertex_attributes, arc_attributes, tuple_attributes; /* columns */
    size_t targets;                                             /* columns */
    size_t counts;                                              /* columns of # (local+ networks): rounds * k */
    size_t tuple_types, vertex_types, arc_labels;               /* 0 or 1: whether the array exists */
    size_t classes, weights, target_weights;                    /* 0 or 1, too */
    lm_listing listed[LM_LISTS];                                /* of LM_LISTED + i, with members to be set */

    /* To be filled by the caller after lm_batch_resize(). */
    uint32_t *start[LM_GRAPH_SPACES]; /* [graphs+1] each; the caller fills those of LM_VERTICES and LM_LISTED + i */
    uint32_t *leaving_start;          /* [vertices+1] first arc of each vertex */
    uint32_t *head;                   /* [arcs] no self-loops, increasing within a vertex */
    uint32_t *tuple_type;             /* [tuples] */
    uint32_t *vertex_type;            /* [vertices] */
    uint32_t *arc_label;              /* [arcs] row in LM_LABELS, or LM_NO_TYPE */
    uint32_t *count;                  /* [counts][tuples] bucket of #_position in a round: [round * k + position] */
    lm_real *vertex_attribute;        /* [vertices][vertex_attributes] */
    lm_real *arc_attribute;           /* [arcs][arc_attributes] */
    lm_real *tuple_attribute;         /* [tuples][tuple_attributes] */
    lm_real *target;                  /* [rows of the level][targets] NAN: missing; for tasks 0 or 1 */
    uint32_t *class_id;               /* [rows of the level] 0 .. classes-1 */
    double *graph_weight;             /* [rows of the level] in the cross entropy, 0: no class; NULL: all 1 */
    double *target_weight;            /* [rows of the level][targets] in the binary cross entropy; NULL: all 1 */

    /* Filled by lm_batch_link(). */
    uint32_t *tail;           /* [arcs] */
    uint32_t *entering_start; /* [vertices+1] */
    uint32_t *entering_arc;   /* [arcs] for each vertex, the arcs that enter it, by increasing tail */
    lm_real *label_count;     /* [labels] number of arcs of the batch that carry each label; 0 without arc labels */
} lm_batch;

/* The content of an array. It decides what rows of padding contain. */
typedef enum lm_array_kind {
    LM_ARRAY_OF_BATCH, /* counts of labels */
    LM_ARRAY_STARTS,   /* one more than rows: the starts of the rows' lists */
    LM_ARRAY_NUMBERS,  /* row numbers */
    LM_ARRAY_TYPES,
    LM_ARRAY_REALS,  /* attributes */
    LM_ARRAY_LEARNED /* targets, classes, their weights: their rows are those of the level */
} lm_array_kind;

/* One array of the block. */
typedef struct lm_batch_array {
    const char *name; /* in a leman_batch; NULL: not there */
    size_t pointer;   /* offsetof its pointer in lm_batch */
    size_t element;   /* bytes */
    lm_array_kind kind;
    lm_row_space rows;   /* the space whose rows the array follows */
    size_t has, columns; /* offsetof two numbers in lm_batch: whether there is the array, and its columns; 0: 1 */
} lm_batch_array;

enum { LM_BATCH_ARRAYS = 20 + 15 * LM_LISTS };
extern const lm_batch_array lm_batch_arrays[LM_BATCH_ARRAYS];

/* Returns the number of elements; 0 if the array is absent and its pointer NULL. */
size_t lm_batch_count(const lm_batch *batch, const lm_batch_array *array);
/* Returns the pointer to the array in a batch. */
void *lm_batch_array_of(const lm_batch *batch, const lm_batch_array *array);
/* Returns the number of elements of one row. `count` has one plane per column: for it, the elements in one plane. */
size_t lm_batch_row_elements(const lm_batch *batch, const lm_batch_array *array);
/* Returns the number of planes, stored one after the other with all rows each. It is 1 except for `count`. */
size_t lm_batch_planes(const lm_batch *batch, const lm_batch_array *array);

/* Initialises an empty batch. Free it with lm_batch_free(). */
void lm_batch_init(leman_context *ctx, lm_batch *batch);
void lm_batch_free(lm_batch *batch);
/* Allocates the arrays for the sizes in the batch; their previous content is lost. The tuples of a graph of n vertices
 * are n^k rows, 0 rows for k = 1. Fails with LEMAN_ERROR_BUDGET if a space has more rows than 32 bits can number. */
leman_status lm_batch_resize(lm_batch *batch);
/* Sets *bytes to the size of all arrays, each aligned to 64 bytes. If base is not NULL, sets the pointers of the batch
 * to arrays in base. Returns false if the size cannot be addressed. */
bool lm_batch_place(lm_batch *batch, char *base, size_t *bytes);
/* Computes the arrays that follow from the others: starts of tuples and arcs, tails, entering arcs, counts of labels,
 * the listed rows of each vertex. O(vertices + arcs + rows). */
void lm_batch_link(lm_batch *batch);

#endif
