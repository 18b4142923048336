#include "suite.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const reals[] = {"", "-DSVA_REAL=float -DSVA_REAL_IS_FLOAT=1"};
static const char strict[] = "-Wall -Wextra -Wshadow -Wconversion -pedantic -Werror -I runtime";

static int run(const char *format, const char *a, const char *b, const char *c, const char *d)
{
    char command[1000];
    int n = snprintf(command, sizeof command, format, a, b, c, d);
    ck_assert_int_lt(n, (int)sizeof command);
    fflush(stdout);
    return system(command);
}

/* Whether the command's first word is a program of this machine. */
static int present(const char *command)
{
    char name[100];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(command, " "), command);
    return !run("command -v %s > %s%s%s 2>&1", name, "/dev/null", "", "");
}

/* Alone, with nothing used, and with every function used. */
START_TEST(compiles_everywhere)
{
    static const char *const compilers[] = {
        "gcc -std=c99",
        "gcc -std=c99 -march=native",
        "gcc -std=gnu17 -ffast-math",
        "clang -std=c99",
        "g++ -std=c++98 -x c++",
        "g++ -x c++",
        "clang++ -x c++",
        "arm-none-eabi-gcc -std=c99 -mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16",
        "arm-none-eabi-gcc -std=c99 -mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-sp-d16 -Wdouble-promotion"};
    static const char *const texts[] = {"-O0 -DUNUSED", "-O2 -DUNUSED", "-O0", "-O2"};
    int compiled = 0;
    for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++) {
        if (!present(compilers[i])) continue;
        for (int j = 0; j < 8; j++, compiled++)
            ck_assert_msg(!run("%s %s %s %s -c tests/kernel_uses.c -o /dev/null", compilers[i], strict, reals[j % 2],
                               texts[j / 2]),
                          "%s %s %s", compilers[i], reals[j % 2], texts[j / 2]);
    }
    printf("sva_kernel.h: %d compilations\n", compiled);
    ck_assert_int_gt(compiled, 0);
}
END_TEST

/* Errors in ulp, for both number types, whatever the optimiser does to products and sums. */
START_TEST(sines_and_cosines)
{
    static const struct {
        const char *compiler, *count; /* and the limit in ulp */
    } rows[] = {{"gcc -O2 -ffp-contract=off", "2000000 1"},
                {"gcc -O3 -march=native -ffp-contract=fast", "2000000 1"},
                {"gcc -O0", "100000 1"},
                {"gcc -O1 -fsanitize=address,undefined -fno-sanitize-recover=all", "100000 1"},
                {"gcc -O2 -ffast-math", "100000 1"},
                {"clang -O2 -march=native -ffp-contract=fast", "2000000 1"},
                {"clang -O1 -ffp-contract=off", "100000 1"}};
    char folder[] = "/tmp/kernel_header_XXXXXX", program[100];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(program, sizeof program, "%s/accuracy", folder);
    int ran = 0, failed = 0;
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        const char *compiler = rows[i / 2].compiler;
        if (!present(compiler)) continue;
        printf("%s %s: ", compiler, reals[i % 2]);
        failed += run("%s %s -I runtime tests/kernel_accuracy.c -o %s -lm%s", compiler, reals[i % 2], program, "") ||
                  run("%s %s%s%s", program, rows[i / 2].count, "", "");
        ran++;
    }
    remove(program);
    rmdir(folder);
    ck_assert_int_gt(ran, 0);
    ck_assert_int_eq(failed, 0);
}
END_TEST

static char *text_of(const char *path)
{
    char *text = calloc(1, 100000);
    FILE *f = fopen(path, "r");
    ck_assert(f && fread(text, 1, 99999, f) > 0);
    fclose(f);
    return text;
}

/* What the header of a robot promises is what sines_and_cosines measures: SVA_SINCOS_RANGE, of float first. */
START_TEST(one_range_of_angles)
{
    char *header = text_of("templates/header.mustache"), *runtime = text_of("runtime/sva_kernel.h");
    static const char macro[] = "#define SVA_SINCOS_RANGE", words[] = "accurate to an ulp up to";
    const char *single = strstr(runtime, macro), *both = single ? strstr(single + 1, macro) : NULL;
    const char *said = strstr(header, words);
    ck_assert(single && both && said);
    double range[2], promised[2];
    ck_assert_int_eq(sscanf(single + strlen(macro), "%lf", &range[0]), 1);
    ck_assert_int_eq(sscanf(both + strlen(macro), "%lf", &range[1]), 1);
    ck_assert_int_eq(sscanf(said + strlen(words), "%lf rad (%lf rad in float)", &promised[1], &promised[0]), 2);
    ck_assert_double_eq(promised[0], range[0]);
    ck_assert_double_eq(promised[1], range[1]);
    free(header), free(runtime);
}
END_TEST

SUITE("kernel_header", one_range_of_angles, compiles_everywhere, sines_and_cosines)
