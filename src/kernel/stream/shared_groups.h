/*
 * What graphs share, in temporary files: feature triples that do not fit into memory, sorted some at a time, merged by
 * their keys, and read again group by group. A group is a key that several graphs have.
 *
 * Triples come in sections: keys of different sections never meet, and those of one have one multiplicity. A run is
 * what one slice of the graphs has in a section. Merging drops the keys, which nobody needs any more, and the groups
 * that no cell of the matrix outside its diagonal sees.
 *
 * Files: 16 bytes an entry; then 8 for each entry that is shared, and 8 a group. Memory: a window of each run while
 * they are merged (kernel/merge.h). Time: O(entries).
 */
#ifndef LM_SHARED_GROUPS_H
#define LM_SHARED_GROUPS_H

#include "base/temporary.h"
#include "kernel/triples.h"

/* Where the groups of a section lie: numbers of 64 bits, for each group its size and so many payloads (graph and value,
 * as those of lm_pair), graphs increasing. */
typedef struct lm_shared_section {
    uint64_t place, words;
} lm_shared_section;

/* Zero-initialise; lm_shared_groups_close() at the end. */
typedef struct lm_shared_groups {
    leman_context *ctx;
    size_t sections;
    const char *beside;
    uint64_t memory;
    lm_temporary sorted, shared;
    lm_vector run;              /* of shared_groups.c */
    lm_shared_section *section; /* [sections], of those that are merged */
} lm_shared_groups;

/* In the folder of the file `beside`, a name that stays; up to `memory` bytes of the runs lie in memory. */
leman_status lm_shared_groups_open(leman_context *ctx, const char *beside, uint64_t memory, size_t sections,
                                   lm_shared_groups *groups);
void lm_shared_groups_close(lm_shared_groups *groups);
/* All entries of a list of the triples, as a run of a section; the list is empty afterwards. Graph 0 of the triples is
 * first_graph of all, or graph i is number[i], increasing, where that is not NULL; those of later runs are larger. */
leman_status lm_shared_groups_add(lm_shared_groups *groups, size_t section, lm_triples *triples, size_t block,
                                  size_t list, size_t first_graph, const size_t *number);

/* What becomes of an entry and of a group while they are merged. */
typedef struct lm_merging {
    size_t rows; /* SIZE_MAX: all graphs are rows and columns. Otherwise graphs 0 .. rows-1 are rows, others columns */
    void (*meet)(void *user, size_t section, const lm_pair *entry, size_t count); /* every entry, shared or not */
    void *user;
    const char *name; /* of the data */
} lm_merging;

/* After the last run. Runs of other sections may follow, to be merged by another call. */
leman_status lm_shared_groups_merge(lm_shared_groups *groups, const lm_merging *merging);
/* Whole groups of a section from *word on, at least one and about `most` words of them, into words; *word moves on. */
leman_status lm_shared_groups_read(const lm_shared_groups *groups, size_t section, uint64_t *word, size_t most,
                                   lm_vector *words);

#endif
