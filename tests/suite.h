/* A Check suite in one file: list the tests, then SUITE(name, tests...), or SUITE_AROUND with what every test runs
   before and after. */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>
#include <stdlib.h>

static inline int suite_run(const char *name, const TTest *const *tests, size_t count, SFun before, SFun after)
{
    Suite *s = suite_create(name);
    TCase *c = tcase_create(name);
    if (before) tcase_add_checked_fixture(c, before, after);
    for (size_t i = 0; i < count; i++) tcase_add_test(c, tests[i]);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define SUITE_AROUND(name, before, after, ...)                                                                         \
    int main(void)                                                                                                     \
    {                                                                                                                  \
        const TTest *const tests[] = {__VA_ARGS__};                                                                    \
        return suite_run(name, tests, sizeof tests / sizeof *tests, before, after);                                    \
    }

#define SUITE(name, ...) SUITE_AROUND(name, NULL, NULL, __VA_ARGS__)

#endif
