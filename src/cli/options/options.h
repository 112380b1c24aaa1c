/*
 * The options of a command are one table, from which parsing, help, man page and completion are made. A row says where
 * its value is stored in the command's own struct, so a new option is one row, one member, and one text in
 * src/cli/help/options/.
 */
#ifndef LM_OPTIONS_H
#define LM_OPTIONS_H

#include "base/context.h"
#include "cli/option_texts.h"

typedef enum lm_kind {
    LM_FLAG,     /* bool */
    LM_UNSIGNED, /* uint64_t, at least min; at most max unless that is 0 */
    LM_REAL,     /* double, low <= value <= high */
    LM_SIZE,     /* uint64_t, bytes: 4096, 512M, 2G; at least min */
    LM_TEXT,     /* const char *; choices or suggestion are for completion only */
    LM_CHOICE,   /* const char *, one of the choices */
    LM_OPTIONAL, /* const char *, one of the choices; without a value: the first choice, which may be "" */
    LM_SET,      /* uint64_t, bit i for choice i: "a,b"; accumulates if given again */
    LM_RANGES,   /* lm_ranges: "1-10,20"; accumulates if given again */
    LM_TEXTS     /* lm_texts: one text each time it is given; choices as for LM_TEXT */
} lm_kind;

typedef struct lm_range {
    uint64_t first, last; /* both included */
} lm_range;

/* Vectors of lm_range and of const char *. They start zero-initialised and are freed by lm_options_free(). */
typedef struct lm_ranges {
    lm_vector range;
} lm_ranges;
typedef struct lm_texts {
    lm_vector text;
} lm_texts;

typedef struct lm_option {
    const char *name;     /* without dashes; NULL ends the group */
    const char *old_name; /* also accepted, but not shown in help, man page or completion; or NULL */
    char letter;          /* 0: none */
    lm_kind kind;
    size_t field;      /* offset of the member */
    const char *value; /* what help calls the value; FILE and FOLDER are completed as paths */
    const char *help;  /* a phrase that says what the option does, without a full stop */
    int64_t min;
    uint64_t max;
    double low, high;
    const char *const *choices;          /* ends with NULL */
    const char *(*suggestion)(size_t i); /* for texts, instead of choices: the i-th, NULL after the last */
    /* Conditions under which the option has an effect: at least one word of `needs` and no word of `without` must hold.
     * Words are separated by blanks; each is the name of another option, or =WORD for the first operand. A command line
     * that violates a condition is refused. NULL: no condition. */
    const char *needs, *without;
    bool written;               /* a FILE that the command writes; cli/options/files.h checks it */
    bool kept;                  /* a FILE that is read if it exists, and otherwise written */
    const char *const *endings; /* of a written FILE: allowed endings, then NULL; "" is no ending. NULL: not checked
                                 * here */
    bool results;               /* a FILE with text, or with JSON if its name ends in .json */
} lm_option;

typedef struct lm_operand {
    const char *name;           /* "DATA" */
    const char *const *choices; /* for completion; NULL: the operand is a file */
} lm_operand;

enum { LM_OPERANDS = 2, LM_GROUPS = 8, LM_EXAMPLES = 3 };

/* Rows under one heading of the help. Commands can share groups. */
typedef struct lm_group {
    const char *title; /* "Reading" */
    const lm_option *rows;
} lm_group;

typedef struct lm_example {
    const char *line, *what;
} lm_example;

typedef struct lm_help {
    const char *summary;     /* one line without a full stop */
    const char *description; /* paragraphs, separated by empty lines */
    lm_example examples[LM_EXAMPLES];
} lm_help;

typedef struct lm_command lm_command;

/* The first member of every command's option struct. */
typedef struct lm_common {
    const char *operand[LM_OPERANDS];
    size_t operands;
    const lm_command *command; /* the command that was parsed */
    uint64_t given[2];         /* bit i is set if the i-th option of the command was given */
    bool help, json, quiet, force;
    uint64_t threads, memory, seed;
    const char *output;
    /* for commands that read DATA */
    bool directed;
    const char *policy, *from;
    uint64_t atom_labels;
    const char *vertex_labels;
    const char *smiles_column, *hydrogens, *aromatic, *standardize, *stereo; /* for molecules */
    bool skip_unreadable;
    const char *class_column, *positive; /* for commands that use classes: LM_READING_CLASS_OPTIONS */
    const char *device;                  /* for commands with networks: LM_DEVICE_ROW; NULL: auto */
    const char *precision;               /* for commands that train: LM_PRECISION_ROWS; NULL: tf32 */
    uint64_t device_memory;
} lm_common;

/* Sets the sentence about a wrong command line, and returns LEMAN_ERROR_ARGUMENT. */
#define MISUSE(ctx, ...) lm_fail(ctx, LEMAN_ERROR_ARGUMENT, __VA_ARGS__)

/* Endings of text files, of pages, and of files that only this program reads. The last list means any ending that does
 * not stand for another format. */
extern const char *const LM_RESULT_ENDINGS[], *const LM_PAGE_ENDINGS[], *const LM_OWN_ENDINGS[];

/* A row of options. Its help is HELP_PAGE_NAME, a text of src/cli/help/options/page.txt (cmake/help.cmake). After the
 * help, members of lm_option may follow: .min = 1, .max = 64. */
#define LM_ROW(name_, letter_, kind_, field_, value_, ...)                                                             \
    {                                                                                                                  \
        .name = name_, .letter = letter_, .kind = kind_, .field = field_, .value = value_, .help = __VA_ARGS__         \
    }
#define LM_FLAG_ROW(name, field, ...) LM_ROW(name, 0, LM_FLAG, field, NULL, __VA_ARGS__)

/* -o, --output: one row for all commands that have it. Commands differ in the help text and the endings. */
#define LM_OUTPUT_ROW(text) LM_FILE_ROW(text, NULL, false)
#define LM_RESULT_ROW LM_FILE_ROW(HELP_COMMON_OUTPUT, LM_RESULT_ENDINGS, true)
#define LM_FILE_ROW(text, list, for_people)                                                                            \
    LM_ROW("output", 'o', LM_TEXT, offsetof(lm_common, output), "FILE", text, .written = true, .endings = list,        \
           .results = for_people)

/* A FILE that the command writes, whose name must end in one of the list. */
#define LM_WRITTEN_ROW(name, at, text, list)                                                                           \
    LM_ROW(name, 0, LM_TEXT, at, "FILE", text, .written = true, .endings = list)

/* --device, for commands that compute colours and for commands with networks. The device is checked before the command
 * runs. */
#define LM_DEVICE_ROW_OF(text)                                                                                         \
    LM_ROW("device", 0, LM_TEXT, offsetof(lm_common, device), "NAME", text, .choices = lm_choices_devices)
#define LM_DEVICE_ROW LM_DEVICE_ROW_OF(HELP_COMMON_DEVICE)
#define LM_DEVICE_MEMORY_ROW                                                                                           \
    LM_ROW("device-memory", 0, LM_SIZE, offsetof(lm_common, device_memory), "SIZE", HELP_COMMON_DEVICE_MEMORY)
#define LM_COLOR_DEVICE_ROWS LM_DEVICE_ROW_OF(HELP_COMMON_COLOR_DEVICE), LM_DEVICE_MEMORY_ROW
/* --precision and --device-memory, for commands that train networks. */
#define LM_PRECISION_ROWS                                                                                              \
    LM_ROW("precision", 0, LM_TEXT, offsetof(lm_common, precision), "NAME", HELP_COMMON_PRECISION,                     \
           .choices = lm_choices_precisions),                                                                          \
        LM_DEVICE_MEMORY_ROW

/* Rows that commands share; commands differ in the member and the help text. */
#define LM_LAYERS_ROW(at, text) LM_ROW("layers", 0, LM_RANGES, at, "L", text, .min = 1, .max = 64)
#define LM_WIDTH_ROW(at, text) LM_ROW("width", 0, LM_RANGES, at, "D", text, .min = 1, .max = 65536)
#define LM_C_ROW(at, text) LM_ROW("C", 'C', LM_TEXT, at, "LIST", text)
#define LM_FOLDS_ROW(at, text) LM_ROW("folds", 0, LM_UNSIGNED, at, "N", text, .min = 2, .max = 100000)
#define LM_REPETITIONS_ROW(at, ...) LM_ROW("repetitions", 0, LM_UNSIGNED, at, "N", __VA_ARGS__, .min = 1, .max = 10000)
#define LM_TARGET_ROW(at, text) LM_ROW("target", 0, LM_TEXT, at, "COLUMN", text)

struct lm_work;

struct lm_command {
    const char *name;
    const lm_help *help;
    lm_operand operand[LM_OPERANDS];
    size_t required; /* number of operands that must be given */
    size_t writes;   /* number of the operand that is written, from 1; 0: all are read */
    bool words;      /* operands are words, not files */
    bool ranks;      /* all ranks of mpirun run the command; otherwise only rank 0 does */
    lm_group groups[LM_GROUPS];
    const char *common;             /* names of the most used options, separated by blanks; help lists them first */
    size_t size;                    /* of the option struct */
    void (*prepare)(void *options); /* sets defaults other than 0; may be NULL */
    leman_status (*run)(struct lm_work *work, const void *options);
};

/* Parses arguments[0..count) into *options, which is first cleared and filled with defaults. --help ends parsing at
 * once. A wrong command line fails with LEMAN_ERROR_ARGUMENT and a message. */
leman_status lm_options_parse(leman_context *ctx, const lm_command *command, int count, char **arguments,
                              lm_common *options);
/* Frees the lists in the struct, not the struct. */
void lm_options_free(const lm_command *command, lm_common *options);

/* Returns a checksum that is equal for command lines that mean the same work on every rank (same_command.c). */
uint64_t lm_options_checksum(const lm_command *command, const lm_common *options);

/* Returns the row of the option name[length], or NULL. */
const lm_option *lm_option_find(const lm_command *command, const char *name, size_t length);
/* Returns true if the option is one of the most used options of its command. */
bool lm_option_is_common(const lm_command *command, const lm_option *row);
/* Returns true if the option was given. For conditions that `needs` and `without` cannot express. */
bool lm_option_given(const lm_common *options, const char *name);

/* Returns every row of a command in turn, then NULL:
 *   for (lm_option_walk walk = {0}; (row = lm_option_next(command, &walk));) ... */
typedef struct lm_option_walk {
    size_t group, row;
} lm_option_walk;
const lm_option *lm_option_next(const lm_command *command, lm_option_walk *walk);

/* Returns the word of a list that a mistyped word probably stands for, or NULL. */
const char *lm_nearest(const char *word, const char *const *list);
/* Returns `failure`, that of a parser of kernels, colourings or networks. If the parser does not know the name, its sentence then ends in the
 * kernel or the network that the name probably stands for. */
leman_status lm_method_suggested(leman_context *ctx, leman_status failure, const char *name);

bool lm_is_choice(const char *const *choices, const char *word);
/* Returns the list without its first word if that is "", otherwise the whole list. */
const char *const *lm_choices_named(const char *const *choices);
/* Writes "a, b or c" into text[size]. `last` is the word before the last choice, "or" or "and". */
void lm_choices_sentence(const char *const *choices, const char *last, char *text, size_t size);

/* Parses text into *member, whose type depends on row->kind. `shown` is the option in the error message: option '-k':
 * found 'two', expected a whole number from 1 to 8. */
leman_status lm_value_parse(leman_context *ctx, const lm_option *row, const char *shown, const char *text,
                            void *member);

/* Lists all numbers of the ranges; *out is NULL if there are none. Fails if there are more than `most`; the message names
 * the option. */
leman_status lm_ranges_list(leman_context *ctx, const char *option, const lm_ranges *ranges, size_t most, size_t **out,
                            size_t *count);
/* Parses "0.1,1,10": numbers above 0 and up to 1e100, increasing if `increasing`. Does nothing if text is NULL. The
 * message of a failure names the option and ends with `expected`. */
leman_status lm_numbers_list(leman_context *ctx, const char *option, const char *text, bool increasing,
                             const char *expected, double **out, size_t *count);

#endif
