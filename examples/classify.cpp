// Fits a model to the graphs of one file and classifies those of another, by leman.hpp.
//
//   g++ -std=c++17 examples/classify.cpp $(pkg-config --cflags --libs leman) -o classify
//   ./classify train.smi new.smi delta-2-LWL > classes.csv
//
// Prints a line for each graph: its number from 0, its class and the probability of this class. TRAIN needs classes; the
// kernel is WLOA unless a third word names another.
#include <leman.hpp>

#include <cstdio>

static void classify(const char *train, const char *fresh, const char *kernel)
{
    const leman::Context ctx;
    const leman::Dataset data = leman::Dataset::read(ctx, train);
    const leman::Model model = leman::Model::fit(ctx, data, leman::kernels(ctx, kernel));
    const leman::Prediction found = model.predict(ctx, leman::Dataset::read(ctx, fresh));
    const leman_model_shape &shape = model.describe();
    std::fprintf(stderr, "%u rounds, C = %g, %.1f %% in the cross-validation\n", static_cast<unsigned>(shape.rounds),
                 shape.C, shape.score);
    std::printf("graph,class,probability\n");
    for (std::size_t i = 0; i < found.label.size(); i++)
        for (std::size_t c = 0; c < shape.classes; c++)
            if (shape.class_label[c] == found.label[i])
                std::printf("%zu,%lld,%.6f\n", i, static_cast<long long>(found.label[i]), found.probability(i, c));
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc > 4) {
        std::fprintf(stderr, "usage: classify TRAIN NEW [KERNEL]\n");
        return 2;
    }
    try {
        classify(argv[1], argv[2], argc > 3 ? argv[3] : "WLOA");
    } catch (const std::exception &error) {
        std::fprintf(stderr, "classify: %s\n", error.what());
        return 1;
    }
    return 0;
}
