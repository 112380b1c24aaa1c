/* A host program whose locale writes a comma where numbers have a decimal point. */
#ifndef TEST_LOCALE_H
#define TEST_LOCALE_H

#include "support/support.h"

/* Sets the locale of the process to one with decimal commas: an installed one, or one that localedef makes in folder.
 * False, with the locale C, where neither can be had. */
bool test_comma_locale(const char *folder);

#endif
