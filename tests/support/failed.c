/*
 * A test that fails leaves in the middle: cmocka jumps out of it, and what the test had allocated is never freed. Where
 * a test has failed, LeakSanitizer is told not to look for leaks, for its report would stand below the failure and hide
 * it.
 *
 * The linker leads cmocka's function for a group of tests here (--wrap in CMakeLists.txt), so that every test program
 * has this without a word in it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int __real__cmocka_run_group_tests(const char *, const struct CMUnitTest *, size_t, CMFixtureFunction,
                                   CMFixtureFunction);
int __wrap__cmocka_run_group_tests(const char *, const struct CMUnitTest *, size_t, CMFixtureFunction,
                                   CMFixtureFunction);
__attribute__((visibility("default"))) int
__lsan_is_turned_off(void); /* asked by LeakSanitizer when the program ends */

static int failed;

int __wrap__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count,
                                   CMFixtureFunction setup, CMFixtureFunction teardown)
{
    const int now = __real__cmocka_run_group_tests(name, tests, count, setup, teardown);
    failed |= now;
    return now;
}

int __lsan_is_turned_off(void)
{
    return failed != 0;
}
