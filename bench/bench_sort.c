/*
 * The radix sort against qsort and against a copy of the same bytes (what memory alone would take), side by side.
 *
 *   bench_sort [THREADS]
 *
 * Small arrays are sorted many at a time, all different, so that the branch predictor cannot learn them. Every
 * figure is the best of several repetitions, and one thread's is processor time: other processes hardly
 * matter.
 */
#include "base/hash.h"
#include "base/sort.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPETITIONS = 9, MIN_ITEMS = 1 << 20 };

enum distribution { RANDOM, FEW, SORTED, DISTRIBUTIONS };
static const char *const NAMES[] = {"random", "20 distinct", "sorted"};

static uint64_t draw(enum distribution kind, size_t i)
{
    if (kind == FEW) return lm_mix(lm_mix(i) % 20);
    return kind == RANDOM ? lm_mix(i) : i * UINT64_C(0x100000001b3);
}

static int compare(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

typedef struct work {
    char *source, *items, *spare;
    size_t count, arrays, size; /* items of an array, arrays, bytes of an item */
    int threads;
} work;

enum method { COPY, QSORT, RADIX };

/* Seconds: of this thread's work, or, where several work, of the clock on the wall. */
static double seconds(int threads)
{
    struct timespec t;
    clock_gettime(threads > 1 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Nanoseconds an item, the best of the repetitions; the arrays are restored outside the clock. */
static double measure(const work *w, enum method method)
{
    double best = 1e9;
    size_t bytes = w->count * w->size, repetitions = method == QSORT && w->count > 100000 ? 1 : REPETITIONS;
    for (size_t r = 0; r < repetitions; r++) {
        memcpy(w->items, w->source, w->arrays * bytes);
        double began = seconds(w->threads);
        for (size_t i = 0; i < w->arrays; i++) {
            char *items = w->items + i * bytes;
            if (method == COPY)
                memcpy(items, w->source + i * bytes, bytes);
            else if (method == QSORT)
                qsort(items, w->count, w->size, compare);
            else if (w->size == sizeof(lm_pair))
                lm_sort_pairs((lm_pair *)(void *)items, (lm_pair *)(void *)w->spare, w->count, w->threads);
            else
                lm_sort_keys((uint64_t *)(void *)items, (uint64_t *)(void *)w->spare, w->count, w->threads);
        }
        double took = seconds(w->threads) - began;
        if (took < best) best = took;
    }
    return best * 1e9 / (double)(w->count * w->arrays);
}

static void row(enum distribution kind, size_t count, size_t size, int threads)
{
    work w = {.count = count, .size = size, .threads = threads};
    w.arrays = count < MIN_ITEMS ? MIN_ITEMS / count : 1;
    size_t items = w.arrays * count;
    w.source = malloc(items * size);
    w.items = malloc(items * size);
    w.spare = malloc(count * size);
    if (!w.source || !w.items || !w.spare) exit(1);
    memset(w.spare, 0, count * size);
    for (size_t i = 0; i < items; i++) {
        const uint64_t pair[2] = {draw(kind, kind == SORTED ? i % count : i), i};
        memcpy(w.source + i * size, pair, size);
    }
    double copy = measure(&w, COPY), slow = measure(&w, QSORT), fast = measure(&w, RADIX);
    printf("%9zu  %-5s  %-11s  %8.2f  %8.2f  %8.2f  %7.1f  %7.1f\n", count, size == 8 ? "keys" : "pairs", NAMES[kind],
           copy, slow, fast, slow / fast, fast / copy);
    fflush(stdout);
    free(w.source);
    free(w.items);
    free(w.spare);
}

int main(int argc, char **argv)
{
    static const size_t COUNTS[] = {500, 5000, 100000, 10000000};
    int threads = argc > 1 ? atoi(argv[1]) : 1;
    printf("%d thread%s, nanoseconds an item\n", threads, threads == 1 ? "" : "s");
    printf("    items  what   order             copy     qsort     radix  qsort/x   x/copy\n");
    for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++)
        for (size_t size = 8; size <= 16; size += 8)
            for (int kind = 0; kind < DISTRIBUTIONS; kind++) row((enum distribution)kind, COUNTS[i], size, threads);
    return 0;
}
