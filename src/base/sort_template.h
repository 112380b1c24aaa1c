/*
 * The radix sort of base/sort.c for one type of item; sort.c explains the method. Before including this file, define
 * ITEM (the type), KEY(item) (its 64-bit key) and NAME(word) (the name of a function for this type).
 *
 * The functions work on two arrays of the same length. The items are in `here`; the sorted items end up in `here`, or
 * in `there` if `move` is set. The other array is scratch.
 */

static void NAME(sort_cached)(ITEM *here, ITEM *there, size_t count, bool move);

/* Insertion sort from `from` to `to`, which may be the same array. */
static inline void NAME(insert)(const ITEM *from, ITEM *to, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const ITEM item = from[i];
        size_t j = i;
        for (; j > 0 && KEY(to[j - 1]) > KEY(item); j--) to[j] = to[j - 1];
        to[j] = item;
    }
}

/* Returns the bits in which the keys differ. */
static inline uint64_t NAME(differing)(const ITEM *items, size_t count)
{
    uint64_t bits = 0;
    for (size_t i = 1; i < count; i++) bits |= KEY(items[i]) ^ KEY(items[0]);
    return bits;
}

/* One stable counting pass on `width` bits, starting at bit `shift`. Not inlined, so that its counters are off the
 * stack while finish sorts a run. */
static __attribute__((noinline)) void NAME(pass_one)(const ITEM *from, ITEM *to, size_t count, int shift, int width)
{
    uint32_t next[1 << ONE_PASS_BITS];
    const uint64_t mask = (UINT64_C(1) << width) - 1;
    memset(next, 0, sizeof *next << width);
    for (size_t i = 0; i < count; i++) next[KEY(from[i]) >> shift & mask]++;
    begin_from_counts(next, mask + 1);
    for (size_t i = 0; i < count; i++) to[next[KEY(from[i]) >> shift & mask]++] = from[i];
}

/* Two passes on 2 * width bits, starting at bit `shift`: by the lower digit from here to there, by the upper one
 * back. */
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

/* Ends finish for items first .. last-1, whose keys agree above shift. Items before `next` are already in `to`. */
static __attribute__((noinline)) void NAME(finish_run)(const ITEM *from, ITEM *to, ITEM *scratch, size_t first,
                                                       size_t next, size_t last)
{
    if (from != to) memcpy(to + next, from + next, (last - next) * sizeof *to);
    NAME(sort_cached)(to + first, scratch + first, last - first, false);
}

/*
 * Moves items from `from`, where they are in order by key >> shift, to `to` in order by key; `from` is one of the
 * arrays `to` and `scratch`. The insertion sort is cheap if few keys agree above shift; a long run of keys that agree
 * is sorted by itself.
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

/* Sorts items that fit into the cache: one or two passes on the highest bits that differ, enough to leave few equal
 * keys. */
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

/* Returns true if the items are sorted. Stops at the first item out of order: cheap if a sort is needed, otherwise one
 * pass. */
static bool NAME(in_order)(const ITEM *items, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (KEY(items[i - 1]) > KEY(items[i])) return false;
    return true;
}

/* ---- Large arrays ---------------------------------------------------------------------------- */

/* Sets counts[digit] to the number of keys with that digit. Returns the bits in which the keys differ from `like`. */
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

/* Like count_digits, by several threads, one for each slice of the items. */
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
 * One pass from here to there by the digit below bit `significant`; the keys must agree from that bit on. Returns the
 * shift of the digit, or -1 if all keys are equal, and the end of each digit's items. Most keys are hashes, so the
 * first count already uses that digit, and finds at the same time which bits differ. If the keys hardly differ in that
 * digit, the function counts again with a lower digit.
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
    memcpy(end, next[threads - 1], sizeof next[0]); /* the items of a digit end where its last slice ends */
    return shift;
}

/* Sorts any number of items whose keys agree from bit `significant` on. Each thread takes whole parts; a part that is
 * larger than a thread's share is split by all threads. */
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
