/* Streams, signals and memory on Windows; process.h has the contracts. Stacks have 8 MiB (CMakeLists.txt), and the heap of the system
 * needs no settings. */
#include "cli/process.h"
#include <fcntl.h>
#include <io.h>
#include <signal.h>
#include <stdlib.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <shellapi.h> /* CommandLineToArgvW(), after <windows.h> */

static volatile sig_atomic_t interrupted;

/* Windows then uses the default again: the next Ctrl-C kills the process. */
static void remember(int signal)
{
    (void)signal;
    interrupted = 1;
}

static UINT code_page; /* of the console, before */

static void give_back_console(void)
{
    SetConsoleOutputCP(code_page);
}

/* Lines end in \\n alone, and archives may go through pipes. Escape sequences move the cursor of the bar. */
void lm_process_prepare(void)
{
    static const DWORD STREAMS[] = {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
    for (int stream = 0; stream < 3; stream++) {
        DWORD mode;
        const HANDLE handle = GetStdHandle(STREAMS[stream]);
        (void)_setmode(stream, _O_BINARY);
        if (stream && GetConsoleMode(handle, &mode)) SetConsoleMode(handle, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    }
    code_page = GetConsoleOutputCP();
    if (code_page && code_page != CP_UTF8 && SetConsoleOutputCP(CP_UTF8)) atexit(give_back_console);
    signal(SIGINT, remember);
    signal(SIGTERM, remember);
    signal(SIGBREAK, remember);
}

/* Windows gives main() arguments in the code page of the system, which lacks most characters: `work` gets them in UTF-8. */
int lm_process_run(int (*work)(int count, char **arguments), int count, char **arguments)
{
    int words = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &words);
    char **utf8 = wide ? calloc((size_t)words + 1, sizeof *utf8) : NULL;
    bool all = utf8 && words == count;
    for (int i = 0; all && i < words; i++) {
        const int size = WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, NULL, 0, NULL, NULL);
        all = size > 0 && (utf8[i] = malloc((size_t)size));
        if (all) WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, utf8[i], size, NULL, NULL);
    }
    const int result = work(count, all ? utf8 : arguments);
    for (int i = 0; utf8 && i < words; i++) free(utf8[i]);
    free(utf8);
    LocalFree(wide);
    return result;
}

void lm_process_large_pages(leman_settings *settings)
{
    (void)settings;
}

size_t lm_process_budget(size_t budget, int threads)
{
    enum { PROGRAM = 14 << 20, THREAD = 64 << 10 }; /* as much as elsewhere */
    (void)budget;
    return PROGRAM + (size_t)threads * THREAD;
}

size_t lm_process_columns(void)
{
    CONSOLE_SCREEN_BUFFER_INFO found;
    if (!GetConsoleScreenBufferInfo(GetStdHandle(STD_ERROR_HANDLE), &found)) return 80;
    const int columns = found.srWindow.Right - found.srWindow.Left + 1;
    return columns > 0 ? (size_t)columns : 80;
}

bool lm_process_interrupted(void)
{
    return interrupted;
}
