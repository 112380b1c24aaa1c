/*
 * The library as a guest: a program with a BLAS of four threads and settings of every kind, runs two contexts in two
 * threads, each fitting a model and training a network while the other does the same. Nothing of the program's changes,
 * neither meanwhile nor afterwards, nothing is printed, and each thread gets the very bits that it gets alone.
 *
 * Linked against libleman.so, as a host is. Skipped where there is no OpenBLAS with threads to be host to.
 */
#include <leman.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
/* after those above, which it does not include */
#include <cmocka.h>

enum { SKIPPED = 77 };

#ifndef TEST_HOST_BLAS

int main(void)
{
    puts("skipped: expected a library with a BLAS of its own and an OpenBLAS with threads for the host "
         "(libopenblas-pthread-dev), found one of them at most");
    return SKIPPED;
}

#else

#include <cblas.h>
#include <dirent.h>
#include <fenv.h>
#include <locale.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

enum { BLAS_THREADS = 4, OMP_THREADS = 3, GUESTS = 2, ROUNDS = 3, GRAPHS = 60, MAX_OUTPUTS = 4 * GRAPHS, SIDE = 96 };

/* ---- The guests ------------------------------------------------------------------------------ */

typedef struct guest {
    uint64_t seed;
    bool network_first;
    pthread_barrier_t *together; /* NULL: alone */
    atomic_int *running;
    char folder[64];
    char *model; /* the file that leman_model_write() gives */
    size_t model_bytes;
    double output[MAX_OUTPUTS]; /* of the network */
    const char *wrong;          /* cmocka may be called from the main thread alone */
} guest;

static bool read_all(const char *path, char **bytes, size_t *size)
{
    struct stat about;
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &about)) return false;
    *size = (size_t)about.st_size;
    *bytes = malloc(*size);
    bool whole = fread(*bytes, 1, *size, file) == *size;
    return !fclose(file) && whole;
}

static bool fit(guest *g, leman_context *ctx, const leman_dataset *data)
{
    char path[128];
    leman_model *model = NULL;
    leman_kernel kernel = leman_kernel_default();
    kernel.coloring.k = 2;
    bool good = !leman_model_fit(ctx, data, &kernel, 1, NULL, &model);
    snprintf(path, sizeof path, "%s/%llu", g->folder, (unsigned long long)g->seed);
    good = good && !leman_model_write(ctx, model, path) && read_all(path, &g->model, &g->model_bytes);
    unlink(path);
    leman_model_free(model);
    return good;
}

static bool learn(guest *g, leman_context *ctx, const leman_dataset *data)
{
    leman_parts *parts = NULL;
    leman_network *network = NULL;
    leman_architecture architecture = leman_architecture_default();
    architecture.preset = LEMAN_PRESET_TU;
    architecture.layers = 2;
    architecture.width = 32;
    leman_training training = leman_training_default(&architecture);
    training.epochs = 3;
    bool good = !leman_parts_draw(ctx, GRAPHS, 0.1, 0.1, &parts) &&
                !leman_train(ctx, data, parts, &architecture, &training, &network, NULL) &&
                leman_network_describe(network)->outputs * GRAPHS <= MAX_OUTPUTS &&
                !leman_network_predict(ctx, network, data, 0, g->output);
    leman_network_free(network);
    leman_parts_free(parts);
    return good;
}

/* A context of its own, from the first call to the last. */
static void visit(guest *g)
{
    leman_context *ctx = NULL;
    leman_dataset *data = NULL;
    leman_settings settings = leman_settings_default();
    leman_family_options family = leman_family_options_default();
    settings.threads = 2;
    settings.seed = family.seed = g->seed;
    family.graphs = GRAPHS;
    family.vertices = 14;
    bool good =
        !leman_context_new(&settings, &ctx) && !leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &family, &data);
    if (g->together) pthread_barrier_wait(g->together);
    for (int step = 0; step < 2 && good; step++)
        good = (step == 0) == g->network_first ? learn(g, ctx, data) : fit(g, ctx, data);
    if (!good) g->wrong = "a call of the library failed";
    leman_dataset_free(data);
    leman_context_free(ctx);
}

/* ---- The host's settings --------------------------------------------------------------------- */

typedef struct settings {
    int blas_threads, omp_threads, omp_dynamic, omp_levels, rounding, files;
    mode_t mask;
    char *folder, *environment;
    char locale[256];
    struct sigaction action[NSIG];
    sigset_t blocked;
} settings;

static int open_files(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder)) count++;
    if (folder) closedir(folder);
    return count;
}

static void look(settings *s)
{
    memset(s, 0, sizeof *s);
    s->blas_threads = openblas_get_num_threads();
    s->omp_threads = omp_get_max_threads();
    s->omp_dynamic = omp_get_dynamic();
    s->omp_levels = omp_get_max_active_levels();
    s->rounding = fegetround();
    s->files = open_files();
    s->mask = umask(0);
    umask(s->mask);
    s->folder = getcwd(NULL, 0);
    snprintf(s->locale, sizeof s->locale, "%s", setlocale(LC_ALL, NULL));
    for (int i = 1; i < NSIG; i++) sigaction(i, NULL, &s->action[i]); /* fails for some, and leaves zeros */
    pthread_sigmask(SIG_SETMASK, NULL, &s->blocked);
    FILE *all = open_memstream(&s->environment, &(size_t){0});
    for (char **line = environ; *line; line++) fprintf(all, "%s\n", *line);
    fclose(all);
}

static void forget(settings *s)
{
    free(s->folder);
    free(s->environment);
}

static void assert_same(const settings *a, const settings *b)
{
    assert_int_equal(a->blas_threads, b->blas_threads);
    assert_int_equal(a->omp_threads, b->omp_threads);
    assert_int_equal(a->omp_dynamic, b->omp_dynamic);
    assert_int_equal(a->omp_levels, b->omp_levels);
    assert_int_equal(a->rounding, b->rounding);
    assert_int_equal(a->files, b->files);
    assert_int_equal(a->mask, b->mask);
    assert_string_equal(a->folder, b->folder);
    assert_string_equal(a->environment, b->environment);
    assert_string_equal(a->locale, b->locale);
    for (int i = 1; i < NSIG; i++) {
        assert_ptr_equal(a->action[i].sa_sigaction, b->action[i].sa_sigaction);
        assert_int_equal(a->action[i].sa_flags, b->action[i].sa_flags);
        assert_int_equal(sigismember(&a->blocked, i), sigismember(&b->blocked, i));
    }
}

/* ---- The host at work ------------------------------------------------------------------------ */

/* A product of the host's own BLAS: C = A B with A of ones and B of twos. */
static void assert_multiplies(void)
{
    static double a[SIDE * SIDE], b[SIDE * SIDE], c[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) a[i] = 1, b[i] = 2;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, SIDE, SIDE, SIDE, 1, a, SIDE, b, SIDE, 0, c, SIDE);
    for (int i = 0; i < SIDE * SIDE; i++) assert_true(c[i] == 2 * SIDE);
}

static void *thread_of(void *user)
{
    guest *g = user;
    int rounding = fegetround();
    sigset_t before, after;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    visit(g);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int i = 1; i < NSIG; i++)
        if (sigismember(&before, i) != sigismember(&after, i)) g->wrong = "the signals of the thread have changed";
    if (fegetround() != rounding) g->wrong = "the rounding of the thread has changed";
    atomic_fetch_sub(g->running, 1);
    return NULL;
}

/* Both guests at once; meanwhile the host looks at its settings and goes on with its own work. */
static void run_together(guest *guests, const settings *before)
{
    pthread_t thread[GUESTS];
    pthread_barrier_t together;
    atomic_int running = GUESTS;
    size_t looks = 0;
    pthread_barrier_init(&together, NULL, GUESTS);
    for (int i = 0; i < GUESTS; i++) {
        guests[i].together = &together;
        guests[i].running = &running;
        assert_int_equal(pthread_create(&thread[i], NULL, thread_of, &guests[i]), 0);
    }
    int threads = BLAS_THREADS;
    for (; atomic_load(&running); looks++) {
        int now = openblas_get_num_threads();
        if (now != BLAS_THREADS) threads = now; /* told when the guests have gone */
        if (looks % 64 == 0) assert_multiplies();
        usleep(200);
    }
    for (int i = 0; i < GUESTS; i++) pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&together);
    assert_int_equal(threads, BLAS_THREADS);
    assert_true(looks > 10);
    settings after;
    look(&after);
    assert_same(before, &after);
    forget(&after);
}

/* ---- The test -------------------------------------------------------------------------------- */

static void on_signal(int number)
{
    (void)number;
}

/* Settings that are not the ones a process begins with, so that putting back a default would show. */
static void settle_in(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigset_t blocked;
    openblas_set_num_threads(BLAS_THREADS);
    omp_set_num_threads(OMP_THREADS);
    setlocale(LC_ALL, "C.UTF-8");
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    umask(027);
    setenv("OPENBLAS_NUM_THREADS", "4", 1);
    setenv("LEMAN_HOST", "untouched", 1);
}

static guest guest_new(int number, const char *folder)
{
    guest g = {.seed = 11 + (uint64_t)number, .network_first = number % 2};
    snprintf(g.folder, sizeof g.folder, "%s", folder);
    return g;
}

static void assert_same_answers(const guest *a, const guest *b)
{
    assert_null(a->wrong);
    assert_null(b->wrong);
    assert_int_equal(a->model_bytes, b->model_bytes);
    assert_int_equal(memcmp(a->model, b->model, a->model_bytes), 0);
    assert_memory_equal(a->output, b->output, sizeof a->output);
}

/* Standard output and error go into files from here to shown(). */
typedef struct streams {
    int kept[2];
    FILE *file[2];
} streams;

static streams hide(void)
{
    streams s;
    fflush(NULL);
    for (int i = 0; i < 2; i++) {
        s.kept[i] = dup(i + 1);
        s.file[i] = tmpfile();
        dup2(fileno(s.file[i]), i + 1);
    }
    return s;
}

static long shown(streams *s)
{
    long bytes = 0;
    fflush(NULL);
    for (int i = 0; i < 2; i++) {
        bytes += (long)lseek(i + 1, 0, SEEK_END);
        dup2(s->kept[i], i + 1);
        close(s->kept[i]);
        fclose(s->file[i]);
    }
    return bytes;
}

static void test_nothing_changes(void **state)
{
    (void)state;
    char folder[] = "/tmp/leman-host-XXXXXX";
    guest alone[GUESTS];
    settings before, after;
    int expected[4];
    assert_non_null(mkdtemp(folder));
    settle_in();
    srand(7);
    for (int i = 0; i < 4; i++) expected[i] = rand();
    srand(7);
    assert_multiplies();
    look(&before);
    assert_int_equal(before.blas_threads, BLAS_THREADS);
    for (int i = 0; i < GUESTS; i++) {
        streams s = hide();
        alone[i] = guest_new(i, folder);
        visit(&alone[i]);
        assert_int_equal(shown(&s), 0);
        assert_null(alone[i].wrong);
        look(&after);
        assert_same(&before, &after);
        forget(&after);
        assert_int_equal(rand(), expected[i]);
    }
    assert_memory_not_equal(alone[0].output, alone[1].output, sizeof alone->output); /* each has work of its own */
    for (int round = 0; round < ROUNDS; round++) {
        guest guests[GUESTS];
        for (int i = 0; i < GUESTS; i++) {
            guests[i] = guest_new(i, folder);
            guests[i].network_first = (i + round) % 2;
        }
        run_together(guests, &before);
        for (int i = 0; i < GUESTS; i++) {
            assert_same_answers(&alone[i], &guests[i]);
            free(guests[i].model);
        }
    }
    for (int i = GUESTS; i < 4; i++) assert_int_equal(rand(), expected[i]);
    for (int i = 0; i < GUESTS; i++) free(alone[i].model);
    forget(&before);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing_changes)};
    if (!openblas_get_parallel()) {
        puts("skipped: the OpenBLAS that was found is serial");
        return SKIPPED;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
