/*
 * leman.hpp - the library from C++17: objects that free themselves, results in std::vector, failures as exceptions.
 *
 *   leman::Context ctx;
 *   leman::Dataset data = leman::Dataset::read(ctx, "MUTAG.zip");
 *   leman::Model model = leman::Model::fit(ctx, data, leman::kernels(ctx, "WLOA"));
 *   leman::Prediction found = model.predict(ctx, data);
 *
 * Everything is inline and calls the public functions of leman.h, whose contracts hold here too. A call that fails throws
 * leman::Error with the sentence of leman_context_message() and changes none of its arguments. An allocation for a
 * result in a std::vector may also throw std::bad_alloc.
 *
 * Objects can be moved, not copied. get() returns the object of the C library, for every function that has no method
 * here; ctx.check(status) throws if such a call failed. A moved-from object may only be destroyed or assigned to. As in
 * C, one thread at a time uses a context, and a callback in leman_settings must not throw.
 */
#ifndef LEMAN_HPP
#define LEMAN_HPP

#include "leman.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace leman
{

/* ---- Failures and contexts ------------------------------------------------------------------- */

/* A failure of the library; what() is its sentence. */
class Error : public std::runtime_error
{
  public:
    Error(leman_status status, const std::string &sentence, int system = 0)
        : std::runtime_error(sentence), status_(status), system_(system)
    {
    }
    leman_status status() const noexcept
    {
        return status_;
    }
    /* The system's errno, such as ENOENT; 0 if the system did not cause the failure. */
    int system() const noexcept
    {
        return system_;
    }

  private:
    leman_status status_;
    int system_;
};

/* A pointer to an object of the library that `release` frees. */
template <class T, void (*release)(T *)> struct Release {
    void operator()(T *object) const noexcept
    {
        release(object);
    }
};
template <class T, void (*release)(T *)> using Owner = std::unique_ptr<T, Release<T, release>>;

/* Threads, memory budget, seed and callbacks: what every call uses. */
class Context
{
  public:
    explicit Context(const leman_settings &settings = leman_settings_default())
    {
        leman_context *context = nullptr;
        const leman_status status = leman_context_new(&settings, &context);
        if (status) throw Error(status, leman_status_name(status)); // no context, no message
        context_.reset(context);
    }
    leman_context *get() const noexcept
    {
        return context_.get();
    }
    /* Throws Error with the message of the last failure unless the status is LEMAN_OK. */
    void check(leman_status status) const
    {
        if (status) throw Error(status, leman_context_message(get()), leman_context_errno(get()));
    }

  private:
    Owner<leman_context, leman_context_free> context_;
};

/* ---- Data sets ------------------------------------------------------------------------------- */

class Dataset
{
  public:
    /* Takes ownership of an object that the C library made. */
    explicit Dataset(leman_dataset *data) noexcept : data_(data) {}
    /* Reads and cleans a file of any format (leman_dataset_read()). */
    static Dataset read(const Context &ctx, const std::string &path, const leman_read_options *options = nullptr,
                        leman_cleaning *cleaning = nullptr)
    {
        leman_dataset *data = nullptr;
        ctx.check(leman_dataset_read(ctx.get(), path.c_str(), options, cleaning, &data));
        return Dataset(data);
    }
    /* Makes a data set of molecules (leman_dataset_from_smiles()). */
    static Dataset from_smiles(const Context &ctx, const std::vector<std::string> &smiles,
                               const leman_read_options *options = nullptr)
    {
        std::vector<const char *> text(smiles.size() + 1); // one more: data() of no molecules is not null
        for (std::size_t i = 0; i < smiles.size(); i++) text[i] = smiles[i].c_str();
        leman_dataset *data = nullptr;
        ctx.check(leman_dataset_from_smiles(ctx.get(), text.data(), nullptr, smiles.size(), options, nullptr, &data));
        return Dataset(data);
    }
    /* Generates graphs of a family (leman_dataset_generate()). */
    static Dataset generate(const Context &ctx, leman_family family, const leman_family_options *options = nullptr)
    {
        leman_dataset *data = nullptr;
        ctx.check(leman_dataset_generate(ctx.get(), family, options, &data));
        return Dataset(data);
    }
    /* Writes the data in the format that the ending of the path names (leman_dataset_write()). */
    void write(const Context &ctx, const std::string &path, leman_format format = LEMAN_FORMAT_AUTO) const
    {
        ctx.check(leman_dataset_write(ctx.get(), get(), path.c_str(), format));
    }
    /* Makes a data set of some graphs, in this order. */
    Dataset select(const Context &ctx, const std::vector<std::size_t> &which) const
    {
        static const std::size_t none = 0;
        leman_dataset *data = nullptr;
        ctx.check(leman_dataset_select(ctx.get(), get(), which.size(), which.empty() ? &none : which.data(), &data));
        return Dataset(data);
    }
    /* Makes a data set with these classes, one for each graph. */
    Dataset with_classes(const Context &ctx, const std::vector<std::int64_t> &classes) const
    {
        if (classes.size() != size())
            throw Error(LEMAN_ERROR_ARGUMENT, "classes: found " + std::to_string(classes.size()) + ", expected " +
                                                  std::to_string(size()) + ", one for each graph");
        leman_dataset *data = nullptr;
        ctx.check(leman_dataset_set_targets(ctx.get(), get(), classes.data(), nullptr, 0, &data));
        return Dataset(data);
    }

    std::size_t size() const noexcept
    {
        return leman_dataset_shape(get())->graphs;
    }
    const leman_shape &shape() const noexcept
    {
        return *leman_dataset_shape(get());
    }
    /* A view of graph i, valid as long as the data set; a graph without vertices if i is not below size(). */
    leman_graph operator[](std::size_t i) const noexcept
    {
        return leman_dataset_graph(get(), i);
    }
    /* The classes of all graphs; empty if the data has none. */
    std::vector<std::int64_t> classes() const
    {
        const std::int64_t *first = leman_dataset_classes(get());
        return first ? std::vector<std::int64_t>(first, first + size()) : std::vector<std::int64_t>();
    }
    const leman_dataset *get() const noexcept
    {
        return data_.get();
    }

  private:
    Owner<leman_dataset, leman_dataset_free> data_;
};

/* Builds a data set graph by graph (leman_builder). It must be destroyed before its context. */
class Builder
{
  public:
    Builder(const Context &ctx, const std::string &name, const leman_columns &columns = {}) : context_(ctx.get())
    {
        leman_builder *builder = nullptr;
        ctx.check(leman_builder_new(ctx.get(), name.c_str(), &columns, &builder));
        builder_.reset(builder);
    }
    /* Pointers may be null without such columns. */
    void graph(const std::int64_t *class_label = nullptr, const double *targets = nullptr, const char *name = nullptr)
    {
        check(leman_builder_graph(builder_.get(), name, class_label, targets));
    }
    void vertex(const std::int64_t *labels = nullptr, const double *attributes = nullptr, const char *name = nullptr)
    {
        check(leman_builder_vertex(builder_.get(), name, labels, attributes));
    }
    void edge(std::size_t tail, std::size_t head, const std::int64_t *labels = nullptr,
              const double *attributes = nullptr)
    {
        check(leman_builder_edge(builder_.get(), tail, head, labels, attributes));
    }
    /* Makes the data set, and leaves the builder empty. */
    Dataset finish(const leman_policy *policy = nullptr, leman_cleaning *cleaning = nullptr)
    {
        leman_dataset *data = nullptr;
        check(leman_builder_finish(builder_.get(), policy, cleaning, &data));
        return Dataset(data);
    }
    leman_builder *get() const noexcept
    {
        return builder_.get();
    }

  private:
    void check(leman_status status) const
    {
        if (status) throw Error(status, leman_context_message(context_), leman_context_errno(context_));
    }
    leman_context *context_;
    Owner<leman_builder, leman_builder_free> builder_;
};

/* ---- Colours --------------------------------------------------------------------------------- */

/* The colouring with this name: "delta-2-LWL", "1-WL" (leman_coloring_parse()). */
inline leman_coloring coloring(const Context &ctx, const std::string &name, std::uint32_t rounds = LEMAN_STABLE)
{
    leman_coloring found = leman_coloring_default();
    ctx.check(leman_coloring_parse(ctx.get(), name.c_str(), &found));
    found.rounds = rounds;
    return found;
}

/* The colours of all k-tuples of a graph after a round, the last vertex varying fastest (leman_tuple_colors()). */
inline std::vector<std::uint64_t> colors(const Context &ctx, const leman_graph &graph, const leman_coloring &coloring,
                                         std::uint32_t round)
{
    const std::size_t most = std::vector<std::uint64_t>().max_size();
    const unsigned k = coloring.k <= 32 ? coloring.k : 0; // the library refuses a larger one
    std::size_t tuples = 1;
    for (unsigned j = 0; j < k && tuples; j++) {
        if (graph.vertices && tuples > most / graph.vertices)
            throw Error(LEMAN_ERROR_BUDGET,
                        "the colours of all " + std::to_string(k) + "-tuples do not fit into memory");
        tuples *= graph.vertices;
    }
    std::vector<std::uint64_t> found(tuples ? tuples : 1);
    ctx.check(leman_tuple_colors(ctx.get(), &graph, &coloring, round, found.data()));
    found.resize(tuples);
    return found;
}

/* Whether, and after which round, a colouring distinguishes two graphs (leman_distinguish()). */
inline leman_difference distinguish(const Context &ctx, const leman_graph &a, const leman_graph &b,
                                    const leman_coloring &coloring, bool as_union = false)
{
    leman_difference difference{};
    ctx.check(leman_distinguish(ctx.get(), &a, &b, &coloring, as_union, &difference));
    return difference;
}

/* A text for each graph, equal for graphs that the colouring does not distinguish: "lm1:..." (leman_graph_hashes()). */
inline std::vector<std::string> hashes(const Context &ctx, const Dataset &data, const leman_coloring &coloring)
{
    std::vector<leman_graph_hash> found(data.size() + 1);
    ctx.check(leman_graph_hashes(ctx.get(), data.get(), &coloring, found.data()));
    std::vector<std::string> texts(data.size());
    for (std::size_t i = 0; i < texts.size(); i++) {
        char text[LEMAN_GRAPH_HASH_TEXT];
        leman_graph_hash_text(&found[i], text, sizeof text);
        texts[i] = text;
    }
    return texts;
}

/* ---- Kernels --------------------------------------------------------------------------------- */

/* A sum of kernels. */
using Kernels = std::vector<leman_kernel>;

/* The kernels of a text such as "delta-2-LWL + SP" (leman_kernels_parse()), with this number of rounds. */
inline Kernels kernels(const Context &ctx, const std::string &text, std::uint32_t rounds = 5)
{
    Kernels found(leman_kernels_count(text.c_str()), leman_kernel_default());
    leman_kernel none = leman_kernel_default();
    ctx.check(leman_kernels_parse(ctx.get(), text.c_str(), found.empty() ? &none : found.data(), found.size()));
    for (leman_kernel &kernel : found)
        if (!kernel.fixed_rounds) kernel.coloring.rounds = rounds;
    return found;
}

/* A dense matrix, row by row. */
struct Matrix {
    std::size_t rows = 0, columns = 0;
    std::vector<double> values;

    Matrix() = default;
    Matrix(std::size_t rows_, std::size_t columns_) : rows(rows_), columns(columns_)
    {
        if (columns && rows > values.max_size() / columns) throw std::bad_alloc();
        values.resize(rows * columns);
    }
    double operator()(std::size_t i, std::size_t j) const
    {
        return values[i * columns + j];
    }
    /* Never null, as the library asks. */
    double *data()
    {
        static double none = 0;
        return values.empty() ? &none : values.data();
    }
};

/* The Gram matrix of the data; with `against`, of the data (rows) and other graphs (columns) (leman_gram_compute()). */
inline Matrix gram(const Context &ctx, const Dataset &data, const Kernels &kernels, bool normalize = true,
                   const Dataset *against = nullptr)
{
    Matrix matrix(data.size(), against ? against->size() : data.size());
    ctx.check(leman_gram_compute(ctx.get(), data.get(), against ? against->get() : nullptr, kernels.data(),
                                 kernels.size(), normalize, matrix.data()));
    return matrix;
}

/* The feature vectors of graphs as a sparse matrix (leman_features). */
class Features
{
  public:
    explicit Features(leman_features *features) noexcept : features_(features) {}
    static Features compute(const Context &ctx, const Dataset &data, const Kernels &kernels,
                            const leman_feature_options &options = leman_feature_options_default())
    {
        leman_features *features = nullptr;
        ctx.check(leman_features_compute(ctx.get(), data.get(), kernels.data(), kernels.size(), &options, &features));
        return Features(features);
    }
    /* The features of other graphs in the columns of these. */
    Features transform(const Context &ctx, const Dataset &data, const Kernels &kernels,
                       leman_feature_options options = leman_feature_options_default()) const
    {
        options.columns = get();
        return compute(ctx, data, kernels, options);
    }
    /* Writes the matrix, with classes and targets of the data, in the format that the ending names. */
    void write(const Context &ctx, const Dataset &data, const std::string &path) const
    {
        ctx.check(leman_features_write(ctx.get(), get(), data.get(), path.c_str()));
    }
    /* rows, columns, entries, start, column and value of the matrix. */
    const leman_features *operator->() const noexcept
    {
        return features_.get();
    }
    const leman_features *get() const noexcept
    {
        return features_.get();
    }

  private:
    Owner<leman_features, leman_features_free> features_;
};

/* ---- Models ---------------------------------------------------------------------------------- */

/* What a model says about each graph (leman_model_predict()). */
struct Prediction {
    std::vector<std::int64_t> label; /* empty in a regression */
    std::vector<double> score;       /* in a regression the value */
    Matrix probability;              /* [graphs][classes], without columns in a regression */
    std::vector<double> out_of_vocabulary;
};

/* A support vector machine (leman_model). */
class Model
{
  public:
    explicit Model(leman_model *model) noexcept : model_(model) {}
    /* Selects rounds and C by cross-validation and fits to all graphs (leman_model_fit()). */
    static Model fit(const Context &ctx, const Dataset &data, const Kernels &kernels,
                     const leman_fit_options &options = leman_fit_options_default())
    {
        leman_model *model = nullptr;
        ctx.check(leman_model_fit(ctx.get(), data.get(), kernels.data(), kernels.size(), &options, &model));
        return Model(model);
    }
    static Model read(const Context &ctx, const std::string &path)
    {
        leman_model *model = nullptr;
        ctx.check(leman_model_read(ctx.get(), path.c_str(), &model));
        return Model(model);
    }
    void write(const Context &ctx, const std::string &path) const
    {
        ctx.check(leman_model_write(ctx.get(), get(), path.c_str()));
    }
    Prediction predict(const Context &ctx, const Dataset &data) const
    {
        const std::size_t graphs = data.size();
        Prediction found;
        if (!describe().regression) found.label.resize(graphs);
        found.score.resize(graphs);
        found.out_of_vocabulary.resize(graphs);
        found.probability = Matrix(graphs, describe().regression ? 0 : describe().classes);
        ctx.check(leman_model_predict(ctx.get(), get(), data.get(), found.label.data(), found.score.data(),
                                      describe().regression ? nullptr : found.probability.data(),
                                      found.out_of_vocabulary.data()));
        return found;
    }
    /* The selected rounds and C, the classes and the rest of what leman_model_describe() returns. */
    const leman_model_shape &describe() const noexcept
    {
        return *leman_model_describe(get());
    }
    const leman_model *get() const noexcept
    {
        return model_.get();
    }

  private:
    Owner<leman_model, leman_model_free> model_;
};

} // namespace leman

#endif
