/*
 * The table of variants: a colouring is a row that says which sums a round takes over the lines of a tuple.
 *
 * With C the colours before the round, x = phi_j(v, w) the tuple v with component j replaced by w, all sums wrapping:
 *
 *   L_j(v) = sum of C(x) over w in N(v_j)         local      (LOCAL, DELTA)
 *   P_j(v) = sum of D_j(x) over w in N(v_j)       decorated  (LOCAL_PLUS), D_j(x) = mix(C(x) + #_j(x) * counter)
 *   T_j(v) = sum of C(x) over all w               line       (WL, DELTA): does not depend on v_j
 *   F(v)   = sum over all w of mix(sum over j of C(phi_j(v, w)) * vector_j)                   (FOLKLORE)
 *
 *   C'(v) = mix(C(v) + sum over j of (L_j or P_j) * local_j + T_j * line_j + in-arcs likewise * entering_j + F(v))
 *
 * The colours are outputs of mix, so their plain sum already is the multiset sum of base/hash.h. In delta the pair
 * (local sum, line sum) says as much as the multisets of local and of global neighbours do.
 */
#ifndef LM_VARIANT_H
#define LM_VARIANT_H

#include "base/hash.h"
#include "leman.h"

enum { LM_MAX_K = 32, LM_MAX_ROUNDS = 1 << 20, LM_SPARSE_K = 6 /* the largest k of sparse tuples */ };

typedef struct lm_variant {
    const char *name, *paper;             /* of the algorithm, and in the paper */
    bool local, line, decorated, vectors; /* the sums of a round */
    /* What holds for the colouring. The engines read these members and never compare algorithms. */
    bool refines_vertices; /* for k = 1 it is colour refinement, "1-WL" */
    bool twins;            /* k members of a class of twins suffice for its sums (space.h) */
    bool vertices_tell; /* for k >= 2 the colour of a tuple determines the colours of its vertices (vertex_rounds.h) */
    bool device;        /* refine/cuda has its sums */
    bool compact;       /* refine/compact has its sums */
    bool sampled;       /* colours depend on what is near a tuple alone (sample.h) */
} lm_variant;

/* Names of colourings, with or without their k: "local:3", "delta-3-LWL", "LWL3"; what a name does not say stays as it
 * is. *known: false for other names. Fails only for a k out of range. */
leman_status lm_coloring_find(leman_context *ctx, const char *name, leman_coloring *coloring, bool *known);
/* The paper's name with its k, as snprintf() writes it: "delta-2-LWL+", and "1-WL" for what is that. */
size_t lm_coloring_write_name(leman_algorithm algorithm, unsigned k, char *text, size_t size);

/* Equal for colourings that are the same in all their members. */
uint64_t lm_coloring_checksum(const leman_coloring *coloring);

/* The row of a colouring; an empty row for an algorithm that does not exist. */
const lm_variant *lm_variant_of(const leman_coloring *coloring);
/* The rule of one round: the row, without the decoration where this round has none. `last` is the final round. */
lm_variant lm_variant_round(const leman_coloring *coloring, bool last);
/* Returns true if the last round has a rule of its own, so that rounds 0 .. h are no prefix of rounds 0 .. H (local+
 * with # in the last round). */
bool lm_has_own_last_round(const leman_coloring *coloring);

/* Families of multipliers; part of the colour format. */
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
    LM_TUPLE_SET = 11
};

LM_EVERYWHERE static inline uint64_t lm_multiplier_of(enum lm_multiplier_family family, size_t index)
{
    return lm_multiplier(((uint64_t)family << 32) + index);
}

/* Wrong combinations refused: k = 0, k or rounds too large, LEMAN_STABLE with # in the last round. Gives the coloring
 * in its normal form: for k = 1 WL and FOLKLORE are LOCAL. */
leman_status lm_coloring_check(leman_context *ctx, const leman_coloring *asked, leman_coloring *normal);
/* The same for the argument of a public function: a struct of any size, or NULL for the default. */
leman_status lm_coloring_given(leman_context *ctx, const leman_coloring *given, leman_coloring *normal);

#endif
