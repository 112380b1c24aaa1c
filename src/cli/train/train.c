/* leman train: trains a network on classes or targets. */
#include "cli/train/train.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/networks.h"
#include "cli/options/choices.h"
#include "cli/options/coloring.h"
#include "cli/process.h"
#include <math.h>
#include <string.h>

#define FIELD(member) offsetof(lm_train_options, member)

/* ---- Options --------------------------------------------------------------------------------- */

static const char *const YES_NO[] = {"yes", "no", NULL};
static const char *const TUPLES[] = {"all", "connected", "components:1", "components:2", "components:3", NULL};
static const char *const USES[] = {"none", "raw", "standardized", NULL};
static const char *const FOLLOWED[] = {"error", "accuracy", NULL};
static const char *const SCORES[] = {"accuracy", "balanced", "auc", NULL}; /* a subset of leman_score */
static const char *const LOG_ENDINGS[] = {".csv", ".json", NULL}, *const EXPORT_ENDINGS[] = {".npz", NULL};

static const lm_option NETWORK[] = {
    LM_ROW("algorithm", 'a', LM_TEXT, FIELD(model), "NAME", lm_choices_network_help, .old_name = "model",
           .suggestion = leman_architecture_known_name),
    LM_ROW("k", 'k', LM_UNSIGNED, FIELD(k), "N", HELP_TRAIN_K, .min = 1, .max = 3),
    LM_ROW("preset", 0, LM_CHOICE, FIELD(preset), "NAME", HELP_TRAIN_PRESET, .choices = lm_choices_presets),
    LM_LAYERS_ROW(FIELD(layers), HELP_TRAIN_LAYERS),
    LM_WIDTH_ROW(FIELD(width), HELP_TRAIN_WIDTH),
    LM_FLAG_ROW("own-fourth", FIELD(own_fourth), HELP_TRAIN_OWN_FOURTH),
    LM_ROW("ignore", 0, LM_SET, FIELD(ignore), "LIST", HELP_TRAIN_IGNORE, .choices = LM_IGNORABLE),
    LM_ROW("attributes", 0, LM_CHOICE, FIELD(attributes), "HOW", HELP_TRAIN_ATTRIBUTES, .choices = USES),
    LM_ROW("encode", 0, LM_TEXT, FIELD(encode), "LIST", HELP_TRAIN_ENCODE),
    LM_ROW("tuples", 0, LM_CHOICE, FIELD(tuples), "SET", HELP_TRAIN_TUPLES, .choices = TUPLES),
    LM_FLAG_ROW("in-arcs", FIELD(in_arcs), HELP_TRAIN_IN_ARCS, .needs = "directed"),
    LM_ROW("coordinates", 0, LM_RANGES, FIELD(coordinates), "COLUMNS", HELP_TRAIN_COORDINATES),
    {0},
};

#define NUMBER_ROW(member, kind_, value_, low_, high_, resumes, words, option, argument, text)                         \
    {.name = option, .field = FIELD(number.member), .value = argument, .help = text, NUMBER_##kind_(low_, high_)},
#define NUMBER_COUNT(least, most) .kind = LM_UNSIGNED, .min = least, .max = most
#define NUMBER_REAL(least, most) .kind = LM_REAL, .low = least, .high = most

static const lm_option TRAINING[] = {
    LM_FLAG_ROW("classes", FIELD(classes), HELP_TRAIN_CLASSES),
    LM_ROW("target", 0, LM_TEXTS, FIELD(targets), "LIST", HELP_TRAIN_TARGET, .old_name = "targets"),
    LM_ROW("level", 0, LM_CHOICE, FIELD(level), "LEVEL", HELP_TRAIN_LEVEL, .choices = lm_choices_levels,
           .without = "classes class folds splits report"),
    LEMAN_TRAINING_NUMBERS(NUMBER_ROW) /* each row ends with a comma */
    LM_ROW("schedule", 0, LM_CHOICE, FIELD(schedule), "NAME", HELP_TRAIN_SCHEDULE, .choices = lm_choices_schedules),
    LM_ROW("plateau", 0, LM_CHOICE, FIELD(plateau), "WHAT", HELP_TRAIN_PLATEAU, .choices = FOLLOWED),
    LM_FLAG_ROW("square", FIELD(square), HELP_TRAIN_SQUARE, .without = "classes class"),
    LM_ROW("scale-targets", 0, LM_CHOICE, FIELD(scale_targets), "WHAT", HELP_TRAIN_SCALE_TARGETS, .choices = YES_NO,
           .without = "classes class"),
    LM_ROW("score", 0, LM_CHOICE, FIELD(imbalance.score), "NAME", HELP_TRAIN_SCORE, .choices = SCORES,
           .without = "target"),
    LM_ROW("class-weights", 0, LM_TEXT, FIELD(imbalance.class_weights), "WHICH", HELP_TRAIN_CLASS_WEIGHTS,
           .without = "target"),
    LM_FLAG_ROW("recompute", FIELD(recompute), HELP_TRAIN_RECOMPUTE),
    LM_DEVICE_ROW,
    LM_PRECISION_ROWS,
    {0},
};

static const lm_option RESULTS[] = {
    LM_ROW("train", 0, LM_TEXT, FIELD(train), "FILE", HELP_TRAIN_TRAIN),
    LM_ROW("val", 0, LM_TEXT, FIELD(val), "FILE", HELP_TRAIN_VAL, .needs = "train parts"),
    LM_ROW("test", 0, LM_TEXT, FIELD(test), "FILE", HELP_TRAIN_TEST, .needs = "train parts"),
    LM_ROW("parts", 0, LM_TEXT, FIELD(parts), "SIZES", HELP_TRAIN_PARTS, .without = "folds splits"),
    LM_ROW("val-share", 0, LM_REAL, FIELD(val_share), "X", HELP_TRAIN_VAL_SHARE, .high = 1,
           .without = "train parts folds splits"),
    LM_ROW("test-share", 0, LM_REAL, FIELD(test_share), "X", HELP_TRAIN_TEST_SHARE, .high = 1,
           .without = "train parts folds splits"),
    LM_FOLDS_ROW(FIELD(folds), HELP_TRAIN_FOLDS),
    LM_ROW("repetitions", 0, LM_UNSIGNED, FIELD(repetitions), "N", HELP_TRAIN_REPETITIONS, .min = 1, .max = 10000,
           .needs = "folds splits"),
    LM_ROW("splits", 0, LM_TEXT, FIELD(splits), "FILE", HELP_TRAIN_SPLITS),
    LM_FLAG_ROW("scaffold", FIELD(scaffold), HELP_TRAIN_SCAFFOLD, .needs = "folds", .without = "splits"),
    LM_ROW("runs", 0, LM_UNSIGNED, FIELD(runs), "N", HELP_TRAIN_RUNS, .min = 1, .max = 10000,
           .without = "folds splits"),
    LM_WRITTEN_ROW("checkpoint", FIELD(checkpoint), HELP_TRAIN_CHECKPOINT, LM_OWN_ENDINGS),
    LM_FLAG_ROW("resume", FIELD(resume), HELP_TRAIN_RESUME, .needs = "checkpoint"),
    LM_WRITTEN_ROW("log", FIELD(log), HELP_TRAIN_LOG, LOG_ENDINGS),
    LM_WRITTEN_ROW("export", FIELD(export), HELP_TRAIN_EXPORT, EXPORT_ENDINGS),
    LM_WRITTEN_ROW("report", FIELD(report), HELP_TRAIN_REPORT, LM_PAGE_ENDINGS),
    LM_RESULT_ROW,
    {0},
};

static void prepare(void *options)
{
    lm_train_options *o = options;
    o->val_share = o->test_share = 0.1;
}

/* ---- The network ----------------------------------------------------------------------------- */

/* Returns the single number of a list, or 0 if the option was not given. Fails if there are several. */
static leman_status single(leman_context *ctx, const lm_ranges *ranges, const char *name, size_t *out)
{
    const lm_range *range = ranges->range.items;
    *out = 0;
    if (!ranges->range.count) return LEMAN_OK;
    if (ranges->range.count > 1 || range->first != range->last)
        return MISUSE(ctx, "option '--%s': found a list, expected one number without --folds or --splits", name);
    *out = (size_t)range->first;
    return LEMAN_OK;
}

/* Reads the network and its k from -a and -k. */
static leman_status read_model(leman_context *ctx, const lm_train_options *o, leman_architecture *a)
{
    const unsigned usual = a->k;
    if (o->model) {
        a->k = 0;
        PASS(lm_method_suggested(ctx, leman_architecture_parse(ctx, o->model, a), o->model));
        PASS(lm_k_check(ctx, o->model, a->k, o->k));
    }
    if (!o->model || !a->k) a->k = o->k ? (unsigned)o->k : usual;
    if (o->tuples) a->components = lm_tuples_components(o->tuples);
    if (o->encode && !o->model) a->kind = LEMAN_NETWORK_KIND_FOLKLORE2; /* delta-2-LGNN has no encodings of pairs */
    return o->encode ? leman_architecture_encode(ctx, o->encode, a) : LEMAN_OK;
}

/* Returns true if the network computes distances from positions. PPGN uses attributes as they are. */
static bool reads_distances(const leman_architecture *a)
{
    return a->preset == LEMAN_PRESET_QM9 && a->kind != LEMAN_NETWORK_KIND_PPGN;
}

/* Determines which vertex attributes are a position, and whether some of them repeat the labels. */
static leman_status read_attributes(leman_context *ctx, const lm_train_options *o, const leman_dataset *data,
                                    leman_architecture *a)
{
    static const char COMPANION[] = "those of QM9 are in QM9_node_attributes.zip, to be unpacked into the same folder";
    const size_t columns = leman_dataset_shape(data)->columns->vertex_attributes;
    const lm_range *at = o->coordinates.range.items;
    bool known;
    if (at && !columns)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "option '--coordinates': the data has no vertex attributes, expected some; %s", COMPANION);
    if (at && (o->coordinates.range.count > 1 || at->last >= columns))
        return lm_fail(
            ctx, LEMAN_ERROR_INPUT,
            "option '--coordinates': expected one range of the %zu column%s of vertex attributes, which count from 0, "
            "such as 0-2",
            columns, lm_plural(columns));
    if (at) {
        a->first_coordinate = (size_t)at->first;
        a->coordinates = (size_t)(at->last - at->first + 1);
    }
    if ((o->attributes || o->level) && a->preset != LEMAN_PRESET_QM9) return LEMAN_OK; /* as the user asked */
    PASS(leman_architecture_attributes(ctx, data, a, &known));
    if (known || (columns && !reads_distances(a))) return LEMAN_OK;
    if (!columns)
        return lm_fail(
            ctx, LEMAN_ERROR_INPUT,
            "the preset qm9 computes distances from vertex attributes, and the data has none; %s; --ignore attributes "
            "trains without",
            COMPANION);
    return lm_fail(
        ctx, LEMAN_ERROR_INPUT,
        "the preset qm9 computes distances, and it is not known which of the %zu vertex attributes are a position; "
        "expected --coordinates, such as 13-15, or --ignore attributes",
        columns);
    return LEMAN_OK;
}

/* Logs the given options that the network does not have. */
static void remark(lm_work *work, const lm_train_options *o, const leman_architecture *a)
{
    const bool gine = a->kind == LEMAN_NETWORK_KIND_GINE || a->kind == LEMAN_NETWORK_KIND_GINE0;
    char name[96];
    leman_architecture_paper_name(a, name, sizeof name);
    if (o->k && !lm_network_takes_k(a)) lm_work_log(work, "-k changes nothing: %s has no k", name);
    if (o->coordinates.range.count && !reads_distances(a))
        lm_work_log(work, "--coordinates changes nothing: %s reads positions as they are, not distances", name);
    if (!o->own_fourth || (gine && a->preset == LEMAN_PRESET_ZINC && (!a->layers || a->layers > 3))) return;
    lm_work_log(work, "--own-fourth changes nothing: only GINE-0 and GINE-eps of the preset zinc, with four layers or "
                      "more, use a layer twice");
}

/* Reads the whole architecture for the data. */
static leman_status read_architecture(lm_work *work, const lm_train_options *o, const leman_dataset *data,
                                      leman_level level, leman_architecture *out)
{
    leman_context *ctx = work->ctx;
    leman_architecture a = leman_architecture_default();
    PASS(read_model(ctx, o, &a));
    a.preset = o->classes || o->common.class_column ? LEMAN_PRESET_TU
               : o->targets.text.count || level     ? LEMAN_PRESET_ZINC
                                                    : leman_preset_for(data);
    if (o->preset) PASS(leman_preset_parse(ctx, o->preset, &a.preset));
    if (!lm_train_by_folds(o)) PASS(single(ctx, &o->layers, "layers", &a.layers));
    if (!lm_train_by_folds(o)) PASS(single(ctx, &o->width, "width", &a.width));
    a.ignore_vertex_labels = (o->ignore & LM_IGNORE_VERTEX_LABELS) != 0;
    a.ignore_edge_labels = (o->ignore & LM_IGNORE_EDGE_LABELS) != 0;
    a.ignore_attributes = (o->ignore & LM_IGNORE_ATTRIBUTES) != 0;
    if (o->attributes) PASS(leman_attribute_use_parse(ctx, o->attributes, &a.attributes));
    if (a.attributes == LEMAN_ATTRIBUTE_USE_NONE) a.ignore_attributes = true;
    a.in_arcs = o->in_arcs;
    PASS(read_attributes(ctx, o, data, &a));
    *out = a;
    return LEMAN_OK;
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

/* Of the columns of a table of molecules, some are nothing to learn, such as numbers of molecules: if there are several, the
 * user chooses. Targets of other formats were written to be learned. */
static leman_status require_choice(leman_context *ctx, const lm_train_options *o, const lm_train_result *r)
{
    const size_t columns = leman_dataset_shape(r->data)->columns->targets;
    char list[512];
    lm_joined names = lm_joined_begin(list, sizeof list); /* "0 (logP), 1 (batch)" */
    if (r->architecture.preset == LEMAN_PRESET_TU || r->level || o->targets.text.count || columns < 2 ||
        !(leman_dataset_reading(r->data) & LEMAN_READING_MOLECULES))
        return LEMAN_OK;
    for (size_t i = 0, bytes; i < columns; i++) {
        const char *name = leman_dataset_target_name(r->data, i, &bytes);
        lm_joined_add(&names, bytes ? "%s%zu (%.*s)" : "%s%zu", i ? ", " : "", i, (int)bytes, name);
    }
    return lm_fail(ctx, LEMAN_ERROR_INPUT,
                   "%s: found no --target and more than one column of numbers, expected one of the columns %s, or "
                   "several that are "
                   "learned together, such as --target 0-%zu",
                   o->common.operand[0], list, columns - 1);
}

/* Determines what is predicted, and the columns that are learned. */
static leman_status read_level(leman_context *ctx, const lm_train_options *o, lm_train_result *r)
{
    if (o->level) PASS(leman_level_parse(ctx, o->level, &r->level));
    PASS(leman_dataset_rows(ctx, r->data, r->level, &r->rows));
    if (o->targets.text.count) PASS(read_targets(ctx, &o->targets, r->rows, &r->targets, &r->target_count));
    const size_t columns = r->targets ? r->target_count : leman_dataset_shape(r->rows)->columns->targets;
    if (r->level) *(r->level == LEMAN_LEVEL_EDGE ? &r->learned.edges : &r->learned.vertices) = columns;
    return LEMAN_OK;
}

/* Sets the training of result->architecture. */
static leman_status set_training(lm_work *work, const lm_train_options *o, lm_train_result *r)
{
    leman_context *ctx = work->ctx;
    leman_training *t = &r->training;
    *t = leman_training_default(&r->architecture);
    t->level = r->level;
    t->target_count = r->target_count;
    t->classes = o->classes || (o->common.class_column && !lm_has_tasks(work));
    t->targets = r->targets;
    if (lm_has_tasks(work)) PASS(lm_train_tasks(work, r));
#define SET_NUMBER(member, kind, value, low, high, resumes, words, option, argument, text)                             \
    if (lm_option_given(&o->common, option)) t->member = (NUMBER_TYPE_##kind)o->number.member;
#define NUMBER_TYPE_COUNT size_t
#define NUMBER_TYPE_REAL double
    LEMAN_TRAINING_NUMBERS(SET_NUMBER)
    if (o->schedule) PASS(leman_schedule_parse(ctx, o->schedule, &t->schedule));
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

/* Determines network and training. Logs which given options the network does not have. */
static leman_status read_training(lm_work *work, const lm_train_options *o, lm_train_result *r)
{
    const leman_architecture *a = &r->architecture;
    PASS(lm_train_chooses(o, r) ? lm_train_choose(work, o, set_training, r) : set_training(work, o, r));
    remark(work, o, a);
    return lm_network_attributes_log(work, r->data, a, o->attributes || a->ignore_attributes, &r->learned);
}

/* Checks that every option of the learning rate belongs to its schedule. */
static leman_status check_schedule(leman_context *ctx, const lm_train_options *o)
{
    static const struct {
        const char *option, *schedule;
    } OWN[] = {{"patience", "plateau"}, {"plateau", "plateau"}, {"min-lr", "cosine"}};
    const char *schedule = o->schedule ? o->schedule : leman_schedule_name(LEMAN_SCHEDULE_PLATEAU);
    for (size_t i = 0; i < sizeof OWN / sizeof *OWN; i++)
        if (lm_option_given(&o->common, OWN[i].option) && strcmp(OWN[i].schedule, schedule))
            return MISUSE(ctx, "option '--%s' has no effect on the schedule %s, expected --schedule %s", OWN[i].option,
                          schedule, OWN[i].schedule);
    return LEMAN_OK;
}

/* Checks the command line before anything is read. */
static leman_status check(const lm_work *work, const lm_train_options *o)
{
    leman_context *ctx = work->ctx;
    leman_architecture named = leman_architecture_default();
    if (read_model(ctx, o, &named)) return LEMAN_ERROR_ARGUMENT;
    if (!o->parts && (!o->train != !o->val || (o->test && !o->train)))
        return MISUSE(ctx, "expected both --train and --val, with or without --test, or none of them");
    if (o->parts && !strcmp(o->parts, "lists") && (o->train || o->val || o->test))
        return MISUSE(ctx, "--parts lists takes the lists of DATA, expected it without --train, --val and --test");
    if (lm_train_by_folds(o) && (o->train || o->log || o->export || o->report))
        return MISUSE(
            ctx,
            "%s trains many networks on many parts; it cannot be combined with --train, --log, --export or --report",
            o->folds ? "--folds" : "--splits");
    if (o->classes && lm_has_tasks(work)) return MISUSE(ctx, "found --classes and several tasks, expected one of them");
    if (o->classes && o->targets.text.count) return MISUSE(ctx, "found --classes and --target, expected one of them");
    if (lm_class_or_target(ctx, &o->common, o->targets.text.count)) return LEMAN_ERROR_ARGUMENT;
    if (check_schedule(ctx, o)) return LEMAN_ERROR_ARGUMENT;
    if (o->coordinates.range.count && (!o->preset || strcmp(o->preset, "qm9")))
        return MISUSE(ctx, "option '--coordinates': only the preset qm9 reads positions, expected --preset qm9");
    if (o->coordinates.range.count && o->ignore & LM_IGNORE_ATTRIBUTES)
        return MISUSE(ctx, "found --coordinates and --ignore attributes, expected one of them");
    if (o->attributes && strcmp(o->attributes, "none") && o->ignore & LM_IGNORE_ATTRIBUTES)
        return MISUSE(ctx, "found --attributes %s and --ignore attributes, expected one of them", o->attributes);
    if (o->attributes && !strcmp(o->attributes, "standardized") && o->preset && !strcmp(o->preset, "qm9"))
        return MISUSE(ctx, "option '--attributes': the preset qm9 reads attributes as they are, expected raw or none");
    if (lm_option_given(&o->common, "epochs") && !o->number.epochs && (o->report || o->runs || o->checkpoint))
        return MISUSE(ctx, "--epochs 0 trains nothing; it cannot be combined with --checkpoint, --report or --runs");
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
    char name[96];
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
    if (o->st) return false; /* of an earlier run: false ends one run only */
    if (log) o->st = (o->options->runs ? lm_train_run_log : lm_train_log)(ctx, history, log);
    if (o->st == LEMAN_ERROR_CANCELLED) o->st = LEMAN_OK; /* ends the training, too, which writes the log again */
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

leman_status lm_train_kept(lm_work *work, const lm_train_options *o, leman_status st, const lm_train_result *r)
{
    const leman_history *h = r->history;
    if ((st && st != LEMAN_ERROR_CANCELLED) || !lm_process_interrupted() || !r->network || h->best == SIZE_MAX ||
        lm_has_ranks(work->ctx))
        return st;
    const char *more = o->checkpoint ? "; --resume goes on" : "";
    const unsigned long long best = h->epoch[h->best].epoch;
    if (r->runs)
        lm_work_stopped(work, "the results are those of %zu of %llu runs, with epoch %llu of run %zu the best%s",
                        r->runs->runs, (unsigned long long)o->runs, best, h->run, more);
    else
        lm_work_stopped(work, "the results are those of epoch %llu, the best of %zu%s", best, h->epochs, more);
    return LEMAN_OK;
}

static leman_status train_one(lm_work *work, const lm_train_options *o, lm_train_result *r)
{
    leman_context *ctx = work->ctx;
    PASS(lm_train_kept(
        work, o, leman_train(ctx, r->data, r->parts, &r->architecture, &r->training, &r->network, &r->history), r));
    if (o->log && (*work->stopped || r->history->epochs == r->history->resumed))
        PASS(lm_train_log(ctx, r->history, o->log));
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
    TRY(read_level(ctx, o, &result));
    TRY(read_architecture(work, o, result.data, result.level, &result.architecture));
    TRY(require_choice(ctx, o, &result));
    if (!lm_train_by_folds(o)) {
        TRY(choose_parts(ctx, o, &result));
        TRY(leman_parts_rows(ctx, result.data, result.level, result.parts, &result.row_parts));
    }
    TRY(read_training(work, o, &result));
    if (lm_train_by_folds(o)) {
        TRY(lm_train_folds(work, o, &result));
        goto done;
    }
    TRY(train_and_write(work, o, &result));
done:
    if (!result.runs) leman_history_free(result.history);
    leman_runs_free(result.runs);
    leman_network_free(result.network);
    leman_dataset_free(result.rows);
    leman_parts_free(result.row_parts);
    leman_parts_free(result.parts);
    leman_dataset_free(result.data);
    return st;
}

const lm_command lm_command_train = {
    .name = "train",
    .help = &LM_HELP_TRAIN,
    LM_DATA_OPERAND,
    .ranks = true,
    .common = "algorithm epochs target checkpoint report",
    .groups = {{"Network", NETWORK}, {"Training", TRAINING}, {"Parts and results", RESULTS}, LM_LAST_GROUPS},
    .size = sizeof(lm_train_options),
    .prepare = prepare,
    .run = train_run,
};
