/*
 * The radix sort of base/sort.c for one type of item; sort.c explains the method. Before including this: ITEM is the
 * type, KEY(item) its 64-bit key, NAME(word) the name of a function in this copy.
 *
 * Two arrays of the same length work together: the items lie `here`, and are wanted in order here, or `there` if
 * `move` is set. The other array is scratch.
 */

static void NAME(sort_cached)(ITEM *here, ITEM *there, size_t count, bool move);

/* Insertion sort, from -> to (which may be the same array). */
static inline void NAME(insert)(const ITEM *from, ITEM *to, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const ITEM item = from[i];
        size_t j = i;
        for (; j > 0 && KEY(to[j - 1]) > KEY(item); j--) to[j] = to[j - 1];
        to[j] = item;
    }
}

/* The bits in which keys differ. */
static inline uint64_t NAME(differing)(const ITEM *items, size_t count)
{
    uint64_t bits = 0;
    for (size_t i = 1; i < count; i++) bits |= KEY(items[i]) ^ KEY(items[0]);
    return bits;
}

/* One stable counting pass on the `width` bits from `shift` on. Not inlined, so that its
 * counters are gone when finish sorts a run. */
static __attribute__((noinline)) void NAME(pass_one)(const ITEM *from, ITEM *to, size_t count, int shift, int width)
{
    uint32_t next[1 << ONE_PASS_BITS];
    const uint64_t mask = (UINT64_C(1) << width) - 1;
    memset(next, 0, sizeof *next << width);
    for (size_t i = 0; i < count; i++) next[KEY(from[i]) >> shift & mask]++;
    begin_from_counts(next, mask + 1);
    for (size_t i = 0; i < count; i++) to[next[KEY(from[i]) >> shift & mask]++] = from[i];
}

/* Two passes on 2 * width bits from `shift` on: by the lower digit here -> there, by the upper one back. */
static __attribute__((noinline)) void NAME(pass_two)(ITEM *here, ITEM *there, size_t count, int shift, int width)
{
    uint32_t low[1 << TWO_PASS_BITS], high[1 << TWO_PASS_BITS];
    const uint64_t mask = (UINT64_C(1) << width) - 1;
    memset(low, 0, sizeof *low << width);
    memset(high, 0, sizeof *high << width);
    for (size_t i = 0; i < count; i++) {
        low[KEY(here[i]) >> shift & mask]++;
        high[KEY(here[i]) >> (shift + width) & mask]++;
    }
    begin_from_counts(low, mask + 1);
    begin_from_counts(high, mask + 1);
    for (size_t i = 0; i < count; i++) there[low[KEY(here[i]) >> shift & mask]++] = here[i];
    for (size_t i = 0; i < count; i++) here[high[KEY(there[i]) >> (shift + width) & mask]++] = there[i];
}

/* The end of finish for items first .. last-1, which agree above shift: those before `next` are in `to` already. */
static __attribute__((noinline)) void NAME(finish_run)(const ITEM *from, ITEM *to, ITEM *scratch, size_t first,
                                                       size_t next, size_t last)
{
    if (from != to) memcpy(to + next, from + next, (last - next) * sizeof *to);
    NAME(sort_cached)(to + first, scratch + first, last - first, false);
}

/*
 * Items of `from`, in order by key >> shift, go to `to` in order by key; from is one of the arrays to and scratch. An
 * insertion sort has little to do where few keys agree above shift; a run of many that agree is sorted on its own.
 */
static void NAME(finish)(const ITEM *from, ITEM *to, ITEM *scratch, size_t count, int shift)
{
    uint64_t highest = 0;
    for (size_t i = 0; i < count; i++) {
        const ITEM item = from[i];
        const uint64_t key = KEY(item);
        if (key >= highest) {
            highest = key;
            to[i] = item;
            continue;
        }
        size_t j = i;
        const size_t nearest = i > MAX_SHIFT ? i - MAX_SHIFT : 0;
        do {
            to[j] = to[j - 1];
            j--;
        } while (j > nearest && KEY(to[j - 1]) > key);
        to[j] = item;
        if (j == 0 || KEY(to[j - 1]) <= key) continue;
        size_t first = j, last = i + 1;
        while (first > 0 && KEY(to[first - 1]) >> shift == key >> shift) first--;
        while (last < count && KEY(from[last]) >> shift == key >> shift) last++;
        NAME(finish_run)(from, to, scratch, first, i + 1, last);
        i = last - 1;
        highest = KEY(to[i]);
    }
}

/* Items that fit into the cache: one or two passes on the highest bits that differ, enough to leave few equal. */
static void NAME(sort_cached)(ITEM *here, ITEM *there, size_t count, bool move)
{
    ITEM *const to = move ? there : here, *const scratch = move ? here : there;
    if (count <= INSERTION) {
        NAME(insert)(here, to, count);
        return;
    }
    const int significant = bit_length(NAME(differing)(here, count)), wanted = bit_length(count - 1);
    if (!significant) {
        if (move) memcpy(there, here, count * sizeof *here);
    } else if (significant <= ONE_PASS_BITS || count <= ONE_PASS_COUNT) {
        const int width = significant < wanted ? significant : wanted;
        NAME(pass_one)(here, there, count, significant - width, width);
        NAME(finish)(there, to, scratch, count, significant - width);
    } else {
        const int bits = significant < wanted + SPARE_BITS ? significant : wanted + SPARE_BITS;
        const int width = bits < 2 * TWO_PASS_BITS ? (bits + 1) / 2 : TWO_PASS_BITS;
        const int shift = significant > 2 * width ? significant - 2 * width : 0;
        NAME(pass_two)(here, there, count, shift, width);
        NAME(finish)(here, to, scratch, count, shift);
    }
}

/* Stops at the first item out of order: cheap for what must be sorted, one pass for what is sorted already. */
static bool NAME(in_order)(const ITEM *items, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (KEY(items[i - 1]) > KEY(items[i])) return false;
    return true;
}

/* ---- Large arrays ---------------------------------------------------------------------------- */

/* counts[digit] = the keys with that digit; returns the bits in which keys differ from `like`. */
static uint64_t NAME(count_digits)(const ITEM *items, size_t count, int shift, uint64_t like, size_t counts[DIGITS])
{
    uint64_t bits = 0;
    memset(counts, 0, DIGITS * sizeof *counts);
    for (size_t i = 0; i < count; i++) {
        bits |= KEY(items[i]) ^ like;
        counts[KEY(items[i]) >> shift & (DIGITS - 1)]++;
    }
    return bits;
}

/* Moves items to to[next[digit]++]. */
static void NAME(scatter)(const ITEM *from, ITEM *to, size_t count, int shift, size_t next[DIGITS])
{
    for (size_t i = 0; i < count; i++) to[next[KEY(from[i]) >> shift & (DIGITS - 1)]++] = from[i];
}

/* count_digits by several threads, each for its slice. */
static uint64_t NAME(count_slices)(const ITEM *items, size_t count, int shift, int threads, size_t counts[][DIGITS])
{
    uint64_t bits = 0;
    if (threads == 1) return NAME(count_digits)(items, count, shift, KEY(items[0]), counts[0]);
#pragma omp parallel for num_threads(threads) schedule(static, 1) reduction(| : bits)
    for (int t = 0; t < threads; t++) {
        const size_t first = slice_begin(t, threads, count), last = slice_begin(t + 1, threads, count);
        bits |= NAME(count_digits)(items + first, last - first, shift, KEY(items[0]), counts[t]);
    }
    return bits;
}

/*
 * One pass here -> there by the digit below bit `significant`, from which on all keys agree; returns the digit's shift
 * and where each digit's items end. Most keys are hashes, so this counts that digit at once and finds at the same time
 * which bits differ; where few keys differ in that digit it counts again, further down. -1 where all keys are equal.
 */
static __attribute__((noinline)) int NAME(split)(const ITEM *here, ITEM *there, size_t count, int significant,
                                                 int threads, size_t end[DIGITS])
{
    size_t next[MAX_THREADS][DIGITS];
    int shift = digit_below(significant);
    const uint64_t bits = NAME(count_slices)(here, count, shift, threads, next);
    if (!bits) return -1;
    if (digit_below(bit_length(bits)) < shift - WASTED_BITS) {
        shift = digit_below(bit_length(bits));
        NAME(count_slices)(here, count, shift, threads, next);
    }
    begin_of_slices(threads, next);
    if (threads == 1) {
        NAME(scatter)(here, there, count, shift, next[0]);
    } else {
#pragma omp parallel for num_threads(threads) schedule(static, 1)
        for (int t = 0; t < threads; t++) {
            const size_t first = slice_begin(t, threads, count), last = slice_begin(t + 1, threads, count);
            NAME(scatter)(here + first, there, last - first, shift, next[t]);
        }
    }
    memcpy(end, next[threads - 1], sizeof next[0]); /* the last slice ends where its digit ends */
    return shift;
}

/* Any number of items whose keys agree from bit `significant` on. Threads take whole parts; a part of more than a
 * thread's share is split by all of them. */
static void NAME(sort_any)(ITEM *here, ITEM *there, size_t count, int significant, bool move, int threads)
{
    if (threads < 1 || count < SHARED_COUNT) threads = 1;
    if (count * sizeof(ITEM) <= CACHED_BYTES && threads == 1) {
        NAME(sort_cached)(here, there, count, move);
        return;
    }
    size_t end[DIGITS];
    const size_t share = threads == 1 ? 0 : count / (size_t)threads;
    const int shift = NAME(split)(here, there, count, significant, threads, end);
    if (shift < 0) {
        if (move) memcpy(there, here, count * sizeof *here);
        return;
    }
    if (threads > 1) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
        for (int digit = 0; digit < DIGITS; digit++) {
            const size_t first = digit ? end[digit - 1] : 0, size = end[digit] - first;
            if (size <= share) NAME(sort_any)(there + first, here + first, size, shift, !move, 1);
        }
    }
    for (int digit = 0; digit < DIGITS; digit++) {
        const size_t first = digit ? end[digit - 1] : 0, size = end[digit] - first;
        if (size > share) NAME(sort_any)(there + first, here + first, size, shift, !move, threads);
    }
}
