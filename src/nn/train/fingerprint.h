/*
 * The options of training as a table of rows, and the fingerprint of a run: the options that another run must share to
 * resume from its file. A fingerprint has the seed, every row with words, and the checksums of the data and of the
 * class weights. A checkpoint adds the checksum of the parts, what is learned, the score, the precision and the use of
 * attributes.
 */
#ifndef LM_FINGERPRINT_H
#define LM_FINGERPRINT_H

#include "base/serialize.h"
#include "nn/network.h"

typedef enum lm_row_kind {
    LM_ROW_BOOL,
    LM_ROW_UNSIGNED, /* unsigned */
    LM_ROW_COUNT,    /* size_t */
    LM_ROW_REAL,     /* double */
    LM_ROW_MODEL,    /* enums */
    LM_ROW_PRESET,
    LM_ROW_LOSS,
    LM_ROW_SCHEDULE
} lm_row_kind;

typedef struct lm_training_row {
    const char *name;  /* name of the member, also in network.json */
    const char *words; /* name in messages about runs that differ; NULL: a run may resume with another value */
    size_t offset;     /* in lm_training_options */
    lm_row_kind kind;
    double low, high; /* range of the allowed values */
} lm_training_row;

/* The first rows are those of the architecture. The rows with words are in the order of the file. */
enum { LM_ARCHITECTURE_ROWS = 11, LM_TRAINING_ROWS = 29 };
extern const lm_training_row lm_training_rows[LM_TRAINING_ROWS];

/* Returns the value of a row as a double; for an enum its number. */
double lm_training_value(const lm_training_options *options, const lm_training_row *row);
/* Returns the name of an enum value; NULL for other kinds. */
const char *lm_training_value_name(const lm_training_row *row, double value);
/* Returns the value as text: the name of an enum value, "yes" or "no", or a number, which is written to text[size]. */
const char *lm_training_value_text(const lm_training_row *row, double value, char *text, size_t size);
/* Fails with LEMAN_ERROR_ARGUMENT and a message about the first number of the training that is not allowed. */
leman_status lm_training_check(leman_context *ctx, const lm_training_options *options);

lm_fingerprint lm_fingerprint_of(uint64_t seed, uint64_t data_checksum, const lm_training_options *options);
/* Writes or reads a fingerprint. */
leman_status lm_fingerprint_serialize(lm_serializer *serializer, lm_fingerprint *fingerprint);
/* Fails with LEMAN_ERROR_INPUT and a message about the first option in which `found`, read from a file, differs from
 * `expected`. */
leman_status lm_fingerprint_compare(const lm_serializer *serializer, const lm_fingerprint *found,
                                    const lm_fingerprint *expected);
/* Writes or reads the rows of the architecture. */
leman_status lm_architecture_serialize(lm_serializer *serializer, leman_architecture *architecture,
                                       bool *own_fourth_layer, leman_level *level);

/* Returns a checksum of the options and the parts of a run. Ranks compare it. It leaves out the device and `recompute`,
 * which may differ between ranks. */
uint64_t lm_training_checksum(const lm_training_options *options, const leman_parts *parts);

#endif
