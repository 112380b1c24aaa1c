/*
 * The table of variants: a row for each algorithm says which sums a round takes over the lines of a tuple. The rule of
 * a round is a set of sums; the engines add whatever sums are in the set.
 *
 * C are the colours before the round; x = phi_j(v, w) is the tuple v with component j replaced by w; all sums wrap:
 *
 *   L_j(v) = sum of C(x) over w in N(v_j)         LM_SUM_LOCAL
 *   P_j(v) = sum of D_j(x) over w in N(v_j)       LM_SUM_DECORATED, with D_j(x) = mix(C(x) + #_j(x) * counter)
 *   T_j(v) = sum of C(x) over all w               LM_SUM_LINE: does not depend on v_j
 *   F(v)   = sum over all w of mix(sum over j of C(phi_j(v, w)) * vector_j)           LM_SUM_VECTORS
 *
 *   C'(v) = mix(C(v) + sum over j of (L_j or P_j) * local_j + T_j * line_j + in-arcs likewise * entering_j + F(v))
 *
 * The colours are outputs of mix, so their plain sum is the multiset sum of base/hash.h. In delta the pair (local sum,
 * line sum) determines the multisets of local and of global neighbours.
 *
 * A rule must treat all components alike: the colour of a tuple must determine the colour of the tuple with permuted
 * components. Histograms count one tuple of each orbit and rely on this. LM_SUM_DECORATED is the only sum of
 * its rule.
 */
#ifndef LM_VARIANT_H
#define LM_VARIANT_H

#include "base/hash.h"
#include "leman.h"

enum { LM_DISTANCE = 2 /* the default */, LM_MAX_DISTANCE = 255 };
enum { LM_MAX_K = 32, LM_MAX_ROUNDS = 1 << 20, LM_SPARSE_K = 6 /* the largest k of sparse tuples */ };

/* The compiler finds every switch over these sums that lacks one: none has a default but launch() of
 * cuda/cuda_round.cu, which switches over sets and fails for a set that it lacks. */
typedef enum lm_color_sum { LM_SUM_LOCAL = 1, LM_SUM_DECORATED = 2, LM_SUM_LINE = 4, LM_SUM_VECTORS = 8 } lm_color_sum;
enum { LM_SUMS_LOCAL = LM_SUM_LOCAL | LM_SUM_DECORATED };

/* Returns one of the sums of a set that is not empty. A loop over all: for (left = sums; left; left &= left - 1). */
static inline lm_color_sum lm_next_sum(unsigned sums)
{
    return (lm_color_sum)(sums & (~sums + 1));
}

/*
 * Items (items/items.h). Some algorithms do not colour all k-tuples, or treat the components of a pair differently. They
 * colour the *items* of a graph: ordered pairs, vertices that see all distances, or sets of vertices. An item has no
 * permutations, and a histogram counts every item by itself. The sums of a pair (u, v), with N the heads of leaving arcs:
 *
 *   PAIR_MOVE_V    sum of C(u, w) over w in N(v)          PAIR_MOVE_U    sum of C(w, v) over w in N(u)
 *   PAIR_ALL_V     sum of C(u, w) over all w              PAIR_ALL_U     sum of C(w, v) over all w
 *   PAIR_END       C(v, v)                                PAIR_PATHS_*   sum of mix(C(u, w), C(w, v)) over w in a set:
 *                                                         all w; N(v); the union of N(u) and N(v)
 */
typedef enum lm_item_kind { LM_ITEM_NONE, LM_ITEM_PAIR, LM_ITEM_VERTEX, LM_ITEM_SET } lm_item_kind;
typedef enum lm_pair_sum {
    LM_PAIR_MOVE_V = 1,
    LM_PAIR_MOVE_U = 2,
    LM_PAIR_ALL_V = 4,
    LM_PAIR_ALL_U = 8,
    LM_PAIR_END = 16,
    LM_PAIR_PATHS_ALL = 32,
    LM_PAIR_PATHS_V = 64,
    LM_PAIR_PATHS_BOTH = 128
} lm_pair_sum;
enum { LM_PAIR_PATHS_LOCAL = LM_PAIR_PATHS_V | LM_PAIR_PATHS_BOTH };
/* Which pairs are coloured: all; those of different vertices; those with d(u, v) <= coloring.distance. */
typedef enum lm_pair_domain { LM_DOMAIN_ALL, LM_DOMAIN_OTHERS, LM_DOMAIN_NEAR } lm_pair_domain;
/* What the first colour of a pair contains beside the label of v. */
enum { LM_FIRST_ROOT = 1 /* the label of u */, LM_FIRST_MARK = 2 /* is u = v? */, LM_FIRST_DISTANCE = 4 /* and arc */ };
/* Which multisets of pairs are counted as items of their own: none; those with one u (VS); those with one v (SV). */
typedef enum lm_pair_pool { LM_POOL_NONE, LM_POOL_ROWS, LM_POOL_COLUMNS } lm_pair_pool;
/* Which distances a vertex sees. */
enum { LM_DISTANCE_PATH = 1, LM_DISTANCE_RESISTANCE = 2 };

typedef struct lm_item_rule {
    lm_item_kind kind;
    unsigned k;    /* the only k of the algorithm; 0: the user's */
    unsigned sums; /* set of lm_pair_sum */
    unsigned first;
    lm_pair_domain domain;
    lm_pair_pool pool;
    unsigned distances;
} lm_item_rule;

/* Properties of an algorithm. The engines read these members and never compare algorithms. */
typedef struct lm_variant {
    unsigned sums;         /* set of lm_color_sum: the sums of a round, of the last round if that has its own */
    bool refines_vertices; /* for k = 1 it is colour refinement, "1-WL" */
    bool twins;            /* k members of a twin class suffice for its sums (space.h) */
    bool vertices_tell; /* for k >= 2 the colour of a tuple determines the colours of its vertices (vertex_rounds.h) */
    bool device;        /* implemented in refine/cuda */
    bool compact;       /* implemented in refine/experimental/compact */
    bool sampled;       /* the colour of a tuple depends only on tuples near it (sample.h) */
    const char *authors[4]; /* [k] the name that the authors' program uses, or NULL */
    lm_item_rule items;     /* if its kind is not LM_ITEM_NONE, items are coloured and `sums` is empty */
} lm_variant;

/* Parses the name of a colouring, with or without k: "local:3", "delta-3-LWL", "LWL3". Members that the name does not
 * determine are unchanged. *known is false if there is no such name. Fails only if k is out of range. */
leman_status lm_coloring_find(leman_context *ctx, const char *name, leman_coloring *coloring, bool *known);
/* Writes the paper's name with k, for example "delta-2-LWL+", "1-WL" for colour refinement, or "DRFWL(2):3" with a
 * distance that is not the default. Arguments and result as for snprintf(). */
size_t lm_coloring_write_name(const leman_coloring *coloring, char *text, size_t size);

/* Returns a checksum of all members: equal colourings have equal checksums. */
uint64_t lm_coloring_checksum(const leman_coloring *coloring);

/* Returns the row of a colouring; an empty row if its algorithm does not exist. */
const lm_variant *lm_variant_of(const leman_coloring *coloring);
/* Returns the sums of one round: those of the row, without decoration if this round has none. `last`: it is the final
 * round. */
unsigned lm_round_sums(const leman_coloring *coloring, bool last);
/* Returns true if the last round has its own rule, so that rounds 0 .. h are not a prefix of rounds 0 .. H (local+
 * with # in the last round). */
bool lm_has_own_last_round(const leman_coloring *coloring);

/* Families of multipliers. The numbers are part of the colour format. */
enum lm_multiplier_family {
    LM_LABEL_COLUMN = 0,
    LM_TYPE_VERTEX = 1,
    LM_TYPE_PAIR = 2,
    LM_LOCAL_SUM = 3,
    LM_LINE_SUM = 4,
    LM_ENTERING_SUM = 5,
    LM_VECTOR = 6,
    LM_COUNTER = 7,
    LM_MESSAGE = 8,
    LM_SHORTEST_PATH = 9,
    LM_GRAPHLET = 10,
    LM_TUPLE_SET = 11,
    LM_VERTEX_HASH = 12,
    LM_BALL = 13,
    LM_TREE = 14,
    LM_PROPAGATION = 15,
    LM_GRAPH_HASH = 16,
    LM_ITEM = 17
};

LM_EVERYWHERE static inline uint64_t lm_multiplier_of(enum lm_multiplier_family family, size_t index)
{
    return lm_multiplier(((uint64_t)family << 32) + index);
}

/* Parts of atomic types (types.c). lm_relation_hash() returns the relation of two vertices: equal, or the labels of the
 * arcs between them (0: no arc). lm_type_multiplier() returns the multiplier of the relation of components i < j; it
 * follows the two that lm_relation_hash() uses. */
LM_EVERYWHERE static inline uint64_t lm_relation_hash(uint64_t seed, uint64_t equal, uint64_t leaving,
                                                      uint64_t entering)
{
    return lm_mix(lm_mix(seed + 3 + equal) + leaving * lm_multiplier_of(LM_TYPE_PAIR, 0) +
                  entering * lm_multiplier_of(LM_TYPE_PAIR, 1));
}
LM_EVERYWHERE static inline uint64_t lm_type_multiplier(size_t i, size_t j)
{
    return lm_multiplier_of(LM_TYPE_PAIR, 2 + j * (j - 1) / 2 + i);
}

/* Checks a colouring and writes its normal form: for k = 1 WL and FOLKLORE become LOCAL. Fails if k is 0, if k or
 * rounds are too large, and for LEMAN_STABLE with # in the last round. */
leman_status lm_coloring_check(leman_context *ctx, const leman_coloring *asked, leman_coloring *normal);
/* lm_coloring_check() for the argument of a public function: a struct of any size, or NULL for the default. */
leman_status lm_coloring_given(leman_context *ctx, const leman_coloring *given, leman_coloring *normal);

#endif
