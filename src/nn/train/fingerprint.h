/*
 * The options of a training as rows, and the fingerprint of a run: the options that another run must have in common
 * with it to resume from its file. A fingerprint has the seed, every row with words, and the checksums of the data and
 * of the class weights; a checkpoint adds the checksum of the parts, what is learned, the score and the precision.
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
    LM_ROW_LOSS
} lm_row_kind;

typedef struct lm_training_row {
    const char *name;  /* of the member, and in network.json */
    const char *words; /* in sentences about runs that differ; NULL: a run may resume with another value */
    size_t offset;     /* in lm_training_options */
    lm_row_kind kind;
    double low, high; /* the values that are allowed */
} lm_training_row;

/* Rows of the architecture are the first; the rows with words are in the order of the file. */
enum { LM_ARCHITECTURE_ROWS = 11, LM_TRAINING_ROWS = 24 };
extern const lm_training_row lm_training_rows[LM_TRAINING_ROWS];

/* The value of a row as a double; an enum as its number. */
double lm_training_value(const lm_training_options *options, const lm_training_row *row);
/* The name of an enum value; NULL for other kinds. */
const char *lm_training_value_name(const lm_training_row *row, double value);
/* LEMAN_ERROR_ARGUMENT with the first number of the training that is not allowed. */
leman_status lm_training_check(leman_context *ctx, const lm_training_options *options);

lm_fingerprint lm_fingerprint_of(uint64_t seed, uint64_t data_checksum, const lm_training_options *options);
/* Writes or reads it. */
leman_status lm_fingerprint_serialize(lm_serializer *serializer, lm_fingerprint *fingerprint);
/* LEMAN_ERROR_INPUT with the first option in which one that was read differs from the expected one. */
leman_status lm_fingerprint_compare(const lm_serializer *serializer, const lm_fingerprint *found,
                                    const lm_fingerprint *expected);
/* Writes or reads the rows of the architecture. */
leman_status lm_architecture_serialize(lm_serializer *serializer, leman_architecture *architecture,
                                       bool *own_fourth_layer);

/* Equal where the options of a run and its parts are equal on two ranks. The device and recompute may differ between
 * ranks and are left out. */
uint64_t lm_training_checksum(const lm_training_options *options, const leman_parts *parts);

#endif
