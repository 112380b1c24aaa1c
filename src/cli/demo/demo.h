/* The steps of leman demo: each function writes a few lines to demo->out and has a row in demo.c. */
#ifndef LM_DEMO_H
#define LM_DEMO_H

#include "cli/commands.h"

typedef struct lm_demo {
    lm_work *work;
    leman_context *ctx;
    lm_output *out;
    lm_output nowhere;        /* receives the text with --json */
    leman_dataset *molecules; /* made by the first step */
    char folder[512];         /* temporary, removed at the end; "" until lm_demo_folder() */
} lm_demo;

/* graphs.c */
leman_status lm_demo_molecules(lm_demo *demo);
leman_status lm_demo_pair(lm_demo *demo);
leman_status lm_demo_why(lm_demo *demo);
leman_status lm_demo_cfi(lm_demo *demo);
/* files.c */
leman_status lm_demo_files(lm_demo *demo);
leman_status lm_demo_cleaning(lm_demo *demo);

/* The first creates a temporary folder if there is none yet; the second removes it with all its files. */
leman_status lm_demo_folder(lm_demo *demo);
void lm_demo_folder_remove(lm_demo *demo);

#endif
