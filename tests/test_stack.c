/* The bytes of stack that headers promise, against what gcc says it uses. */
#include "fixture.h"
#include "own_folder.h"
#include "suite.h"

/* Frames of all functions of a kernel's file, which is more than any path through them needs. */
static void check_stack(const char *which, const char *kernel, const char *flags)
{
    char line[1000];
    snprintf(line, sizeof line,
             "cd made && gcc %s -fstack-usage -c bot_%s.c && sed 's/^[^\\t]*:\\([^:\\t]*\\)\\t/\\1 /' bot_%s.su", flags,
             kernel, kernel);
    command used = shell("%s", line),
            said = shell("grep -A99 'void bot_%s(' -B1 made/bot.h | sed -n '1s/.*Stack: \\(.*\\)\\. .*/\\1/p'", kernel);
    long one = 0, wide = 0, batch = 0, bound[3];
    ck_assert_msg(sscanf(said.out, "%ld, _x4 %ld, _batch %ld", &bound[0], &bound[1], &bound[2]) == 3, "%s", said.out);
    for (char *row = strtok(used.out, "\n"); row; row = strtok(NULL, "\n")) {
        char name[200];
        long bytes;
        ck_assert_msg(sscanf(row, "%199s %ld", name, &bytes) == 2, "%s", row);
        size_t length = strlen(name);
        if (length > 6 && !strcmp(name + length - 6, "_batch"))
            batch += bytes;
        else if (strstr(name, "_x4"))
            wide += bytes;
        else
            one += bytes;
    }
    printf("%s %s %s: %ld of %ld, %ld of %ld, %ld of %ld\n", which, kernel, flags, one, bound[0], wide, bound[1],
           batch + (wide > one ? wide : one), bound[2]);
    ck_assert_msg(one > 0 && one <= bound[0], "%s, %s: %ld bytes, said %ld", kernel, flags, one, bound[0]);
    ck_assert_msg(wide <= bound[1], "%s, %s: %ld bytes in lanes, said %ld", kernel, flags, wide, bound[1]);
    ck_assert_msg(batch + (wide > one ? wide : one) <= bound[2], "%s, %s: batch", kernel, flags);
    free(used.out), free(said.out);
}

/* A quadruped with limbs side by side, float, and a chain whose loops are long. */
START_TEST(stack_is_bounded)
{
    static const struct {
        const char *robot, *options, *kernels[8];
    } rows[] = {
        {"hyq", "--base floating", {"rnea", "aba", "crba", "minv", "idsva", "fdsva", "fk"}},
        {"chain", "", {"rnea", "aba", "minv", "idsva", "fdsva"}},
        {"ur5", "--real float", {"rnea", "fdsva"}},
    };
    static const char *const flags[] = {"-O2", "-O3 -march=native", "-O1", "-Os -mavx2"};
    if (!can("gcc --version")) {
        puts("note: gcc is not here; bounds of the stack are not checked");
        return;
    }
    MUST("cp '%s'/robots/hyq.yaml '%s'/robots/ur5.yaml . && '%s' chain 40 -o chain.yaml", here, here, SVAGEN_BINARY);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        MUST("'%s' generate %s.yaml -o made --name bot --lanes 4 %s --kernels rnea,aba,crba,minv,idsva,fdsva,fk",
             SVAGEN_BINARY, rows[r].robot, rows[r].options);
        for (int k = 0; rows[r].kernels[k]; k++)
            for (size_t f = 0; f < (quick() ? 1 : sizeof flags / sizeof *flags); f++)
                check_stack(rows[r].robot, rows[r].kernels[k], flags[f]);
    }
}
END_TEST

SUITE_AROUND("stack", enter_own_folder, leave_own_folder, stack_is_bounded)
