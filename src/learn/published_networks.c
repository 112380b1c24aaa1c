/*
 * The published tables of networks, as printed: errors on ZINC, QM9 and Alchemy, accuracies on the small and the
 * mid-scale sets (with the kernels beside them), seconds of features, seconds of an epoch over those of delta-2-LGNN.
 * The last two mid-scale sets stand in for those of the paper and have no published results.
 */
#include "learn/published_networks.h"
#include "base/arguments.h"
#include <string.h>

/* clang-format off */
#define P(v, s) {LEMAN_CELL_STATE_NUMBER, false, true, v, s}
#define N(v) {LEMAN_CELL_STATE_NUMBER, false, false, v, 0}

static const char *const NAMES[LEMAN_NETWORK_TABLE_COUNT] = {"zinc", "qm9", "alchemy", "tu-networks", "mid-scale", "network-times"};

/* ---- Rows and columns ------------------------------------------------------------------------ */

static const char *const ON_TUPLES[] = {"GINE-eps", "2-WL-GNN", "delta-2-GNN", "delta-2-LGNN"};
static const char *const QM9_ROWS[] = {"GINE-eps", "MPNN", "1-2-GNN", "1-3-GNN", "1-2-3-GNN", "3-IGN", "delta-2-LGNN"};
static const char *const TU_ROWS[] = {"GIN-0", "GIN-eps"};
static const char *const MID_ROWS[] = {"1-WL", "GINE-0", "GINE-eps", "delta-2-LWL", "delta-2-LWL+"};
static const char *const TIME_ROWS[] = {"2-WL-GNN", "delta-2-GNN", "GINE-eps", "delta-2-LGNN"};

static const char *const ZINC_SETS[] = {"ZINC_10k", "ZINC_50k", "ZINC_full"}, *const QM9_SETS[] = {"QM9"};
static const char *const ALCHEMY_SETS[] = {"Alchemy_10k", "Alchemy_50k", "Alchemy_full"};
static const char *const TU_SETS[] = {"ENZYMES", "IMDB-BINARY", "IMDB-MULTI", "NCI1", "NCI109", "PTC_FM", "PROTEINS", "REDDIT-BINARY"};
static const char *const MID_SETS[] = {"Yeast", "YeastH", "UACC257", "UACC257H", "OVCAR-8", "OVCAR-8H", "Tox21_AHR", "Mutagenicity"};
static const char *const TIME_SETS[] = {"ZINC_10k", "Alchemy_10k"};

static const lm_network_set SETS[] = {
    {"ZINC_10k", "ZINC_10k", {"train.index", "val.index", "test.index"}, 500},
    {"ZINC_50k", "ZINC_full", {"split_train_50.index", "split_val_50.index", "test.index"}, 500},
    {"ZINC_full", "ZINC_full", {"train.index", "val.index", "test.index"}, 1000},
    {"QM9", "QM9", {NULL}, 1000},
    {"Alchemy_10k", "alchemy_full", {"train_al_10.index", "val_al_10.index", "test_al_10.index"}, 200},
    {"Alchemy_50k", "alchemy_full", {"train_al_50.index", "val_al_50.index", "test_al_50.index"}, 500},
    {"Alchemy_full", "alchemy_full", {NULL}, 1000},
    {"ENZYMES", "ENZYMES", {NULL}, 0}, {"IMDB-BINARY", "IMDB-BINARY", {NULL}, 0}, {"IMDB-MULTI", "IMDB-MULTI", {NULL}, 0},
    {"NCI1", "NCI1", {NULL}, 0}, {"NCI109", "NCI109", {NULL}, 0}, {"PTC_FM", "PTC_FM", {NULL}, 0},
    {"PROTEINS", "PROTEINS", {NULL}, 0}, {"REDDIT-BINARY", "REDDIT-BINARY", {NULL}, 0},
    {"Yeast", "Yeast", {NULL}, 0}, {"YeastH", "YeastH", {NULL}, 0}, {"UACC257", "UACC257", {NULL}, 0},
    {"UACC257H", "UACC257H", {NULL}, 0}, {"OVCAR-8", "OVCAR-8", {NULL}, 0}, {"OVCAR-8H", "OVCAR-8H", {NULL}, 0},
    {"Tox21_AHR", "Tox21_AHR", {NULL}, 0}, {"Mutagenicity", "Mutagenicity", {NULL}, 0},
};

static const char *const MAE[] = {"MAE"}, *const STANDARDISED[] = {"standardised MAE", "logMAE"};
static const char *const ACCURACY[] = {"accuracy", "seconds"}, *const RATIO[] = {"ratio", "seconds"};

#define COUNT(list) (sizeof(list) / sizeof *(list))
static const leman_network_table_shape SHAPES[LEMAN_NETWORK_TABLE_COUNT] = {
    {"ZINC: mean absolute error", COUNT(ON_TUPLES), COUNT(ZINC_SETS), 1, ON_TUPLES, ZINC_SETS, MAE},
    {"QM9: mean standardised absolute error", COUNT(QM9_ROWS), COUNT(QM9_SETS), 1, QM9_ROWS, QM9_SETS, STANDARDISED},
    {"Alchemy: mean standardised absolute error and its logarithm", COUNT(ON_TUPLES), COUNT(ALCHEMY_SETS), 2, ON_TUPLES, ALCHEMY_SETS, STANDARDISED},
    {"Small sets: test accuracy of networks in percent", COUNT(TU_ROWS), COUNT(TU_SETS), 1, TU_ROWS, TU_SETS, ACCURACY},
    {"Mid-scale sets: test accuracy in percent, seconds of features", COUNT(MID_ROWS), COUNT(MID_SETS), 2, MID_ROWS, MID_SETS, ACCURACY},
    {"Seconds of an epoch relative to δ-2-LGNN", COUNT(TIME_ROWS), COUNT(TIME_SETS), 2, TIME_ROWS, TIME_SETS, RATIO},
};

/* ---- Values ---------------------------------------------------------------------------------- */

static const leman_published_value ZINC[][3] = {
    {P(0.278, 0.022), P(0.145, 0.006), P(0.084, 0.004)},
    {P(0.399, 0.006), P(0.357, 0.017), P(0.133, 0.013)},
    {P(0.374, 0.022), P(0.150, 0.064), P(0.042, 0.003)},
    {P(0.306, 0.044), P(0.100, 0.005), P(0.045, 0.006)},
};
static const leman_published_value QM9[] = {P(0.081, 0.003), P(0.034, 0.001), P(0.068, 0.001), P(0.088, 0.007), P(0.062, 0.001), P(0.046, 0.001), P(0.029, 0.001)};
static const leman_published_value ALCHEMY[2][4][3] = {
    {{P(0.185, 0.007), P(0.127, 0.004), P(0.103, 0.001)},
     {P(0.149, 0.004), P(0.105, 0.001), P(0.093, 0.001)},
     {P(0.118, 0.001), P(0.085, 0.001), P(0.080, 0.001)},
     {P(0.122, 0.003), P(0.090, 0.001), P(0.083, 0.001)}},
    {{P(-1.864, 0.062), P(-2.415, 0.053), P(-2.956, 0.029)},
     {P(-2.609, 0.029), P(-3.139, 0.020), P(-3.394, 0.035)},
     {P(-2.679, 0.044), P(-3.239, 0.023), P(-3.516, 0.021)},
     {P(-2.573, 0.078), P(-3.176, 0.020), P(-3.476, 0.025)}},
};
static const leman_published_value TU[][8] = {
    {P(38.8, 1.7), P(72.7, 0.9), P(49.9, 0.8), P(78.5, 0.5), P(76.7, 0.8), P(58.2, 3.3), P(71.3, 0.9), P(89.8, 0.6)},
    {P(39.4, 1.7), P(72.9, 0.6), P(49.6, 0.9), P(78.6, 0.3), P(77.0, 0.5), P(57.7, 2.0), P(71.1, 0.8), P(90.3, 0.3)},
};
static const leman_published_value MID_SCALE[2][5][8] = {
    {{N(88.8), N(88.8), N(96.8), N(96.9), N(96.1), N(96.2)},
     {N(88.3), N(88.3), N(95.9), N(95.9), N(94.9), N(94.9)},
     {N(88.3), N(88.3), N(95.9), N(95.9), N(94.9), N(94.9)},
     {N(89.2), N(88.9), N(97.0), N(96.9), N(96.4), N(96.3)},
     {N(95.0), N(95.7), N(97.4), N(98.1), N(97.4), N(97.7)}},
    {{N(11), N(19), N(6), N(10), N(6), N(10)},
     {{0}},
     {{0}},
     {N(1499), N(5934), N(1024), N(3875), N(1033), N(4029)},
     {N(2627), N(7563), N(1299), N(4676), N(1344), N(4895)}},
};
static const leman_published_value TIMES[][2] = {{N(2.2), N(1.1)}, {N(2.5), N(1.7)}, {N(0.2), N(0.4)}, {N(1.0), N(1.0)}};
/* clang-format on */

leman_published_value leman_network_published(leman_network_table table, size_t quantity, size_t row, size_t column)
{
    const leman_network_table_shape *shape = leman_network_table_describe(table);
    const leman_published_value none = {0};
    if (!shape || quantity >= shape->quantities || row >= shape->rows || column >= shape->columns) return none;
    switch (table) {
    case LEMAN_NETWORK_TABLE_ZINC: return ZINC[row][column];
    case LEMAN_NETWORK_TABLE_QM9: return QM9[row];
    case LEMAN_NETWORK_TABLE_ALCHEMY: return ALCHEMY[quantity][row][column];
    case LEMAN_NETWORK_TABLE_TU: return TU[row][column];
    case LEMAN_NETWORK_TABLE_MID_SCALE: return MID_SCALE[quantity][row][column];
    case LEMAN_NETWORK_TABLE_TIMES: return quantity ? none : TIMES[row][column];
    }
    return none;
}

/* ---- Names ----------------------------------------------------------------------------------- */

const char *leman_network_table_name(leman_network_table table)
{
    return lm_names_get(LM_NAMES("table", NAMES, ), (int)table);
}

leman_status leman_network_table_parse(leman_context *ctx, const char *text, leman_network_table *table)
{
    return PARSE_ENUM(ctx, LM_NAMES("table", NAMES, ), text, table);
}

const leman_network_table_shape *leman_network_table_describe(leman_network_table table)
{
    return (unsigned)table < LEMAN_NETWORK_TABLE_COUNT ? SHAPES + table : NULL;
}

static const lm_network_set *set_named(const char *name)
{
    for (size_t i = 0; i < COUNT(SETS); i++)
        if (!strcmp(SETS[i].name, name)) return SETS + i;
    return NULL;
}

const char *leman_network_set_file(const char *set)
{
    const lm_network_set *found = set ? set_named(set) : NULL;
    return found ? found->file : NULL;
}

const lm_network_set *lm_network_set_of(leman_network_table table, size_t column)
{
    return set_named(SHAPES[table].set[column]);
}

bool lm_network_method_is_kernel(leman_network_table table, size_t row)
{
    return table == LEMAN_NETWORK_TABLE_MID_SCALE && strncmp(MID_ROWS[row], "GINE", 4);
}

const char *lm_network_method_known(leman_network_table table, size_t row)
{
    static const char *const KNOWN[][2] = {
        {"MPNN", "mpnn"}, {"1-2-GNN", "gnn12"}, {"1-3-GNN", "gnn13"}, {"1-2-3-GNN", "gnn123"}, {"3-IGN", "ppgn"}};
    const char *name = SHAPES[table].method[row];
    for (size_t i = 0; i < COUNT(KNOWN); i++)
        if (!strcmp(KNOWN[i][0], name)) return KNOWN[i][1];
    return name;
}
