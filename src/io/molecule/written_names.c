/*
 * Checks names, classes and targets before a file of molecules is written: a text that would be read back differently
 * is an error. O(graphs + bytes of names) expected time.
 */
#include "io/intern.h"
#include "io/molecule/molecule_of.h"
#include "io/molecule/properties.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 60 /* bytes of a name that a message shows */ };

static bool begins(const char *text, size_t length, const char *word)
{
    return length >= strlen(word) && !memcmp(text, word, strlen(word));
}

/* Returns why a line of an SDF with this text would be read differently; NULL if the text is fine. */
static const char *sdf_fault(const char *text, size_t length)
{
    if (begins(text, length, "$$$$")) return "begins with $$$$, which ends a molecule";
    if (begins(text, length, "> <") || begins(text, length, ">  <")) return "begins like a data field";
    return NULL;
}

static const char *blank_fault(const char *text, size_t length)
{
    return length && (*text == ' ' || text[length - 1] == ' ') ? "begins or ends with a blank" : NULL;
}

static leman_status refuse(leman_context *ctx, const leman_dataset *data, const char *format, const char *what,
                           const char *text, size_t length, const char *fault)
{
    const int shown = (int)(length < SHOWN ? length : SHOWN);
    return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: %s cannot hold the %s '%.*s%s': it %s", data->name, format, what, shown,
                   text, length > SHOWN ? "..." : "", fault);
}

static leman_status check_graph_names(leman_context *ctx, const leman_dataset *data, const char *format, bool sdf)
{
    for (size_t g = 0; g < data->graphs; g++) {
        size_t length;
        const char *name = leman_dataset_graph_name(data, g, &length), *fault;
        fault = blank_fault(name, length);
        if (sdf && !fault) fault = sdf_fault(name, length);
        if (!lm_text_printable(name, length)) fault = "is no printable UTF-8 text on one line";
        if (fault) return refuse(ctx, data, format, "name of a graph", name, length, fault);
    }
    return LEMAN_OK;
}

const char *lm_mol_target_name(const leman_dataset *data, size_t column, char number[LM_TARGET_TEXT], size_t *length)
{
    const char *name = leman_dataset_target_name(data, column, length);
    if (*length) return name;
    *length = (size_t)snprintf(number, LM_TARGET_TEXT, "target_%zu", column);
    return number;
}

/* Target names are names of columns or data fields. They must differ from each other and from "class". */
static leman_status check_target_names(leman_context *ctx, const leman_dataset *data, const char *format)
{
    AUTO(lm_intern_free) lm_intern names = {0};
    uint32_t number;
    if (data->columns.classes) PASS(lm_intern_add(ctx, &names, 0, "class", 5, &number));
    for (size_t i = 0; i < data->columns.targets; i++) {
        char own[LM_TARGET_TEXT];
        size_t length, known = lm_intern_count(&names);
        const char *name = lm_mol_target_name(data, i, own, &length), *fault = blank_fault(name, length);
        PASS(lm_intern_add(ctx, &names, 0, name, length, &number));
        if (number < known) fault = "is the name of another target or of the class, too";
        if (fault) return refuse(ctx, data, format, "name of a target", name, length, fault);
    }
    return LEMAN_OK;
}

const char *lm_mol_class_text(const leman_dataset *data, size_t graph, char number[LM_TARGET_TEXT], size_t *length)
{
    const int64_t label = data->columns.classes ? data->class_label[graph] : LEMAN_CLASS_MISSING;
    const char *name = leman_dataset_class_name(data, label, length);
    if (*length || label == LEMAN_CLASS_MISSING) return name;
    *length = (size_t)snprintf(number, LM_TARGET_TEXT, "%lld", (long long)label);
    return number;
}

/* The texts of all classes. */
typedef struct class_texts {
    lm_intern texts;
    lm_vector labels; /* int64_t: the class of each text */
    bool words;       /* a text is not a number */
    size_t odd;       /* a graph, plus 1, whose class is a number but not written as an integer; 0: none */
} class_texts;

static void class_texts_end(class_texts *all)
{
    lm_intern_free(&all->texts);
    lm_vector_release(&all->labels);
}

static void look_at_number(leman_context *ctx, class_texts *all, size_t graph, const char *text, size_t length)
{
    char own[LM_TARGET_TEXT];
    int64_t integer;
    double real;
    if (!lm_text_is_real(ctx, text, length, &real)) {
        all->words = true;
        return;
    }
    if (lm_text_is_integer(ctx, text, length, &integer) &&
        snprintf(own, sizeof own, "%lld", (long long)integer) == (int)length && !memcmp(own, text, length))
        return;
    all->odd = graph + 1;
}

/* Checks that every class is read back as itself. A class must not look like a missing value, two classes must not have
 * the same text, and a number must be written as an integer, unless the text of another class is a word, which makes
 * all of them words. */
static leman_status check_classes(leman_context *ctx, const leman_dataset *data, const char *format, bool sdf)
{
    AUTO(class_texts_end) class_texts all = {0};
    char own[LM_TARGET_TEXT];
    size_t length;
    for (size_t g = 0; g < data->graphs && data->columns.classes; g++) {
        const int64_t label = data->class_label[g];
        const size_t known = lm_intern_count(&all.texts);
        uint32_t number;
        if (label == LEMAN_CLASS_MISSING) continue;
        const char *text = lm_mol_class_text(data, g, own, &length), *fault = blank_fault(text, length);
        PASS(lm_intern_add(ctx, &all.texts, 0, text, length, &number));
        if (number == known) PASS(lm_vector_append(ctx, &all.labels, &label, 1, sizeof label));
        if (number == known) look_at_number(ctx, &all, g, text, length);
        if (sdf && !fault) fault = sdf_fault(text, length);
        if (lm_property_missing(text, length)) fault = "is read as a class that is not known";
        if (((int64_t *)all.labels.items)[number] != label) fault = "is that of two classes";
        if (fault) return refuse(ctx, data, format, "class", text, length, fault);
    }
    if (all.odd && !all.words) {
        const char *text = lm_mol_class_text(data, all.odd - 1, own, &length);
        return refuse(ctx, data, format, "class", text, length, "is read as a number, since all classes are numbers");
    }
    return LEMAN_OK;
}

static leman_status check_targets(leman_context *ctx, const leman_dataset *data, const char *format)
{
    const size_t targets = data->columns.targets;
    for (size_t i = 0; i < targets; i++) {
        char own[LM_TARGET_TEXT];
        size_t known = 0, length;
        for (size_t g = 0; g < data->graphs; g++) {
            const double value = data->target[g * targets + i];
            if (lm_is_missing_target(value)) continue;
            known++;
            if (!isfinite(value))
                return lm_fail(ctx, LEMAN_ERROR_INPUT,
                               "%s: %s cannot hold a target that is not finite, as graph %zu has", data->name, format,
                               g);
        }
        const char *name = lm_mol_target_name(data, i, own, &length);
        if (!known)
            lm_log(ctx, "%s: target '%.*s' has no value in any graph, and is not read back from %s", data->name,
                   (int)length, name, format);
    }
    return LEMAN_OK;
}

leman_status lm_mol_check_names(leman_context *ctx, const leman_dataset *data, bool sdf)
{
    const char *format = sdf ? "SDF" : "a file of SMILES";
    PASS(check_graph_names(ctx, data, format, sdf));
    PASS(check_target_names(ctx, data, format));
    PASS(check_classes(ctx, data, format, sdf));
    return check_targets(ctx, data, format);
}
