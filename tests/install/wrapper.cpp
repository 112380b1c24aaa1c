// Tests of leman.hpp: its results beside definitions that are computed here, its failures as exceptions, and every allocation
// of the library and of the wrapper failing in turn without a leak. tests/install/test_install.py compiles and runs it.
#include <leman.hpp>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <set>
#include <type_traits>

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            std::printf("%s:%d: expected %s\n", __FILE__, __LINE__, #condition);                                       \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (0)

// ---- Allocations that fail ------------------------------------------------------------------------

static std::atomic<long> live_blocks, until_failure; // until_failure: 0 never fails, 1 fails the next one

static void *allocate(std::size_t size)
{
    if (until_failure > 0 && --until_failure == 0) return nullptr;
    void *block = std::malloc(size ? size : 1);
    if (block) live_blocks++;
    return block;
}

static void release(void *block)
{
    if (block) live_blocks--;
    std::free(block);
}

void *operator new(std::size_t size)
{
    if (void *block = allocate(size)) return block;
    throw std::bad_alloc();
}

void operator delete(void *block) noexcept
{
    release(block);
}

void operator delete(void *block, std::size_t) noexcept
{
    release(block);
}

static void *hook_allocate(void *, std::size_t size)
{
    return allocate(size);
}

static void *hook_reallocate(void *, void *block, std::size_t size)
{
    if (!block) return allocate(size);
    if (until_failure > 0 && --until_failure == 0) return nullptr;
    return std::realloc(block, size);
}

static void hook_release(void *, void *block)
{
    release(block);
}

static leman_settings counted()
{
    leman_settings settings = leman_settings_default();
    settings.threads = 1;
    settings.memory = std::size_t{1} << 30;
    settings.allocate = hook_allocate;
    settings.reallocate = hook_reallocate;
    settings.release = hook_release;
    return settings;
}

// ---- Results --------------------------------------------------------------------------------------

static leman::Dataset molecules(const leman::Context &ctx)
{
    leman_family_options options = leman_family_options_default();
    options.graphs = 40;
    options.vertices = 12;
    return leman::Dataset::generate(ctx, LEMAN_FAMILY_MOLECULES, &options);
}

// Colour refinement of all graphs by its definition: a colour of round r is a colour of round r - 1 with the multiset of
// those at the ends of the arcs. Returns [graph][vertex]; equal numbers are equal colours.
static std::vector<std::vector<std::size_t>> refined(const leman::Dataset &data, unsigned rounds)
{
    using Key = std::pair<std::vector<std::int64_t>, std::multiset<std::pair<std::vector<std::int64_t>, std::size_t>>>;
    std::vector<std::vector<std::size_t>> color(data.size());
    for (std::size_t i = 0; i < data.size(); i++) color[i].assign(data[i].vertices, 0);
    for (unsigned r = 0; r <= rounds; r++) {
        std::map<Key, std::size_t> number;
        auto next = color;
        for (std::size_t i = 0; i < data.size(); i++) {
            const leman_graph g = data[i];
            for (std::size_t v = 0; v < g.vertices; v++) {
                Key key;
                if (r == 0)
                    key.first.assign(g.vertex_label + v * g.vertex_labels, g.vertex_label + (v + 1) * g.vertex_labels);
                else
                    key.first.push_back(static_cast<std::int64_t>(color[i][v]));
                for (std::uint64_t e = g.start[v]; r && e < g.start[v + 1]; e++)
                    key.second.emplace(std::vector<std::int64_t>(g.edge_label + e * g.edge_labels,
                                                                 g.edge_label + (e + 1) * g.edge_labels),
                                       color[i][g.head[e]]);
                next[i][v] = number.emplace(key, number.size()).first->second;
            }
        }
        color = next;
    }
    return color;
}

static void test_colors_and_gram()
{
    const leman::Context ctx;
    const leman::Dataset data = molecules(ctx);
    const leman_coloring coloring = leman::coloring(ctx, "1-WL", 3);
    std::map<std::size_t, std::uint64_t> of;
    std::map<std::uint64_t, std::size_t> back;
    const auto slow = refined(data, 3);
    for (std::size_t i = 0; i < data.size(); i++) {
        const auto colors = leman::colors(ctx, data[i], coloring, 3);
        EXPECT(colors.size() == data[i].vertices);
        for (std::size_t v = 0; v < colors.size(); v++) {
            EXPECT(of.emplace(slow[i][v], colors[v]).first->second == colors[v]);
            EXPECT(back.emplace(colors[v], slow[i][v]).first->second == slow[i][v]);
        }
    }
    leman::Matrix expected(data.size(), data.size()); // pairs of vertices with equal colours, over rounds 0 to 2
    for (unsigned r = 0; r <= 2; r++) {
        const auto color = refined(data, r);
        for (std::size_t i = 0; i < data.size(); i++)
            for (std::size_t j = 0; j < data.size(); j++)
                for (const std::size_t a : color[i])
                    for (const std::size_t b : color[j]) expected.data()[i * data.size() + j] += a == b;
    }
    const leman::Kernels kernels = leman::kernels(ctx, "1-WL", 2);
    const leman::Matrix gram = leman::gram(ctx, data, kernels, false);
    EXPECT(gram.values == expected.values);
    const leman::Dataset some = data.select(ctx, {5, 0, 39, 5});
    const leman::Matrix part = leman::gram(ctx, some, kernels, true, &data);
    EXPECT(part.rows == 4 && part.columns == data.size());
    for (std::size_t j = 0; j < data.size(); j++)
        EXPECT(std::fabs(part(2, j) - gram(39, j) / std::sqrt(gram(39, 39) * gram(j, j))) < 1e-12);
}

static void test_features()
{
    const leman::Context ctx;
    const leman::Dataset data = molecules(ctx), some = data.select(ctx, {7, 3});
    const leman::Kernels kernels = leman::kernels(ctx, "delta-2-LWL + SP", 2);
    EXPECT(kernels.size() == 2);
    const leman::Features all = leman::Features::compute(ctx, data, kernels), two = all.transform(ctx, some, kernels);
    const leman::Matrix gram = leman::gram(ctx, data, kernels, false);
    EXPECT(two->columns == all->columns && two->rows == 2 && two->out_of_vocabulary == 0);
    for (std::size_t i = 0; i < data.size(); i++) { // row 3 of the data is row 1 of the selection
        std::map<std::uint32_t, double> row;
        for (std::uint64_t e = all->start[i]; e < all->start[i + 1]; e++) row[all->column[e]] = all->value[e];
        double product = 0;
        for (std::uint64_t e = two->start[1]; e < two->start[2]; e++)
            if (row.count(two->column[e])) product += row[two->column[e]] * two->value[e];
        EXPECT(product == gram(i, 3));
    }
}

static void test_model(const char *path)
{
    const leman::Context ctx;
    const leman::Dataset data = molecules(ctx);
    const leman::Kernels kernels = leman::kernels(ctx, "delta-2-LWL");
    leman::Model::fit(ctx, data, kernels).write(ctx, path);
    const leman::Model model = leman::Model::read(ctx, path);
    const leman::Prediction found = model.predict(ctx, data);
    const std::vector<std::int64_t> classes = data.classes();
    std::size_t right = 0;
    for (std::size_t i = 0; i < data.size(); i++) {
        EXPECT(std::fabs(found.probability(i, 0) + found.probability(i, 1) - 1) < 1e-9);
        right += found.label[i] == classes[i];
    }
    EXPECT(10 * right >= 9 * data.size()); // delta-2-LWL sees what the classes are
    leman_dataset *targets = nullptr;
    std::vector<double> sizes;
    for (std::size_t i = 0; i < data.size(); i++) sizes.push_back(static_cast<double>(data[i].vertices));
    ctx.check(leman_dataset_set_targets(ctx.get(), data.get(), nullptr, sizes.data(), 1, &targets));
    const leman::Dataset regression(targets);
    leman_fit_options options = leman_fit_options_default();
    options.target = 0;
    const leman::Prediction values = leman::Model::fit(ctx, regression, kernels, options).predict(ctx, regression);
    EXPECT(values.label.empty() && values.probability.columns == 0 && values.score.size() == data.size());
    double error = 0;
    for (std::size_t i = 0; i < data.size(); i++) error += std::fabs(values.score[i] - sizes[i]);
    EXPECT(error < static_cast<double>(data.size())); // less than one vertex on average
}

static void test_builder_and_distinguish()
{
    const leman::Context ctx;
    leman::Builder builder(ctx, "cycles");
    for (const std::size_t length : {6u, 3u}) { // a hexagon, two triangles
        builder.graph();
        for (int v = 0; v < 6; v++) builder.vertex();
        for (std::size_t v = 0; v < 6; v++) builder.edge(v, v - v % length + (v + 1) % length);
    }
    const leman::Dataset data = builder.finish();
    EXPECT(data.size() == 2 && data.shape().edges == 12 && data.classes().empty());
    EXPECT(!leman::distinguish(ctx, data[0], data[1], leman::coloring(ctx, "1-WL")).distinguished);
    EXPECT(leman::distinguish(ctx, data[0], data[1], leman::coloring(ctx, "2-FWL")).distinguished);
    const auto weak = leman::hashes(ctx, data, leman::coloring(ctx, "1-WL"));
    const auto strong = leman::hashes(ctx, data, leman::coloring(ctx, "2-FWL"));
    EXPECT(weak[0] == weak[1] && strong[0] != strong[1] && strong[0].size() == 36 && strong[0].rfind("lm1:", 0) == 0);
}

// ---- Failures -------------------------------------------------------------------------------------

template <class Call> static void fails(leman_status status, const char *words, const Call &call)
{
    try {
        call();
    } catch (const leman::Error &error) {
        if (error.status() == status && std::strstr(error.what(), words)) return;
        std::printf("found %s: %s, expected %s with \"%s\"\n", leman_status_name(error.status()), error.what(),
                    leman_status_name(status), words);
        std::exit(1);
    }
    std::printf("found no failure, expected one with \"%s\"\n", words);
    std::exit(1);
}

static void test_failures()
{
    const leman::Context ctx;
    const leman::Dataset data = molecules(ctx);
    fails(LEMAN_ERROR_FILE, "nowhere.zip", [&] { leman::Dataset::read(ctx, "nowhere.zip"); });
    try {
        leman::Dataset::read(ctx, "nowhere.zip");
    } catch (const leman::Error &error) {
        EXPECT(error.system() == ENOENT);
    }
    fails(LEMAN_ERROR_ARGUMENT, "3-XYZ", [&] { leman::kernels(ctx, "3-XYZ"); });
    fails(LEMAN_ERROR_ARGUMENT, "3-XYZ", [&] { leman::coloring(ctx, "3-XYZ"); });
    fails(LEMAN_ERROR_ARGUMENT, "kernels", [&] { leman::gram(ctx, data, {}); });
    fails(LEMAN_ERROR_ARGUMENT, "expected 40", [&] { data.with_classes(ctx, {1, 2}); });
    fails(LEMAN_ERROR_ARGUMENT, "assignment",
          [&] { leman::Features::compute(ctx, data, leman::kernels(ctx, "WLOA")); });
    fails(LEMAN_ERROR_INPUT, "SMILES:1", [&] { leman::Dataset::from_smiles(ctx, {"CCO", "C(("}); });
    leman_coloring coloring = leman_coloring_default();
    for (const unsigned k : {0u, 33u, 4000000000u}) {
        coloring.k = k;
        fails(LEMAN_ERROR_ARGUMENT, "k:", [&] { leman::colors(ctx, data[0], coloring, 0); });
    }
    coloring.k = 32;
    fails(LEMAN_ERROR_BUDGET, "memory", [&] { leman::colors(ctx, data[0], coloring, 0); });
    leman_settings settings = leman_settings_default();
    settings.threads = -1;
    fails(LEMAN_ERROR_ARGUMENT, leman_status_name(LEMAN_ERROR_ARGUMENT), [&] { leman::Context refused(settings); });
    EXPECT(leman::Dataset::from_smiles(ctx, {}).size() == 0 && data.select(ctx, {}).size() == 0);
    EXPECT(leman::gram(ctx, data.select(ctx, {}), leman::kernels(ctx, "SP")).values.empty());
}

static void everything()
{
    const leman::Context ctx(counted());
    const leman::Dataset data =
        leman::Dataset::from_smiles(ctx, {"CCO", "CCN", "CCCO", "CCCN"}).with_classes(ctx, {0, 1, 0, 1});
    const leman::Kernels kernels = leman::kernels(ctx, "1-WL", 1);
    const leman::Features features = leman::Features::compute(ctx, data, kernels);
    leman::gram(ctx, data, kernels);
    leman::colors(ctx, data[0], leman::coloring(ctx, "1-WL", 1), 1);
    leman::hashes(ctx, data, leman::coloring(ctx, "1-WL", 1));
    leman_fit_options options = leman_fit_options_default();
    options.folds = 2;
    leman::Model::fit(ctx, data, kernels, options).predict(ctx, data);
}

static void test_failing_allocations()
{
    long failures = 0;
    for (long n = 1;; n++) {
        bool failed = false;
        until_failure = n;
        try {
            everything();
        } catch (const leman::Error &error) {
            EXPECT(error.status() == LEMAN_ERROR_MEMORY);
            failed = true;
        } catch (const std::bad_alloc &) {
            failed = true;
        }
        const bool reached = until_failure == 0;
        until_failure = 0;
        EXPECT(live_blocks == 0);
        failures += failed;
        if (!reached) break;
    }
    EXPECT(failures > 50);
}

template <class T>
constexpr bool owns = std::is_nothrow_move_constructible_v<T> &&std::is_nothrow_move_assignable_v<T> &&
                      !std::is_copy_constructible_v<T> && !std::is_copy_assignable_v<T>;
static_assert(owns<leman::Context> && owns<leman::Dataset> && owns<leman::Builder>);
static_assert(owns<leman::Features> && owns<leman::Model>);

int main(int, char **argv)
{
    test_failing_allocations(); // first, while no other block is live
    test_colors_and_gram();
    test_features();
    test_model(argv[1]);
    test_builder_and_distinguish();
    test_failures();
    std::puts("ok");
}
