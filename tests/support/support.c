#include "support/support.h"
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- A context that counts and fails --------------------------------------------------------- */

typedef struct counter {
    size_t live, made;
    size_t fail_at; /* 0: never */
} counter;

/* Kept beside the context: tests are single-threaded callers with few contexts at once. */
static struct {
    leman_context *ctx;
    counter counter;
} contexts[8];

static bool refuses(counter *c)
{
    size_t made = __atomic_add_fetch(&c->made, 1, __ATOMIC_RELAXED);
    return c->fail_at && made == c->fail_at;
}

static void *counted_allocate(void *user, size_t size)
{
    counter *c = user;
    void *pointer = refuses(c) ? NULL : malloc(size);
    if (pointer) __atomic_add_fetch(&c->live, 1, __ATOMIC_RELAXED);
    return pointer;
}

static void *counted_reallocate(void *user, void *pointer, size_t size)
{
    counter *c = user;
    void *moved = refuses(c) ? NULL : realloc(pointer, size);
    if (moved && !pointer) __atomic_add_fetch(&c->live, 1, __ATOMIC_RELAXED);
    return moved;
}

static void counted_release(void *user, void *pointer)
{
    counter *c = user;
    if (pointer) __atomic_sub_fetch(&c->live, 1, __ATOMIC_RELAXED);
    free(pointer);
}

static leman_status counted_context(counter *c, int threads, leman_context **out)
{
    leman_settings settings = leman_settings_default();
    settings.threads = threads;
    settings.allocate = counted_allocate;
    settings.reallocate = counted_reallocate;
    settings.release = counted_release;
    settings.allocator_user = c;
    const char *device = getenv("LEMAN_TEST_DEVICE"); /* tests/nn/on_device.h */
    settings.device = device && *device ? device : NULL;
    settings.precision = LEMAN_PRECISION_FP32;
    return leman_context_new(&settings, out);
}

leman_context *test_context_new(int threads)
{
    for (size_t i = 0; i < sizeof contexts / sizeof *contexts; i++)
        if (!contexts[i].ctx) {
            contexts[i].counter = (counter){0};
            assert_int_equal(counted_context(&contexts[i].counter, threads, &contexts[i].ctx), LEMAN_OK);
            return contexts[i].ctx;
        }
    fail_msg("too many contexts at once");
    return NULL;
}

void test_context_free(leman_context *ctx)
{
    leman_context_free(ctx);
    for (size_t i = 0; i < sizeof contexts / sizeof *contexts; i++)
        if (contexts[i].ctx == ctx) {
            contexts[i].ctx = NULL;
            assert_int_equal(contexts[i].counter.live, 0);
        }
}

size_t test_fail_each_allocation(test_body *body, void *state)
{
    for (size_t n = 1;; n++) {
        counter c = {.fail_at = n};
        leman_context *ctx = NULL;
        leman_status st = counted_context(&c, 1, &ctx);
        if (!st) st = body(ctx, state);
        leman_context_free(ctx);
        assert_int_equal(c.live, 0);
        if (c.made < n) {
            assert_int_equal(st, LEMAN_OK);
            return n - 1;
        }
        if (st != LEMAN_OK) assert_int_equal(st, LEMAN_ERROR_MEMORY); /* a smaller request may have served instead */
    }
}

/* ---- Folders and files ----------------------------------------------------------------------- */

static char paths[4][4096];
static unsigned path_turn;

/* Static, so that a child that a test forks off has nothing to free. */
static char folders[16][64];

const char *test_folder_new(void)
{
    size_t i = 0;
    while (i < 16 && *folders[i]) i++;
    assert_true(i < 16);
    strcpy(folders[i], "/tmp/leman-test-XXXXXX");
    assert_non_null(mkdtemp(folders[i]));
    return folders[i];
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

void test_folder_remove(const char *folder)
{
    nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    for (size_t i = 0; i < 16; i++)
        if (folder == folders[i]) *folders[i] = 0;
}

const char *test_path(const char *folder, const char *name)
{
    char *path = paths[path_turn++ % 4];
    snprintf(path, sizeof *paths, "%s/%s", folder, name);
    return path;
}

const char *test_file_write(const char *folder, const char *name, const void *bytes, size_t size)
{
    const char *path = test_path(folder, name);
    char parent[4096];
    strcpy(parent, path);
    *strrchr(parent, '/') = 0;
    mkdir(parent, 0777);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
    return path;
}

const char *test_file_text(const char *folder, const char *name, const char *text)
{
    return test_file_write(folder, name, text, strlen(text));
}

void test_read_fails(const char *path, const char *words)
{
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL;
    leman_status st = leman_dataset_read(ctx, path, NULL, NULL, &data);
    if (st != LEMAN_ERROR_INPUT && st != LEMAN_ERROR_FILE)
        fail_msg("%s: status %d (%s), expected an input error", path, (int)st, leman_context_message(ctx));
    assert_null(data);
    const char *message = leman_context_message(ctx);
    assert_null(strchr(message, '\n'));
    for (const char *p = words; *p;) {
        size_t length = strcspn(p, " ");
        char word[256];
        snprintf(word, sizeof word, "%.*s", (int)length, p);
        if (!strstr(message, word)) fail_msg("'%s' does not say '%s'", message, word);
        p += length;
        p += *p == ' ';
    }
    test_context_free(ctx);
}

/* ---- Tests that cannot run everywhere -------------------------------------------------------- */

static size_t skipped;

void test_skip(const char *format, ...)
{
    va_list list;
    char why[512];
    va_start(list, format);
    vsnprintf(why, sizeof why, format, list);
    va_end(list);
    print_message("skipped: %s\n", why);
    skipped++;
    skip();
}

const char *test_set(const char *name)
{
    const char *given = getenv("LEMAN_DATA");
    char file[256];
    snprintf(file, sizeof file, "%s.zip", name);
    const char *path = test_path(given ? given : LEMAN_SOURCE_DIR "/../shared/data", file);
    if (access(path, R_OK)) test_skip("the data set %s is not here", file);
    return path;
}

int test_run_group(const struct CMUnitTest *tests, size_t count)
{
    int failed = _cmocka_run_group_tests("tests", tests, count, NULL, NULL);
    return failed ? 1 : skipped ? 77 : 0;
}

/* ---- Data sets ------------------------------------------------------------------------------- */

static bool differ(const char *what, size_t graph)
{
    print_message("data sets differ in %s, graph %zu\n", what, graph + 1);
    return false;
}

bool test_same_dataset(const leman_dataset *a, const leman_dataset *b)
{
    const leman_shape *s = leman_dataset_shape(a), *t = leman_dataset_shape(b);
    const leman_columns *c = s->columns, *d = t->columns;
    if (s->graphs != t->graphs || s->vertices != t->vertices || s->arcs != t->arcs || s->directed != t->directed)
        return differ("sizes", 0);
    if (c->vertex_labels != d->vertex_labels || c->edge_labels != d->edge_labels || c->targets != d->targets ||
        c->vertex_attributes != d->vertex_attributes || c->edge_attributes != d->edge_attributes ||
        c->classes != d->classes)
        return differ("columns", 0);
    for (size_t i = 0; i < s->graphs; i++) {
        leman_graph g = leman_dataset_graph(a, i), h = leman_dataset_graph(b, i);
        if (g.vertices != h.vertices || g.arcs != h.arcs) return differ("size", i);
        if (c->classes && leman_dataset_classes(a)[i] != leman_dataset_classes(b)[i]) return differ("class", i);
        for (size_t x = 0; x < c->targets; x++)
            if (memcmp(leman_dataset_targets(a) + i * c->targets + x, leman_dataset_targets(b) + i * c->targets + x,
                       8) &&
                leman_dataset_targets(a)[i * c->targets + x] != leman_dataset_targets(b)[i * c->targets + x])
                return differ("target", i);
        for (size_t x = 0; x < g.vertices * g.vertex_labels; x++)
            if (g.vertex_label[x] != h.vertex_label[x]) return differ("vertex label", i);
        for (size_t x = 0; x < g.vertices * g.vertex_attributes; x++)
            if (g.vertex_attribute[x] != h.vertex_attribute[x]) return differ("vertex attribute", i);
        for (size_t v = 0; v < g.vertices; v++) {
            size_t degree = g.start[v + 1] - g.start[v];
            if (degree != h.start[v + 1] - h.start[v]) return differ("degree", i);
            for (size_t j = 0; j < degree; j++) {
                uint64_t e = g.start[v] + j, f = h.start[v] + j;
                if (g.head[e] != h.head[f]) return differ("head", i);
                for (size_t x = 0; x < g.edge_labels; x++)
                    if (g.edge_label[e * g.edge_labels + x] != h.edge_label[f * h.edge_labels + x])
                        return differ("edge label", i);
                for (size_t x = 0; x < g.edge_attributes; x++)
                    if (g.edge_attribute[e * g.edge_attributes + x] != h.edge_attribute[f * h.edge_attributes + x])
                        return differ("edge attribute", i);
            }
        }
    }
    return true;
}

size_t test_cases(size_t usual)
{
    const char *share = getenv("LEMAN_TEST_SHARE");
    size_t cases = share ? usual * strtoul(share, NULL, 10) / 100 : usual;
    return cases ? cases : 1;
}

uint64_t test_random(uint64_t *state)
{
    uint64_t x = *state + 0x9e3779b97f4a7c15u;
    *state = x;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

leman_dataset *test_random_graph(leman_context *ctx, uint64_t *state, size_t n, unsigned percent,
                                 unsigned vertex_labels, unsigned edge_labels, bool directed)
{
    leman_columns columns = {.vertex_labels = vertex_labels > 0, .edge_labels = edge_labels > 0};
    leman_policy policy = leman_policy_default();
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    policy.directed = directed;
    assert_int_equal(leman_builder_new(ctx, "random", &columns, &builder), LEMAN_OK);
    assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
    for (size_t v = 0; v < n; v++) {
        int64_t label = vertex_labels ? (int64_t)(test_random(state) % vertex_labels) : 0;
        assert_int_equal(leman_builder_vertex(builder, NULL, &label, NULL), LEMAN_OK);
    }
    for (size_t u = 0; u < n; u++)
        for (size_t v = directed ? 0 : u + 1; v < n; v++) {
            int64_t label = edge_labels ? (int64_t)(test_random(state) % edge_labels) : 0;
            if (u != v && test_random(state) % 100 < percent)
                assert_int_equal(leman_builder_edge(builder, u, v, &label, NULL), LEMAN_OK);
        }
    assert_int_equal(leman_builder_finish(builder, &policy, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}
