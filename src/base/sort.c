/* Placeholder until the radix sort lands. */
#include "base/sort.h"
