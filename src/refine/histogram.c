/*
 * Counting classes. Colours are hashes already, so their top bits index an open-addressing table directly; the table
 * holds numbers of classes, and the classes lie in the order in which they were met.
 *
 * A graph of up to SMALL orbits is counted in one table that stays in the cache. A larger one is cut first: orbits are
 * scattered by the top bits of their colour into parts that fit the cache, and each part is counted on its own, by any
 * thread. Expected O(1) an orbit either way, and the same order of classes for any number of threads.
 */
#include "refine/histogram.h"
#include "base/sort.h"
#include <omp.h>
#include <string.h>

enum { SMALL = 1 << 14, PART = 1 << 12, MAX_PART_BITS = 10, PART_TABLE_BITS = 15, TILE = 8 };

typedef struct counter {
    const lm_space *s;
    const uint64_t *colors;
    lm_histogram h; /* classes so far */
    uint32_t *slot; /* [1 << bits] class + 1, 0 for free */
    unsigned bits, part_bits;
    size_t *next; /* [1 << part_bits] counting, then scattering */
    lm_pair *pairs;
} counter;

/* What happens to an orbit: its smallest colour, how many orbits of the graph it stands for, its increasing tuple. */
typedef void visitor(counter *c, uint64_t color, uint64_t weight, uint64_t tuple);

/* ---- How many orbits of the graph an orbit of kept vertices stands for
 * ------------------------------------------------ */

/*
 * Every increasing tuple of the graph that uses c different members of a class of m twins becomes, its members renamed
 * in order, the kept tuple that uses the first c of them. So a kept tuple that uses the first c members of each class
 * stands for the product of C(m, c), and any other kept tuple for none.
 */
static uint64_t stands_for(const lm_space *s, const uint32_t *digit)
{
    uint64_t weight = 1;
    for (unsigned i = 0; i < s->k;) {
        uint32_t first = s->first[digit[i]], used = 0;
        uint64_t choose = 1;
        for (; i < s->k && s->first[digit[i]] == first; i++) {
            if (used > 0 && digit[i] == digit[i - 1]) continue;
            if (digit[i] != first + used) return 0;
            used++;
            choose = choose * (s->size[first] - used + 1) / used;
        }
        weight *= choose;
    }
    return weight;
}

static inline uint64_t pair_stands_for(const lm_space *s, uint32_t u, uint32_t v)
{
    if (!s->twins) return 1;
    if (s->first[u] != u) return 0;
    if (s->first[v] != u) return s->first[v] == v ? s->size[u] * s->size[v] : 0;
    return u == v ? s->size[u] : v == u + 1 ? s->size[u] * (s->size[u] - 1) / 2 : 0;
}

/* ---- Walking over the orbits whose first component is in from..to
 * ------------------------------------------------------ */

static inline uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Tiles of TILE rows: the transposed colours of a tile lie in one cache line. */
static inline __attribute__((always_inline)) void visit_pairs(counter *c, size_t from, size_t to, visitor *visit)
{
    const lm_space *s = c->s;
    size_t n = s->n;
    for (size_t tile = from; tile < to; tile += TILE) {
        size_t end = tile + TILE < to ? tile + TILE : to;
        for (size_t v = tile; v < n; v++) {
            const uint64_t *column = c->colors + v * n; /* C(v, u) for the u of the tile */
            for (size_t u = tile; u < end && u <= v; u++) {
                uint64_t weight = pair_stands_for(s, (uint32_t)u, (uint32_t)v);
                if (weight) visit(c, smaller(c->colors[u * n + v], column[u]), weight, u * n + v);
            }
        }
    }
}

static inline __attribute__((always_inline)) void visit_triples(counter *c, size_t from, size_t to, visitor *visit)
{
    const lm_space *s = c->s;
    size_t n = s->n, nn = n * n;
    const uint64_t *C = c->colors;
    for (size_t u = from; u < to; u++)
        for (size_t v = u; v < n; v++) {
            const uint64_t *uv = C + u * nn + v * n, *vu = C + v * nn + u * n;
            for (size_t w = v; w < n; w++) {
                uint64_t weight = s->twins ? stands_for(s, (uint32_t[3]){(uint32_t)u, (uint32_t)v, (uint32_t)w}) : 1;
                if (!weight) continue;
                uint64_t a = smaller(uv[w], vu[w]);
                uint64_t b = smaller(C[u * nn + w * n + v], C[v * nn + w * n + u]);
                uint64_t d = smaller(C[w * nn + u * n + v], C[w * nn + v * n + u]);
                visit(c, smaller(a, smaller(b, d)), weight, u * nn + v * n + w);
            }
        }
}

/* Any k: an odometer of digits that never fall. */
static inline __attribute__((always_inline)) void visit_any(counter *c, size_t from, size_t to, visitor *visit)
{
    const lm_space *s = c->s;
    uint32_t digit[LM_MAX_K];
    for (size_t u = from; u < to; u++) {
        for (unsigned i = 0; i < s->k; i++) digit[i] = (uint32_t)u;
        for (;;) {
            uint64_t weight = s->twins ? stands_for(s, digit) : 1, tuple = 0;
            for (unsigned i = 0; i < s->k; i++) tuple = tuple * s->n + digit[i];
            if (weight) visit(c, lm_orbit_smallest(s, c->colors, digit), weight, tuple);
            unsigned i = s->k - 1;
            while (i > 0 && digit[i] + 1 == s->n) i--;
            if (!i) break; /* the first component stays */
            uint32_t next = digit[i] + 1;
            for (; i < s->k; i++) digit[i] = next;
        }
    }
}

/* Inlined where it is used, so that visit is a direct call. */
static inline __attribute__((always_inline)) void visit_all(counter *c, size_t from, size_t to, visitor *visit)
{
    if (c->s->k == 2)
        visit_pairs(c, from, to, visit);
    else if (c->s->k == 3)
        visit_triples(c, from, to, visit);
    else
        visit_any(c, from, to, visit);
}

/* ---- One table
 * ---------------------------------------------------------------------------------------------------------- */

static inline void count_one(counter *c, uint64_t color, uint64_t weight, uint64_t tuple)
{
    lm_histogram *h = &c->h;
    size_t mask = ((size_t)1 << c->bits) - 1, i = (size_t)(color << c->part_bits >> (64 - c->bits));
    for (; c->slot[i]; i = (i + 1) & mask) {
        size_t class = c->slot[i] - 1;
        if (h->color[class] == color) {
            h->orbits[class] += weight;
            return;
        }
    }
    h->color[h->count] = color;
    h->orbits[h->count] = weight;
    h->tuple[h->count] = tuple;
    h->orbit[h->count] = lm_orbit_of(c->s, c->colors, tuple);
    h->pairs += h->orbit[h->count].colors;
    c->slot[i] = (uint32_t)++h->count;
}

/* Bits of a table that these many classes fill to three quarters at most. */
static unsigned table_bits(size_t classes)
{
    unsigned bits = 3;
    while (((size_t)3 << bits) / 4 < classes) bits++;
    return bits;
}

static void clear_table(counter *c, unsigned bits)
{
    c->bits = bits;
    memset(c->slot, 0, sizeof *c->slot << bits);
}

/* ---- Many parts
 * ----------------------------------------------------------------------------------------------------------- */

static inline void count_part(counter *c, uint64_t color, uint64_t weight, uint64_t tuple)
{
    (void)weight;
    (void)tuple;
    c->next[color >> (64 - c->part_bits)]++;
}

static inline void scatter(counter *c, uint64_t color, uint64_t weight, uint64_t tuple)
{
    (void)weight;
    c->pairs[c->next[color >> (64 - c->part_bits)]++] = (lm_pair){color, tuple};
}

/* First components at which each of `threads` threads begins, so that all have about the same number of orbits. */
static size_t thread_begin(const lm_space *s, int thread, int threads)
{
    size_t all = lm_orbit_count(s->n, s->k), want = all / (size_t)threads * (size_t)thread;
    size_t low = 0, high = s->n;
    if (thread == threads) return s->n;
    while (low < high) { /* orbits that begin before u: all - orbit_count(n - u) */
        size_t u = low + (high - low) / 2;
        if (all - lm_orbit_count(s->n - u, s->k) < want)
            low = u + 1;
        else
            high = u;
    }
    return low;
}

/* Counts pairs[0..count) of one part into c->h. A table of the usual size serves unless colours crowd in one part. */
static bool count_pairs(counter *c, const lm_pair *pairs, size_t count, unsigned bits)
{
    size_t most = ((size_t)3 << bits) / 4;
    clear_table(c, bits);
    c->h.count = c->h.pairs = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t digit[LM_MAX_K];
        uint64_t weight = 1;
        if (c->s->twins) {
            lm_space_digits(c->s, pairs[i].payload / c->s->n, digit);
            digit[c->s->k - 1] = (uint32_t)(pairs[i].payload % c->s->n);
            weight = stands_for(c->s, digit);
        }
        if (c->h.count == most) return false;
        count_one(c, pairs[i].key, weight, pairs[i].payload);
    }
    return true;
}

typedef struct parting {
    size_t start[(1 << MAX_PART_BITS) + 1]; /* where each part begins */
    size_t classes[1 << MAX_PART_BITS];
} parting;

/* Turns counts per thread and part into places, thread after thread within a part. */
static void place_parts(size_t *next, int threads, size_t parts, parting *cut)
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

static void take_large(const lm_space *s, const uint64_t *colors, uint64_t *spare, uint64_t *scratch, int threads,
                       lm_histogram *h)
{
    size_t orbits = lm_orbit_count(s->n, s->k);
    unsigned part_bits = 1;
    while (part_bits < MAX_PART_BITS && orbits >> part_bits > PART) part_bits++;
    size_t parts = (size_t)1 << part_bits;
    counter shared = {.s = s, .colors = colors, .part_bits = part_bits, .pairs = (lm_pair *)(void *)spare};
    parting *cut = (parting *)(void *)scratch;
    size_t *next = (size_t *)(void *)(scratch + sizeof *cut / sizeof *scratch);
    uint32_t *slots = (uint32_t *)(void *)(next + (size_t)threads * parts);
    uint64_t pairs = 0;
    memset(next, 0, (size_t)threads * parts * sizeof *next);
#pragma omp parallel num_threads(threads) reduction(+ : pairs) if (threads > 1)
    {
        int team = omp_get_num_threads();
        counter own = shared;
        for (int t = omp_get_thread_num(); t < threads; t += team) { /* the work is cut by `threads`, whoever does it */
            own.next = next + (size_t)t * parts;
            visit_all(&own, thread_begin(s, t, threads), thread_begin(s, t + 1, threads), count_part);
        }
#pragma omp barrier
#pragma omp single
        place_parts(next, threads, parts, cut);
        for (int t = omp_get_thread_num(); t < threads; t += team) {
            own.next = next + (size_t)t * parts;
            visit_all(&own, thread_begin(s, t, threads), thread_begin(s, t + 1, threads), scatter);
        }
#pragma omp barrier
        own.slot = slots + ((size_t)omp_get_thread_num() << PART_TABLE_BITS);
#pragma omp for schedule(dynamic, 1)
        for (size_t p = 0; p < parts; p++) {
            size_t first = cut->start[p], count = cut->start[p + 1] - first;
            unsigned bits = table_bits(count);
            own.h = (lm_histogram){.color = h->color + first,
                                   .orbits = h->orbits + first,
                                   .tuple = h->tuple + first,
                                   .orbit = h->orbit + first};
            if (!count_pairs(&own, shared.pairs + first, count, bits < PART_TABLE_BITS ? bits : PART_TABLE_BITS)) {
#pragma omp critical(lm_histogram_crowded)
                {
                    uint32_t *usual = own.slot;
                    own.slot = slots + ((size_t)threads << PART_TABLE_BITS);
                    count_pairs(&own, shared.pairs + first, count, bits);
                    own.slot = usual;
                }
            }
            cut->classes[p] = own.h.count;
            pairs += own.h.pairs;
        }
    }
    h->count = 0;
    for (size_t p = 0; p < parts; p++) { /* close the gaps */
        size_t first = cut->start[p], count = cut->classes[p];
        memmove(h->color + h->count, h->color + first, count * sizeof *h->color);
        memmove(h->orbits + h->count, h->orbits + first, count * sizeof *h->orbits);
        memmove(h->tuple + h->count, h->tuple + first, count * sizeof *h->tuple);
        memmove(h->orbit + h->count, h->orbit + first, count * sizeof *h->orbit);
        h->count += count;
    }
    h->pairs = pairs;
}

/* ---- The histogram
 * ------------------------------------------------------------------------------------------------------- */

size_t lm_histogram_spare(const lm_space *s)
{
    size_t orbits = lm_orbit_count(s->n, s->k);
    return orbits <= SMALL ? 0 : 2 * orbits;
}

size_t lm_histogram_scratch(const lm_space *s, int threads)
{
    size_t orbits = lm_orbit_count(s->n, s->k);
    size_t largest = ((size_t)1 << table_bits(orbits)) / 2; /* words of slots */
    if (orbits <= SMALL) return largest;
    return sizeof(parting) / sizeof(uint64_t) + ((size_t)threads << MAX_PART_BITS) +
           ((size_t)threads << PART_TABLE_BITS) / 2 + largest;
}

void lm_histogram_take(const lm_space *s, const uint64_t *colors, uint64_t *spare, uint64_t *scratch, int threads,
                       lm_histogram *h)
{
    size_t orbits = lm_orbit_count(s->n, s->k);
    h->count = h->pairs = 0;
    if (orbits > SMALL) {
        take_large(s, colors, spare, scratch, threads, h);
    } else if (orbits) {
        counter c = {.s = s, .colors = colors, .h = *h, .slot = (uint32_t *)(void *)scratch};
        clear_table(&c, table_bits(orbits));
        visit_all(&c, 0, s->n, count_one);
        *h = c.h;
    }
}

void lm_histogram_rename(const lm_space *s, const uint64_t *colors, lm_histogram *h)
{
    uint32_t digit[LM_MAX_K];
    for (size_t i = 0; i < h->count; i++) {
        uint64_t u = h->tuple[i] / s->n, v = h->tuple[i] % s->n;
        if (s->k == 2) {
            h->color[i] = smaller(colors[u * s->n + v], colors[v * s->n + u]);
            continue;
        }
        lm_space_digits(s, u, digit);
        digit[s->k - 1] = (uint32_t)v;
        h->color[i] = lm_orbit_smallest(s, colors, digit);
    }
}
