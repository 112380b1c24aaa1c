#include "support/locale.h"
#include <locale.h>
#include <stdio.h>

static bool set(const char *name)
{
    return setlocale(LC_ALL, name) && *localeconv()->decimal_point == ',';
}

bool test_comma_locale(const char *folder)
{
    static const char *const INSTALLED[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR.utf8"};
    char command[1024];
    for (size_t i = 0; i < sizeof INSTALLED / sizeof *INSTALLED; i++)
        if (set(INSTALLED[i])) return true;
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' >'%s/said' 2>&1", folder, folder);
    if (!system(command)) {
        setenv("LOCPATH", folder, 1);
        if (set("de_DE.UTF-8")) return true;
    }
    setlocale(LC_ALL, "C");
    return false;
}
