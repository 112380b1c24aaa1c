/*
 * Counting classes. Colours are hashes, so their low bits index an open-addressing table. The table holds numbers of
 * classes, and the classes lie in the order in which they were found.
 *
 * Up to SMALL candidates are counted in one table that stays in the cache. More candidates are first scattered, by
 * other bits of their colour, into parts that fit the cache; each part is then counted by one thread. Both take
 * expected O(1) a candidate. The order of the classes does not depend on the number of threads.
 */
#include "refine/histogram.h"
#include "base/sort.h"
#include <omp.h>
#include <string.h>

enum {
    SMALL = 1 << 17,
    PART = 1 << 12,
    MAX_PART_BITS = 10,
    PART_TABLE_BITS = 15,
    FEW = 32,
    CHUNK = 1 << 14,
    AHEAD = 64
};

/* ---- One table ------------------------------------------------------------------------------- */

typedef struct counter {
    const lm_space *s;
    const uint64_t *colors;
    lm_histogram h; /* the classes being counted: count, pairs, and arrays that begin at the first of these classes */
    uint32_t *slot; /* [1 << bits] class + 1, 0 for free */
    unsigned bits;
} counter;

static inline uint64_t weight_of(const lm_space *s, uint64_t tuple)
{
    uint32_t digit[LM_MAX_K];
    if (!s->twins) return 1;
    lm_tuple_digits(s, s->k, tuple, digit);
    uint32_t u = digit[0], v = digit[s->k == 2];
    if (s->k == 2 && s->first[u] != s->first[v]) /* the common case; the weight of a candidate is never 0 */
        return s->size[u] * s->size[v];
    return lm_orbit_weight(s, digit);
}

/* The part of a colour. The smallest colour of an orbit tends to have small top bits; lower bits are nearly random. */
static inline size_t part_of(uint64_t color, size_t parts)
{
    return (size_t)(color >> 40) & (parts - 1);
}

/* SAME[mark]: how often the first colour occurs among the colours of all permutations of a pair or triple. The mark is
 * found when these colours are read, and is stored in the two top bits of the packed candidate. */
static const uint32_t SAME[] = {1, 2, 3, 6}, SIX_BY_SAME[] = {6, 3, 2, 1};

/* A packed candidate: its number, up to LM_MAX_ORBITS; its weight, or 0 if the weight does not fit; its mark. */
enum { NUMBER_BITS = 36, WEIGHT_BITS = 26, MARK_SHIFT = NUMBER_BITS + WEIGHT_BITS };

static inline uint64_t pack(size_t candidate, uint64_t weight, uint64_t mark)
{
    return candidate | (weight >> WEIGHT_BITS ? 0 : weight) << NUMBER_BITS | mark << MARK_SHIFT;
}

static inline size_t number_of(uint64_t packed)
{
    return packed & ((UINT64_C(1) << NUMBER_BITS) - 1);
}

static inline uint64_t packed_weight(uint64_t packed)
{
    return packed >> NUMBER_BITS & ((UINT64_C(1) << WEIGHT_BITS) - 1);
}

/* Loops over candidates are specialised for each of these. */
typedef enum kind { PAIRS, TRIPLES, OTHERS, INCREASING } kind;

static inline kind kind_of(const lm_space *s)
{
    return s->pairs ? PAIRS : s->k == 3 && !s->sparse ? TRIPLES : OTHERS;
}

/* Writes the colours of the six permutations of a triple, its own first. The space must be dense. Indices are products
 * of 32-bit numbers: n^2 fits 32 bits if n^3 colours fit into memory. */
static inline void triple_colors(const uint64_t *colors, size_t vertices, uint64_t tuple, uint64_t *six)
{
    const uint32_t n = (uint32_t)vertices, mask = 0x1fffff;
    const uint32_t u = (uint32_t)(tuple >> 42), v = (uint32_t)(tuple >> 21) & mask, w = (uint32_t)tuple & mask;
    const uint32_t un = u * n, vn = v * n, wn = w * n;
    const uint64_t *of_u = colors + (uint64_t)un * n, *of_v = colors + (uint64_t)vn * n,
                   *of_w = colors + (uint64_t)wn * n;
    six[0] = of_u[vn + w], six[1] = of_u[wn + v];
    six[2] = of_v[un + w], six[3] = of_v[wn + u];
    six[4] = of_w[un + v], six[5] = of_w[vn + u];
}

/* Returns the smallest colour of an orbit; *mark is its index in SAME. For INCREASING it returns the colour of the
 * increasing tuple itself, which determines the colours of the orbit. */
static inline __attribute__((always_inline)) uint64_t look(kind of, const lm_space *s, const uint64_t *colors,
                                                           uint64_t tuple, uint8_t *mark)
{
    uint64_t six[6];
    *mark = 0;
    if (of == PAIRS) {
        const uint64_t u = tuple >> 32, v = (uint32_t)tuple, a = colors[u * s->n + v], b = colors[v * s->n + u];
        *mark = a == b;
        return a < b ? a : b;
    }
    if (of == INCREASING) return colors[((tuple >> 42) * s->n + (tuple >> 21 & 0x1fffff)) * s->n + (tuple & 0x1fffff)];
    if (of == OTHERS) return s->k == 1 ? colors[tuple] : lm_orbit_smallest(s, colors, tuple);
    triple_colors(colors, s->n, tuple, six);
    const int same =
        1 + (six[1] == six[0]) + (six[2] == six[0]) + (six[3] == six[0]) + (six[4] == six[0]) + (six[5] == six[0]);
    *mark = (uint8_t)(same == 6 ? 3 : same - 1);
    return lm_smallest_of_six(six);
}

/* The orbit of a class. For pairs and triples it is computed from the mark of the class's first candidate. */
static inline lm_orbit orbit_of(const lm_space *s, const uint64_t *colors, uint64_t tuple, uint64_t mark)
{
    uint32_t digit[LM_MAX_K];
    if (s->k == 1) return (lm_orbit){1, 1};
    if (kind_of(s) == OTHERS) return lm_orbit_of(s, colors, tuple);
    lm_tuple_digits(s, s->k, tuple, digit);
    if (s->pairs) return (lm_orbit){2 - (uint32_t)mark, digit[0] == digit[1] ? 1 : 1 + (uint32_t)mark};
    const int equal = (digit[0] == digit[1]) + (digit[1] == digit[2]); /* 0, 1, 2: the orbit has 6, 3 or 1 tuples */
    return (lm_orbit){SIX_BY_SAME[mark], equal == 0 ? SAME[mark] : equal == 1 ? SAME[mark] / 2 : 1};
}

/* Counts a candidate. A new colour makes a new class, which stores this candidate as its first. */
static inline __attribute__((always_inline)) void count_one(counter *c, uint64_t color, uint64_t weight,
                                                            uint64_t candidate)
{
    size_t mask = ((size_t)1 << c->bits) - 1, i = (size_t)color & mask;
    uint64_t *restrict colors = c->h.color;
    for (; c->slot[i]; i = (i + 1) & mask) {
        uint32_t class = c->slot[i] - 1;
        if (colors[class] == color) {
            c->h.orbits[class] += weight;
            return;
        }
    }
    colors[c->h.count] = color;
    c->h.orbits[c->h.count] = weight;
    c->h.tuple[c->h.count] = candidate;
    c->slot[i] = (uint32_t)++c->h.count;
}

/* Has a class of `orbits` orbits converged? `tuple` is in one of them, whose description is `orbit`. */
static inline bool has_converged(const lm_space *s, lm_orbit orbit, uint64_t orbits, uint64_t tuple)
{
    return orbit.times == 1 && orbits == weight_of(s, tuple);
}

/* Sets the tuples and orbits of all classes, and marks the candidates of converged classes, each of which has one. */
static void converge(const lm_space *s, const uint64_t *colors, lm_histogram *h, uint8_t *converged)
{
    for (size_t i = 0; i < h->count; i++) {
        const size_t candidate = number_of(h->tuple[i]);
        const uint64_t tuple = h->candidates[candidate];
        const lm_orbit orbit = orbit_of(s, colors, tuple, h->tuple[i] >> MARK_SHIFT);
        h->tuple[i] = tuple;
        h->orbit[i] = orbit;
        h->pairs += orbit.colors;
        converged[candidate] = has_converged(s, orbit, h->orbits[i], tuple);
        h->recent += converged[candidate];
    }
}

/* Bits of a table that `classes` classes fill at most to half. */
static unsigned table_bits(size_t classes)
{
    unsigned bits = 3;
    while (((size_t)1 << bits) / 2 < classes) bits++;
    return bits;
}

static void clear_table(counter *c, unsigned bits)
{
    c->bits = bits;
    memset(c->slot, 0, sizeof *c->slot << bits);
}

/* A histogram whose arrays begin at class `first`, without classes. */
static lm_histogram from_class(const lm_histogram *h, size_t first)
{
    return (lm_histogram){.color = h->color + first,
                          .orbits = h->orbits + first,
                          .tuple = h->tuple + first,
                          .orbit = h->orbit + first,
                          .candidates = h->candidates};
}

/* Some colours are computed ahead of the table: when the processor mispredicts whether a colour is new, the colours of
 * the next candidates are already available. */
static inline __attribute__((always_inline)) void count_each(kind of, bool twins, counter *shared, size_t active)
{
    counter c = *shared; /* a local copy that nothing aliases: its members stay in registers */
    const size_t mask = ((size_t)1 << c.bits) - 1, ahead = of == OTHERS ? 1 : AHEAD;
    uint64_t color[AHEAD];
    uint8_t mark[AHEAD];
    for (size_t first = 0; first < active; first += ahead) {
        const size_t count = active - first < ahead ? active - first : ahead;
        for (size_t i = 0; i < count; i++) {
            color[i] = look(of, c.s, c.colors, c.h.candidates[first + i], mark + i);
            __builtin_prefetch(c.slot + (color[i] & mask), 1);
        }
        for (size_t i = 0; i < count; i++) {
            const uint64_t weight = twins ? weight_of(c.s, c.h.candidates[first + i]) : 1;
            count_one(&c, color[i], weight, pack(first + i, 0, mark[i]));
        }
    }
    shared->h = c.h;
}

/* Counts triples by the colours of increasing tuples, which are read in order, and then merges the classes that have
 * one smallest colour. This is faster if there are few classes, as in round 0. */
static void count_increasing(counter *c, size_t active)
{
    count_each(INCREASING, c->s->twins, c, active);
    const size_t count = c->h.count;
    clear_table(c, table_bits(count));
    c->h.count = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t candidate = number_of(c->h.tuple[i]);
        uint8_t mark;
        const uint64_t color = look(TRIPLES, c->s, c->colors, c->h.candidates[candidate], &mark);
        count_one(c, color, c->h.orbits[i], pack(candidate, 0, mark));
    }
}

/* few: there are probably much fewer classes than candidates. */
static void count_small(counter *c, size_t active, bool few, uint8_t *converged)
{
    const lm_space *s = c->s;
    clear_table(c, table_bits(active));
    memset(converged, false, active * sizeof *converged);
    switch (kind_of(s)) {
    case PAIRS:
        if (s->twins)
            count_each(PAIRS, true, c, active);
        else
            count_each(PAIRS, false, c, active);
        break;
    case TRIPLES:
        if (few)
            count_increasing(c, active);
        else
            count_each(TRIPLES, s->twins, c, active);
        break;
    default: count_each(OTHERS, s->twins, c, active); break;
    }
    converge(s, c->colors, &c->h, converged);
}

/* ---- Many parts ------------------------------------------------------------------------------ */

typedef struct partition {
    size_t start[(1 << MAX_PART_BITS) + 1]; /* where each part begins */
    size_t classes[1 << MAX_PART_BITS];
} partition;

/* Turns counts for each thread and part into start positions, in the order of threads within a part. */
static void place_parts(size_t *next, int threads, size_t parts, partition *cut)
{
    size_t at = 0;
    for (size_t p = 0; p < parts; p++) {
        cut->start[p] = at;
        for (int t = 0; t < threads; t++) {
            size_t count = next[(size_t)t * parts + p];
            next[(size_t)t * parts + p] = at;
            at += count;
        }
    }
    cut->start[parts] = at;
}

/* Counts the (colour, candidate) pairs of one part. Returns false if the part has too many colours for its table. */
static bool count_part(counter *c, const lm_pair *pair, size_t count, unsigned bits, uint8_t *converged)
{
    size_t max = ((size_t)1 << bits) / 2;
    clear_table(c, bits);
    c->h.count = c->h.pairs = c->h.recent = 0;
    for (size_t i = 0; i < count; i++) {
        if (c->h.count == max) return false;
        uint64_t weight = packed_weight(pair[i].payload);
        if (!weight) weight = weight_of(c->s, c->h.candidates[number_of(pair[i].payload)]);
        count_one(c, pair[i].key, weight, pair[i].payload);
    }
    converge(c->s, c->colors, &c->h, converged);
    return true;
}

/* Closes the gaps that parts leave between their classes. */
static void close_gaps(const partition *cut, size_t parts, lm_histogram *h)
{
    for (size_t p = 0; p < parts; p++) {
        size_t first = cut->start[p], count = cut->classes[p];
        memmove(h->color + h->count, h->color + first, count * sizeof *h->color);
        memmove(h->orbits + h->count, h->orbits + first, count * sizeof *h->orbits);
        memmove(h->tuple + h->count, h->tuple + first, count * sizeof *h->tuple);
        memmove(h->orbit + h->count, h->orbit + first, count * sizeof *h->orbit);
        h->count += count;
    }
}

/* The buffers of counting by parts. The colours of the candidates use the array of the classes' colours. */
typedef struct layout {
    lm_pair *pairs; /* [active] */
    partition *cut;
    size_t *next;    /* [threads][parts] */
    uint32_t *slots; /* [threads][1 << PART_TABLE_BITS], then one table for all */
} layout;

/* The first candidate of thread t. */
static size_t share(size_t active, int t, int threads)
{
    return active * (size_t)t / (size_t)threads;
}

/* Computes the colours and marks of candidates first .. last - 1, and counts how many belong to each part. */
static inline __attribute__((always_inline)) void look_at_kind(kind of, const counter *c, size_t first, size_t last,
                                                               size_t parts, uint64_t *restrict color,
                                                               uint8_t *restrict mark, size_t *restrict next)
{
    const lm_space *s = c->s;
    const uint64_t *restrict colors = c->colors, *restrict candidates = c->h.candidates;
    for (size_t i = first; i < last; i++) {
        if (i % CHUNK == 0 && lm_cancellation_poll(s->cancellation)) return;
        color[i] = look(of, s, colors, candidates[i], mark + i);
        next[part_of(color[i], parts)]++;
    }
}

static void look_at(const counter *c, size_t first, size_t last, size_t parts, uint64_t *color, uint8_t *mark,
                    size_t *next)
{
    switch (kind_of(c->s)) {
    case PAIRS: look_at_kind(PAIRS, c, first, last, parts, color, mark, next); break;
    case TRIPLES: look_at_kind(TRIPLES, c, first, last, parts, color, mark, next); break;
    default: look_at_kind(OTHERS, c, first, last, parts, color, mark, next); break;
    }
}

/* Moves candidates first .. last - 1, with their weights and marks, to their parts. */
static void scatter(const counter *c, size_t first, size_t last, size_t parts, const uint64_t *restrict color,
                    uint8_t *restrict mark, size_t *restrict next, lm_pair *restrict pairs)
{
    const lm_space *s = c->s;
    const uint64_t *restrict candidates = c->h.candidates;
    for (size_t i = first; i < last; i++)
        pairs[next[part_of(color[i], parts)]++] = (lm_pair){color[i], pack(i, weight_of(s, candidates[i]), mark[i])};
    memset(mark + first, false, last - first); /* from here on mark[] says whether a candidate has converged */
}

static void count_parts(counter *shared, size_t active, const layout *at, int threads, uint8_t *converged)
{
    unsigned part_bits = 1;
    while (part_bits < MAX_PART_BITS && active >> part_bits > PART) part_bits++;
    size_t parts = (size_t)1 << part_bits;
    lm_histogram *h = &shared->h;
    uint64_t pairs = 0, recent = 0;
    memset(at->next, 0, (size_t)threads * parts * sizeof *at->next);
#pragma omp parallel num_threads(threads) reduction(+ : pairs, recent) if (threads > 1)
    {
        counter own = *shared;
        int me = omp_get_thread_num(), team = omp_get_num_threads();
        own.slot = at->slots + ((size_t)me << PART_TABLE_BITS);
        /* The work is always divided by `threads`. After a cancellation the colours may be missing. */
        for (int t = me; t < threads && !lm_cancellation_poll(own.s->cancellation); t += team)
            look_at(&own, share(active, t, threads), share(active, t + 1, threads), parts, h->color, converged,
                    at->next + (size_t)t * parts);
#pragma omp barrier
#pragma omp single
        place_parts(at->next, threads, parts, at->cut);
        for (int t = me; t < threads && !lm_cancellation_poll(own.s->cancellation); t += team)
            scatter(&own, share(active, t, threads), share(active, t + 1, threads), parts, h->color, converged,
                    at->next + (size_t)t * parts, at->pairs);
#pragma omp barrier
#pragma omp for schedule(dynamic, 1)
        for (size_t p = 0; p < parts; p++) {
            /* After a cancellation the parts are not filled. */
            size_t first = at->cut->start[p],
                   count = lm_cancellation_poll(own.s->cancellation) ? 0 : at->cut->start[p + 1] - first;
            unsigned bits = table_bits(count), usual = bits < PART_TABLE_BITS ? bits : PART_TABLE_BITS;
            own.h = from_class(h, first);
            if (!count_part(&own, at->pairs + first, count, usual, converged)) {
#pragma omp critical(lm_histogram_full_part)
                {
                    counter large = own;
                    large.slot = at->slots + ((size_t)threads << PART_TABLE_BITS);
                    count_part(&large, at->pairs + first, count, bits, converged);
                    own.h = large.h;
                }
            }
            at->cut->classes[p] = own.h.count;
            pairs += own.h.pairs;
            recent += own.h.recent;
        }
    }
    h->pairs = pairs;
    h->recent = recent;
    close_gaps(at->cut, parts, h);
}

/* ---- The histogram --------------------------------------------------------------------------- */

size_t lm_histogram_spare(const lm_space *s)
{
    size_t orbits = lm_space_orbits(s);
    return orbits <= SMALL ? 0 : 2 * orbits;
}

size_t lm_histogram_scratch(const lm_space *s, int threads)
{
    size_t orbits = lm_space_orbits(s), marks = orbits / sizeof(uint64_t) + 1;
    size_t table = ((size_t)1 << table_bits(orbits)) / 2; /* words of slots */
    if (orbits <= SMALL) return marks + table;
    return marks + sizeof(partition) / sizeof(uint64_t) + ((size_t)threads << MAX_PART_BITS) +
           ((size_t)threads << PART_TABLE_BITS) / 2 + table;
}

/* Moves the classes that converged in the last round to the front, before the others are counted again. */
static void keep_converged(const lm_space *s, lm_histogram *h)
{
    const lm_histogram own = *h; /* a local copy that nothing aliases */
    size_t converged = own.converged;
    uint64_t pairs = own.converged_pairs;
    if (!own.recent) return;
    for (size_t i = converged; i < own.count; i++) {
        const lm_orbit orbit = own.orbit[i];
        const uint64_t orbits = own.orbits[i], tuple = own.tuple[i];
        const bool keep = has_converged(s, orbit, orbits, tuple);
        own.orbits[converged] = orbits, own.tuple[converged] = tuple, own.orbit[converged] = orbit;
        converged += keep;
        pairs += keep ? orbit.colors : 0;
    }
    h->converged = converged;
    h->converged_pairs = pairs;
}

/* Removes the candidates of converged classes. */
static void drop_candidates(const uint8_t *restrict converged, uint64_t *restrict candidates, size_t *active)
{
    const size_t count = *active;
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        candidates[left] = candidates[i];
        left += !converged[i];
    }
    *active = left;
}

static void count_candidates(const lm_space *s, const uint64_t *colors, uint64_t *spare, uint64_t *scratch, int threads,
                             lm_histogram *h)
{
    size_t marks = lm_space_orbits(s) / sizeof(uint64_t) + 1;
    uint8_t *converged = (uint8_t *)(void *)scratch;
    uint64_t *work = scratch + marks;
    counter c = {.s = s, .colors = colors, .h = from_class(h, h->converged), .slot = (uint32_t *)(void *)work};
    if (h->active <= SMALL) {
        count_small(&c, h->active, !h->count, converged);
    } else {
        layout at = {.pairs = (lm_pair *)(void *)spare, .cut = (partition *)(void *)work};
        at.next = (size_t *)(void *)(at.cut + 1);
        at.slots = (uint32_t *)(void *)(at.next + ((size_t)threads << MAX_PART_BITS));
        count_parts(&c, h->active, &at, threads, converged);
        if (lm_cancellation_status(s->cancellation)) return;
    }
    h->count = h->converged + c.h.count;
    h->pairs = h->converged_pairs + c.h.pairs;
    h->recent = c.h.recent < h->active / FEW ? 0 : c.h.recent; /* removing few takes longer than counting them again */
    if (h->recent) drop_candidates(converged, h->candidates, &h->active);
}

void lm_histogram_begin(const lm_space *s, const uint64_t *colors, uint64_t *spare, uint64_t *scratch, int threads,
                        lm_histogram *h)
{
    h->count = h->converged = h->recent = h->active = h->pairs = h->converged_pairs = 0;
    if (!s->n) return;
    h->active = lm_orbits_list(s, h->candidates);
    count_candidates(s, colors, spare, scratch, threads, h);
}

/* The number of tuples of the orbit of an increasing tuple. */
static inline uint32_t orbit_size(const uint32_t *digit, unsigned k)
{
    uint64_t size = 1, equal = 1;
    for (unsigned i = 1; i < k; i++) {
        equal = digit[i] == digit[i - 1] ? equal + 1 : 1;
        size *= i + 1;
        if (equal > 1) size /= equal; /* size of the orbit of the first i + 1 components */
    }
    return (uint32_t)size;
}

/* Orbits whose vertices are all single have converged and are not counted: each is a class. It is listed unless one of
 * its vertices is exclusive. The order of the vertices puts these orbits at the end of the candidates, except for a few
 * of a tile. */
static inline __attribute__((always_inline)) void keep_single(const lm_space *s, unsigned k, uint32_t round,
                                                              lm_histogram *h)
{
    const lm_histogram own = *h; /* a local copy that nothing aliases */
    size_t active = own.active, converged = own.converged, first = 0;
    uint64_t pairs = own.converged_pairs;
    uint32_t digit[LM_MAX_K];
    while (first < s->n && !lm_known_by(s->known.single[first], round)) first++;
    for (; active > 0; active--) {
        const uint64_t tuple = own.candidates[active - 1];
        lm_tuple_digits(s, k, tuple, digit);
        if (digit[0] < first) break;
        const lm_orbit orbit = {orbit_size(digit, k), 1};
        own.tuple[converged] = tuple, own.orbits[converged] = 1, own.orbit[converged] = orbit;
        converged += !lm_any_exclusive(s, digit, k, round);
        pairs += orbit.colors;
    }
    h->active = active, h->converged = converged, h->converged_pairs = pairs;
}

static void keep_known(const lm_space *s, uint32_t round, lm_histogram *h)
{
    switch (s->k) {
    case 2: keep_single(s, 2, round, h); break;
    case 3: keep_single(s, 3, round, h); break;
    default: keep_single(s, s->k, round, h); break;
    }
}

void lm_histogram_update(const lm_space *s, uint32_t round, const uint64_t *colors, uint64_t *spare, uint64_t *scratch,
                         int threads, lm_histogram *h)
{
    keep_converged(s, h);
    if (s->known.single) keep_known(s, round, h);
    lm_histogram_rename(s, colors, threads, h->converged, h);
    count_candidates(s, colors, spare, scratch, threads, h);
}

static void rename_chunk(const lm_space *s, const uint64_t *colors, size_t first, size_t count, lm_histogram *h)
{
    const size_t end = count - first < CHUNK ? count : first + CHUNK;
    const kind of = kind_of(s);
    uint8_t mark;
    if (lm_cancellation_poll(s->cancellation)) return;
    for (size_t i = first; i < end; i++) h->color[i] = look(of, s, colors, h->tuple[i], &mark);
}

void lm_histogram_rename(const lm_space *s, const uint64_t *colors, int threads, size_t count, lm_histogram *h)
{
    if (threads == 1 || count < SMALL) {
        for (size_t first = 0; first < count; first += CHUNK) rename_chunk(s, colors, first, count, h);
        return;
    }
#pragma omp parallel for num_threads(threads)
    for (size_t first = 0; first < count; first += CHUNK) rename_chunk(s, colors, first, count, h);
}
