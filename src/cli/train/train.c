/* leman train: trains a network on classes or targets. */
#include "cli/train/train.h"
#include "cli/commands.h"
#include "cli/options/choices.h"
#include "cli/options/parts.h"
#include <math.h>
#include <string.h>

#define FIELD(member) offsetof(lm_train_options, member)

/* ---- Options --------------------------------------------------------------------------------- */

static const char *const IGNORABLE[] = {"vertex-labels", "edge-labels", "attributes", NULL};
static const char *const YES_NO[] = {"yes", "no", NULL};
static const char *const FOLLOWED[] = {"error", "accuracy", NULL};
static const char *const SCORES[] = {"accuracy", "balanced", "auc", NULL}; /* a subset of leman_score */
static const char *const LOG_ENDINGS[] = {".csv", ".json", NULL}, *const EXPORT_ENDINGS[] = {".npz", NULL};

static const lm_option NETWORK[] = {
    LM_ROW("algorithm", 'a', LM_TEXT, FIELD(model), "NAME", lm_choices_network_help, .old_name = "model",
           .suggestion = leman_architecture_known_name),
    LM_ROW("k", 'k', LM_UNSIGNED, FIELD(k), "N",
           "size of the tuples, 2 or 3, if the name of the algorithm does not include k (default: 2)", .min = 1,
           .max = 3),
    LM_ROW("preset", 0, LM_CHOICE, FIELD(preset), "NAME",
           "structure of the layers, readout and head, and all defaults below, as in the paper for this data set "
           "(default: tu for classes, zinc for targets)",
           .choices = lm_choices_presets),
    LM_LAYERS_ROW(FIELD(layers), "number of layers; with --folds a list that validation chooses from, such as 1-5"),
    LM_WIDTH_ROW(FIELD(width),
                 "width of the layers; with --folds a list that validation chooses from, such as 32,64,128"),
    LM_FLAG_ROW(
        "own-fourth", FIELD(own_fourth),
        "GINE with preset zinc: give the fourth layer its own weights (as published it shares those of the third)"),
    LM_ROW("ignore", 0, LM_SET, FIELD(ignore), "LIST", "ignore these, separated by commas", .choices = IGNORABLE),
    LM_FLAG_ROW("in-arcs", FIELD(in_arcs), "with --directed: also use incoming arcs, as a second kind of neighbour",
                .needs = "directed"),
    LM_ROW("coordinates", 0, LM_RANGES, FIELD(coordinates), "COLUMNS",
           "qm9: the vertex attributes that are a position, counted from 0, such as 13-15, which is the default for "
           "the attributes of QM9"),
    {0},
};

#define NUMBER_ROW(member, kind_, value_, low_, high_, resumes, words, option, argument, text)                         \
    {.name = option, .field = FIELD(number.member), .value = argument, .help = text, NUMBER_##kind_(low_, high_)},
#define NUMBER_COUNT(least, most) .kind = LM_UNSIGNED, .min = least, .max = most
#define NUMBER_REAL(least, most) .kind = LM_REAL, .low = least, .high = most

static const lm_option TRAINING[] = {
    LM_FLAG_ROW("classes", FIELD(classes),
                "learn the classes (the default where there are some, unless --target or a preset for targets is given "
                "and there are targets)"),
    LM_ROW("target", 0, LM_TEXTS, FIELD(targets), "LIST",
           "columns of targets to learn by their names or their numbers, which count from 0, such as logP, 3 or 0-11 "
           "(default: all, where classes are not learned)",
           .old_name = "targets"),
    LEMAN_TRAINING_NUMBERS(NUMBER_ROW) /* each row ends with a comma */
    LM_ROW("plateau", 0, LM_CHOICE, FIELD(plateau), "WHAT",
           "what the learning-rate schedule monitors: the validation error, or the validation accuracy treated as an "
           "error, as published for tu (default: error; with --folds accuracy)",
           .choices = FOLLOWED),
    LM_FLAG_ROW("square", FIELD(square), "learn targets by their squared error, not by the absolute one",
                .without = "classes class"),
    LM_ROW("scale-targets", 0, LM_CHOICE, FIELD(scale_targets), "WHAT",
           "learn targets with mean 0 and deviation 1 over the training part (default: yes; zinc: no)",
           .choices = YES_NO, .without = "classes class"),
    LM_ROW("score", 0, LM_CHOICE, FIELD(imbalance.score), "NAME",
           "for classes: choose the best epoch by this validation score (default: accuracy); the learning-rate "
           "schedule still monitors the error",
           .choices = SCORES, .without = "target"),
    LM_ROW("class-weights", 0, LM_TEXT, FIELD(imbalance.class_weights), "WHICH",
           "weights of the classes in the loss: balanced (graphs / (classes * graphs of the class), of the training "
           "part), none (the default), or numbers above 0 with commas, in the order of the classes; of several tasks "
           "two numbers for all, or balanced for each",
           .without = "target"),
    LM_FLAG_ROW(
        "recompute", FIELD(recompute),
        "recompute activations inside layers in the backward pass instead of storing them: less memory, more time"),
    LM_DEVICE_ROW,
    LM_PRECISION_ROWS,
    {0},
};

static const lm_option RESULTS[] = {
    LM_ROW("train", 0, LM_TEXT, FIELD(train), "FILE",
           "numbers of the training graphs, from 0 on, with commas or lines between them"),
    LM_ROW("val", 0, LM_TEXT, FIELD(val), "FILE", "numbers of the validation graphs", .needs = "train parts"),
    LM_ROW("test", 0, LM_TEXT, FIELD(test), "FILE", "numbers of the test graphs", .needs = "train parts"),
    LM_ROW("parts", 0, LM_TEXT, FIELD(parts), "SIZES",
           "sizes of consecutive parts of the data, such as train=220011,test=5000,val=24445: numbers in the files are "
           "relative to the start of their part, as in the lists of the ZINC benchmark, and a part without a file is "
           "taken whole; or lists: the train.index, val.index and test.index in the folder or zip of DATA",
           .without = "folds splits"),
    LM_ROW("val-share", 0, LM_REAL, FIELD(val_share), "X",
           "without files: the share of all graphs, at random, that validates (default: 0.1)", .high = 1,
           .without = "train parts folds splits"),
    LM_ROW("test-share", 0, LM_REAL, FIELD(test_share), "X", "without files: the share that tests (default: 0.1)",
           .high = 1, .without = "train parts folds splits"),
    LM_FOLDS_ROW(FIELD(folds), "N folds instead of one split: each is tested once, a tenth of the others validates and "
                               "chooses layers and width (default: 1-5 and 32,64,128)"),
    LM_ROW("repetitions", 0, LM_UNSIGNED, FIELD(repetitions), "N",
           "repeat the folds N times, each with another shuffle (default: 10)", .min = 1, .max = 10000,
           .needs = "folds splits"),
    LM_ROW("splits", 0, LM_TEXT, FIELD(splits), "FILE",
           "take folds and validation parts from FILE, which leman evaluate --write-splits writes"),
    LM_FLAG_ROW("scaffold", FIELD(scaffold),
                "keep molecules with the same Bemis-Murcko scaffold in one fold, and in one part of it",
                .needs = "folds", .without = "splits"),
    LM_ROW("runs", 0, LM_UNSIGNED, FIELD(runs), "N",
           "train N times on the same parts, each time from another random start, and report mean and deviation; "
           "run 3 keeps its checkpoint net.lmn in net.run3.lmn",
           .min = 1, .max = 10000, .without = "folds splits"),
    LM_ROW("checkpoint", 0, LM_TEXT, FIELD(checkpoint), "FILE",
           "keep the network and the state of the run here, after every epoch; leman predict reads it", .written = true,
           .endings = LM_OWN_ENDINGS),
    LM_FLAG_ROW("resume", FIELD(resume), "go on from the checkpoint, as if there had been no interruption",
                .needs = "checkpoint"),
    LM_ROW("log", 0, LM_TEXT, FIELD(log), "FILE", "all epochs so far, after every epoch: LOG.csv or LOG.json",
           .written = true, .endings = LOG_ENDINGS),
    LM_ROW("export", 0, LM_TEXT, FIELD(export), "FILE",
           "export the network for another implementation: weights of the best epoch by name, labels, types, scaling, "
           "settings and steps: W.npz; with --epochs 0 the initial weights",
           .written = true, .endings = EXPORT_ENDINGS),
    LM_ROW("report", 0, LM_TEXT, FIELD(report), "FILE",
           "a page of figures for the browser as well: FILE.html (training curves, predicted against true values)",
           .written = true, .endings = LM_PAGE_ENDINGS),
    LM_RESULT_ROW,
    {0},
};

static void prepare(void *options)
{
    lm_train_options *o = options;
    o->val_share = o->test_share = 0.1;
}

/* ---- From options to a training -------------------------------------------------------------- */

/* Reads --target, given once or several times: lists all columns in their order. */
static leman_status read_targets(leman_context *ctx, const lm_texts *texts, const leman_dataset *data, size_t **out,
                                 size_t *out_count)
{
    const char *const *text = texts->text.items;
    size_t *list = NULL, length = 1;
    char *joined = NULL;
    for (size_t i = 0; i < texts->text.count; i++) length += strlen(text[i]) + 1;
    PASS_SCRATCH(ctx, joined, length);
    PASS_SCRATCH(ctx, list, leman_dataset_shape(data)->columns->targets);
    *joined = 0;
    for (size_t i = 0; i < texts->text.count; i++) strcat(strcat(joined, i ? "," : ""), text[i]);
    PASS(leman_dataset_target_list(ctx, data, joined, list, out_count));
    *out = list;
    return LEMAN_OK;
}

static leman_status read_training(lm_work *work, const lm_train_options *o, lm_train_result *r)
{
    leman_context *ctx = work->ctx;
    leman_training *t = &r->training;
    PASS(lm_train_architecture(work, o, r->data, &r->architecture));
    *t = leman_training_default(&r->architecture);
    t->classes = o->classes || (o->common.class_column && !lm_has_tasks(work));
    if (o->targets.text.count) PASS(read_targets(ctx, &o->targets, r->data, &r->targets, &t->target_count));
    t->targets = r->targets;
    if (lm_has_tasks(work)) PASS(lm_train_tasks(work, r));
#define SET_NUMBER(member, kind, value, low, high, resumes, words, option, argument, text)                             \
    if (lm_option_given(&o->common, option)) t->member = (NUMBER_TYPE_##kind)o->number.member;
#define NUMBER_TYPE_COUNT size_t
#define NUMBER_TYPE_REAL double
    LEMAN_TRAINING_NUMBERS(SET_NUMBER)
    if (o->scale_targets) t->scale_targets = !strcmp(o->scale_targets, "yes");
    if (o->square) t->loss = LEMAN_LOSS_L2;
    PASS(lm_imbalance_read(ctx, &o->imbalance, &t->score, &r->class_weight, &t->class_weights, &t->balanced_weights));
    t->class_weight = r->class_weight;
    r->class_weights = o->imbalance.class_weights ? o->imbalance.class_weights : "none";
    t->recompute = o->recompute;
    t->initial_weights = o->export != NULL;
    t->checkpoint = o->checkpoint;
    t->resume = o->resume;
    r->details = leman_paper_details_default();
    r->details.own_fourth_layer = o->own_fourth;
    r->details.plateau_on_accuracy = o->plateau && !strcmp(o->plateau, "accuracy");
    t->details = &r->details;
    return LEMAN_OK;
}

/* Checks the command line before anything is read. */
static leman_status check(const lm_work *work, const lm_train_options *o)
{
    leman_context *ctx = work->ctx;
    leman_architecture named = leman_architecture_default();
    if (lm_train_model(ctx, o, &named)) return LEMAN_ERROR_ARGUMENT;
    if (!o->parts && (!o->train != !o->val || (o->test && !o->train)))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "expected both --train and --val, with or without --test, or none of them");
    if (o->parts && !strcmp(o->parts, "lists") && (o->train || o->val || o->test))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "--parts lists takes the lists of DATA, expected it without --train, --val and --test");
    if (lm_train_by_folds(o) && (o->train || o->log || o->export || o->report))
        return lm_fail(
            ctx, LEMAN_ERROR_ARGUMENT,
            "%s trains many networks on many parts; it cannot be combined with --train, --log, --export or --report",
            o->folds ? "--folds" : "--splits");
    if (o->classes && lm_has_tasks(work))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found --classes and several tasks, expected one of them");
    if (o->classes && o->targets.text.count)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found --classes and --target, expected one of them");
    if (lm_class_or_target(ctx, &o->common, o->targets.text.count)) return LEMAN_ERROR_ARGUMENT;
    if (o->coordinates.range.count && (!o->preset || strcmp(o->preset, "qm9")))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "option '--coordinates': only the preset qm9 reads positions, expected --preset qm9");
    if (o->coordinates.range.count && o->ignore & LM_IGNORE_ATTRIBUTES)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found --coordinates and --ignore attributes, expected one of them");
    if (lm_option_given(&o->common, "epochs") && !o->number.epochs && (o->report || o->runs || o->checkpoint))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "--epochs 0 trains nothing; it cannot be combined with --checkpoint, --report or --runs");
    return LEMAN_OK;
}

/* Draws parts at random. If the data comes with lists of a benchmark, logs that they are not used. */
static leman_status draw_parts(leman_context *ctx, const lm_train_options *o, size_t graphs, leman_parts **parts)
{
    const char *path = o->common.operand[0];
    bool listed;
    PASS(leman_parts_are_listed(ctx, path, &listed));
    if (listed)
        lm_log(ctx,
               "%s: parts are drawn at random; --parts lists takes its train.index, val.index and test.index instead",
               path);
    return leman_parts_draw(ctx, graphs, o->val_share, o->test_share, parts);
}

/* Determines which graphs train, validate and test: random shares, files, lists of the data, or sizes of parts. */
static leman_status choose_parts(leman_context *ctx, const lm_train_options *o, lm_train_result *r)
{
    const size_t graphs = leman_dataset_shape(r->data)->graphs;
    size_t first[3] = {0}, count[3] = {0};
    if (o->parts && !strcmp(o->parts, "lists")) {
        PASS(leman_parts_listed(ctx, o->common.operand[0], graphs, &r->parts));
    } else if (o->parts) {
        PASS(lm_parts_sizes(ctx, o->parts, false, graphs, first, count));
        PASS(leman_parts_read_inside(ctx, graphs, first, count, o->train, o->val, o->test, &r->parts));
    } else if (o->train) {
        PASS(leman_parts_read(ctx, graphs, o->train, o->val, o->test, &r->parts));
    } else {
        PASS(draw_parts(ctx, o, graphs, &r->parts));
    }
    return LEMAN_OK;
}

/* ---- The run --------------------------------------------------------------------------------- */

/* State of the function that is called after every epoch. */
typedef struct observer {
    lm_work *work;
    const lm_train_options *options;
    const lm_train_result *result;
    bool announced;  /* the estimated time was logged */
    leman_status st; /* status of writing the log */
} observer;

/* Called after the first epoch. If all epochs will take minutes, logs how long, and what is faster. */
static void announce(const observer *o, double epoch)
{
    static const double PATIENCE = 120; /* seconds */
    const leman_architecture *a = &o->result->architecture;
    const uint64_t runs = o->options->runs ? o->options->runs : 1;
    const double each = (double)o->result->training.epochs, epochs = each * (double)runs;
    char name[64];
    if (epoch * epochs <= PATIENCE) return;
    const double affordable = fmax(10, floor(PATIENCE / epoch / (double)runs)); /* fewer epochs learn little */
    leman_architecture_paper_name(a, name, sizeof name);
    lm_work_log(o->work, "%s: the first epoch took %s, %.0f epochs will take up to %s; quicker: --epochs %.0f%s%s",
                name, SECONDS_TEXT(epoch), epochs, SECONDS_TEXT(epoch * epochs), fmin(affordable, each),
                a->width && a->width <= 16 ? "" : ", --width 16", leman_architecture_k(a) > 1 ? ", -a GIN-eps" : "");
}

static bool after_epoch(void *user, const leman_history *history)
{
    observer *o = user;
    leman_context *ctx = o->work->ctx;
    const char *log = o->options->log;
    if (!o->announced) announce(o, history->epoch[history->epochs - 1].seconds);
    o->announced = true;
    if (log) o->st = (o->options->runs ? lm_train_run_log : lm_train_log)(ctx, history, log);
    return !o->st;
}

static leman_status write_page(lm_work *work, const char *path, const lm_train_result *r)
{
    char *line = NULL;
    PASS(lm_command_line(work, &line));
    PASS(r->runs ? leman_runs_page_write(work->ctx, r->data, r->parts, r->network, r->runs, line, path)
                 : leman_training_page_write(work->ctx, r->data, r->parts, r->network, r->history, line, path));
    lm_work_log(work, "%s: wrote the report", path);
    return LEMAN_OK;
}

static leman_status train_one(lm_work *work, const lm_train_options *o, lm_train_result *r)
{
    leman_context *ctx = work->ctx;
    PASS(leman_train(ctx, r->data, r->parts, &r->architecture, &r->training, &r->network, &r->history));
    if (o->log && r->history->epochs == r->history->resumed) PASS(lm_train_log(ctx, r->history, o->log));
    return LEMAN_OK;
}

static leman_status train_and_write(lm_work *work, const lm_train_options *o, lm_train_result *r)
{
    leman_context *ctx = work->ctx;
    observer watch = {.work = work, .options = o, .result = r};
    r->training.on_epoch = after_epoch;
    r->training.user = &watch;
    const double began = lm_now();
    PASS((o->runs ? lm_train_runs : train_one)(work, o, r));
    PASS(watch.st);
    r->seconds = lm_now() - began;
    if (o->export) PASS(leman_network_export(ctx, r->network, o->export));
    if (o->report) PASS(write_page(work, o->report, r));
    return lm_train_write(work, r);
}

static leman_status train_run(lm_work *work, const void *options)
{
    leman_status st = LEMAN_OK;
    const lm_train_options *o = options;
    leman_context *ctx = work->ctx;
    lm_train_result result = {0};
    work->several_classes = true;
    TRY(check(work, o));
    TRY(lm_work_read(work, o->common.operand[0], NULL, &result.data));
    TRY(read_training(work, o, &result));
    if (lm_train_by_folds(o)) {
        TRY(lm_train_folds(work, o, &result));
        goto done;
    }
    TRY(choose_parts(ctx, o, &result));
    TRY(train_and_write(work, o, &result));
done:
    if (!result.runs) leman_history_free(result.history);
    leman_runs_free(result.runs);
    leman_network_free(result.network);
    leman_parts_free(result.parts);
    leman_dataset_free(result.data);
    return st;
}

const lm_command lm_command_train = {
    .name = "train",
    .summary = "train a graph neural network on classes or targets",
    .description = LM_HELP_TRAIN,
    .operand = {{"DATA", NULL}},
    .required = 1,
    .ranks = true,
    .common = "algorithm epochs target checkpoint report",
    .groups = {{"Network", NETWORK},
               {"Training", TRAINING},
               {"Parts and results", RESULTS},
               {"Reading", LM_READING_CLASS_OPTIONS},
               {"General", LM_GENERAL_OPTIONS}},
    .examples = {{"leman train MUTAG.zip --width 16 --epochs 5 --checkpoint net.lmn",
                  "delta-2-LGNN on the classes of a data set"},
                 {"leman train train.zip --target 0 -a GINE-eps --epochs 5 --log log.csv",
                  "the first target, by a network on vertices"},
                 {"leman train MUTAG.zip -a GIN-eps --folds 5 --repetitions 1 --epochs 3",
                  "folds, with layers and width by validation"}},
    .size = sizeof(lm_train_options),
    .prepare = prepare,
    .run = train_run,
};
