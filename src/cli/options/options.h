/*
 * One table describes the options of a command: parsing, help, man page and completion all read these rows. A row says
 * where its value goes in the command's own struct, so a new option is a new row and a new member.
 */
#ifndef LM_OPTIONS_H
#define LM_OPTIONS_H

#include "base/context.h"

typedef enum lm_kind {
    LM_FLAG,     /* bool */
    LM_INTEGER,  /* int64_t, min <= value <= max */
    LM_UNSIGNED, /* uint64_t, at least min, at most max where that is not 0 */
    LM_REAL,     /* double, low <= value <= high */
    LM_SIZE,     /* uint64_t, bytes: 4096, 512M, 2G; at least min */
    LM_TEXT,     /* const char *; choices or suggestion, to completion only */
    LM_CHOICE,   /* const char *, one of the choices */
    LM_OPTIONAL, /* the same, or no value: the first of the choices, which may have no name ("") */
    LM_SET,      /* uint64_t, bit i for choice i: "a,b"; given again it adds */
    LM_RANGES,   /* lm_ranges: "1-10,20"; given again it adds */
    LM_TEXTS     /* lm_texts: one for every time it is given; choices as for LM_TEXT */
} lm_kind;

typedef struct lm_range {
    uint64_t first, last; /* both belong to it */
} lm_range;

/* Zero-initialised vectors of lm_range and of const char *, freed by lm_options_free(). */
typedef struct lm_ranges {
    lm_vector range;
} lm_ranges;
typedef struct lm_texts {
    lm_vector text;
} lm_texts;

typedef struct lm_option {
    const char *name;     /* without dashes; NULL ends a group */
    const char *old_name; /* accepted too, in no help text, man page or completion; NULL: none */
    char letter;          /* 0: none */
    lm_kind kind;
    size_t field;      /* offsetof the member */
    const char *value; /* what help calls the value; FILE and FOLDER are completed as such */
    const char *help;  /* a phrase that says what it does, without a full stop */
    int64_t min;
    uint64_t max;
    double low, high;
    const char *const *choices;          /* ended by NULL */
    const char *(*suggestion)(size_t i); /* of texts, instead of choices: the i-th, NULL behind the last */
    /* Where the option has an effect: only with one of these, never with one of those. Words with blanks between them:
     * names of other options, or =WORD for the first operand. Elsewhere the command line is refused. */
    const char *needs, *without;
    bool written;               /* a FILE that the command writes: cli/options/files.h checks it first */
    bool kept;                  /* a FILE that it reads where it is there, and writes where it is not */
    const char *const *endings; /* of a FILE that is written: what its name may end in, ended by NULL; "" is no
                                   ending. NULL: the command looks itself */
    bool results;               /* a FILE of text for people, or of JSON where its name ends in .json */
} lm_option;

typedef struct lm_operand {
    const char *name;           /* "DATA" */
    const char *const *choices; /* to completion; NULL: a file */
} lm_operand;

enum { LM_OPERANDS = 2, LM_GROUPS = 8, LM_EXAMPLES = 3 };

/* Rows under one heading of the help; commands share groups. */
typedef struct lm_group {
    const char *title; /* "Reading" */
    const lm_option *rows;
} lm_group;

typedef struct lm_example {
    const char *line, *what;
} lm_example;

typedef struct lm_command lm_command;

/* What every command's struct begins with. */
typedef struct lm_common {
    const char *operand[LM_OPERANDS];
    size_t operands;
    const lm_command *command; /* that was parsed */
    uint64_t given[2];         /* bit i: the i-th row of the command was given */
    bool help, json, quiet, force;
    int64_t threads;
    uint64_t memory, seed;
    const char *output;
    /* of commands that read DATA */
    bool directed;
    const char *policy, *from;
    uint64_t atom_labels;
    const char *vertex_labels;
    const char *smiles_column, *hydrogens, *aromatic; /* of molecules */
    bool skip_unreadable;
    const char *class_column; /* of those that use classes: LM_READING_CLASS_OPTIONS */
    const char *device;       /* of those with networks: LM_DEVICE_ROW; NULL: auto */
    const char *precision;    /* of those that train: LM_PRECISION_ROWS; NULL: tf32 */
    uint64_t device_memory;
} lm_common;

/* Endings of text for people, of pages, and of files that only this program reads: there, any that means no other
 * format. */
extern const char *const LM_RESULT_ENDINGS[], *const LM_PAGE_ENDINGS[], *const LM_OWN_ENDINGS[];

/* -o, --output: the same row in every command that has it, but for what is written. */
#define LM_OUTPUT_TEXT "write the result to FILE instead of standard output: FILE.txt, or JSON to FILE.json"
#define LM_OUTPUT_ROW(text) LM_FILE_ROW(text, NULL, false)
#define LM_RESULT_ROW LM_FILE_ROW(LM_OUTPUT_TEXT, LM_RESULT_ENDINGS, true)
#define LM_FILE_ROW(text, list, for_people)                                                                            \
    {                                                                                                                  \
        .name = "output", .letter = 'o', .kind = LM_TEXT, .field = offsetof(lm_common, output), .value = "FILE",       \
        .written = true, .endings = list, .results = for_people, .help = text                                          \
    }

/* --device and --device-memory, of commands that compute colours. */
#define LM_COLOR_DEVICE_ROWS                                                                                           \
    {.name = "device",                                                                                                 \
     .kind = LM_TEXT,                                                                                                  \
     .field = offsetof(lm_common, device),                                                                             \
     .value = "NAME",                                                                                                  \
     .choices = lm_choices_devices,                                                                                    \
     .help = "where colours are computed: cpu, cuda (the first CUDA device), cuda:N (another one, from 0) or auto "    \
             "(the default: a CUDA device for large work where there is one, else the CPU); they are the same "        \
             "everywhere"},                                                                                            \
    {                                                                                                                  \
        .name = "device-memory", .kind = LM_SIZE, .field = offsetof(lm_common, device_memory), .value = "SIZE",        \
        .help = LM_DEVICE_MEMORY_TEXT                                                                                  \
    }
#define LM_DEVICE_MEMORY_TEXT "of the CUDA device that may be used, such as 20G (default: what is free on it)"

/* --device, of commands with networks. The name is checked before the command runs. */
#define LM_DEVICE_ROW                                                                                                  \
    {                                                                                                                  \
        .name = "device", .kind = LM_TEXT, .field = offsetof(lm_common, device), .value = "NAME",                      \
        .choices = lm_choices_devices,                                                                                 \
        .help =                                                                                                        \
            "where networks compute: cpu, cuda (the first CUDA device), cuda:N (another one, from 0) or auto (the "    \
            "default: CUDA where there is such a device, else the CPU). Training takes a list, cuda:0,cuda:1: each "   \
            "device has --batch graphs of every step"                                                                  \
    }

/* --precision and --device-memory, of commands that train networks. */
#define LM_PRECISION_ROWS                                                                                              \
    {.name = "precision",                                                                                              \
     .kind = LM_TEXT,                                                                                                  \
     .field = offsetof(lm_common, precision),                                                                          \
     .value = "NAME",                                                                                                  \
     .choices = lm_choices_precisions,                                                                                 \
     .help =                                                                                                           \
         "on a CUDA device: tf32 (the default: matrix products of numbers with 10 bits behind the point), fp32 (as "   \
         "on the CPU) or bf16 (values of tuples and vertices in 16 bits); validation and test are in fp32"},           \
    {                                                                                                                  \
        .name = "device-memory", .kind = LM_SIZE, .field = offsetof(lm_common, device_memory), .value = "SIZE",        \
        .help = LM_DEVICE_MEMORY_TEXT                                                                                  \
    }

/* Rows of networks, the same in every command that has them, but for where they go and what is said of them. */
#define LM_EPOCHS_ROW(at, least, text)                                                                                 \
    {                                                                                                                  \
        .name = "epochs", .kind = LM_UNSIGNED, .field = at, .min = least, .max = 1000000, .value = "E", .help = text   \
    }
#define LM_LAYERS_ROW(at, text)                                                                                        \
    {                                                                                                                  \
        .name = "layers", .kind = LM_RANGES, .field = at, .min = 1, .max = 64, .value = "L", .help = text              \
    }
#define LM_WIDTH_ROW(at, text)                                                                                         \
    {                                                                                                                  \
        .name = "width", .kind = LM_RANGES, .field = at, .min = 1, .max = 65536, .value = "D", .help = text            \
    }
#define LM_RUNS_ROW(at, except, text)                                                                                  \
    {                                                                                                                  \
        .name = "runs", .kind = LM_UNSIGNED, .field = at, .min = 1, .max = 10000, .value = "N", .without = except,     \
        .help = text                                                                                                   \
    }

/* Rows of cross-validation, the same in every command that has them, but for where they go and what is said of them. */
#define LM_C_ROW(at, text)                                                                                             \
    {                                                                                                                  \
        .name = "C", .letter = 'C', .kind = LM_TEXT, .field = at, .value = "LIST", .help = text                        \
    }
#define LM_FOLDS_ROW(at, text)                                                                                         \
    {                                                                                                                  \
        .name = "folds", .kind = LM_UNSIGNED, .field = at, .min = 2, .max = 100000, .value = "N", .help = text         \
    }
#define LM_REPETITIONS_ROW(at, text)                                                                                   \
    {                                                                                                                  \
        .name = "repetitions", .kind = LM_UNSIGNED, .field = at, .min = 1, .max = 10000, .value = "N", .help = text    \
    }
#define LM_TARGET_ROW(at, text)                                                                                        \
    {                                                                                                                  \
        .name = "target", .kind = LM_TEXT, .field = at, .value = "COLUMN", .help = text                                \
    }
#define LM_COLUMN_TEXT "by its name or its number, which counts from 0"

struct lm_work;

struct lm_command {
    const char *name;
    const char *summary;     /* a line without a full stop */
    const char *description; /* paragraphs with an empty line between them */
    lm_operand operand[LM_OPERANDS];
    size_t required; /* operands that must be there */
    size_t writes;   /* the operand that is written, counted from 1; 0: all are read */
    bool words;      /* operands are words, not files */
    bool ranks;      /* ranks of mpirun do it together; otherwise rank 0 does it alone */
    lm_group groups[LM_GROUPS];
    const char *common; /* the options that most people use, names with blanks between them; help shows them first */
    lm_example examples[LM_EXAMPLES];
    size_t size;                    /* of the struct that the rows write to */
    void (*prepare)(void *options); /* sets defaults other than 0; may be NULL */
    leman_status (*run)(struct lm_work *work, const void *options);
};

/* Reads arguments[0..count) into *options, which is cleared and prepared first. --help ends reading at once. A wrong
 * command line is LEMAN_ERROR_ARGUMENT with the sentence. */
leman_status lm_options_parse(leman_context *ctx, const lm_command *command, int count, char **arguments,
                              lm_common *options);
/* Frees what lists hold, not the struct. */
void lm_options_free(leman_context *ctx, const lm_command *command, lm_common *options);

/* Equal for command lines that mean the same work on every rank (same_command.c). */
uint64_t lm_options_checksum(const lm_command *command, const lm_common *options);

/* The row of a name, or NULL. */
const lm_option *lm_option_find(const lm_command *command, const char *name, size_t length);
/* Is it one of the common options of its command? */
bool lm_option_is_common(const lm_command *command, const lm_option *row);
/* Was the option of that name given? For conditions that a row's `needs` cannot say. */
bool lm_option_given(const lm_common *options, const char *name);

/* Every row of a command in turn, then NULL: for (lm_option_walk walk = {0}; (row = lm_option_next(command, &walk));)
 */
typedef struct lm_option_walk {
    size_t group, row;
} lm_option_walk;
const lm_option *lm_option_next(const lm_command *command, lm_option_walk *walk);

/* The word of a list that a mistyped one was probably meant to be, or NULL. */
const char *lm_nearest(const char *word, const char *const *list);

bool lm_is_choice(const char *const *choices, const char *word);
/* Those that have a name: all, or all but the first. */
const char *const *lm_choices_named(const char *const *choices);
/* Writes "a, b or c" into text[size], with "or" or "and" before the last. */
void lm_choices_sentence(const char *const *choices, const char *last, char *text, size_t size);

#endif
