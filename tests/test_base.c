#include "suite.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/diag.h"
#include "base/names.h"
#include "base/number.h"
#include "base/rotation.h"
#include "base/utf8.h"

static const double half_turn = 0x1.921fb54442d18p+1;

static double pseudo_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)*state / 4294967296.0;
}

START_TEST(numbers_are_read_strictly)
{
    static const struct {
        const char *text;
        double value;
    } good[] = {{"0", 0},
                {"-0", -0.0},
                {"+1.5", 1.5},
                {".5", 0.5},
                {"5.", 5},
                {"1e3", 1000},
                {"1E-3", 1e-3},
                {"4.9e-324", 5e-324},
                {"1e-999", 0},
                {"0.1", 0.1},
                {"-2.5e+2", -250.0},
                {"00012", 12},
                {"1.7976931348623157e308", DBL_MAX}};
    static const char *const bad[] = {
        "",    " 1",   "1 ",  "nan",  "inf",  "-inf",  "infinity", "0x10", "1e", "e5",   ".",   "+",   "1,5", "1.5f",
        "--1", "1..2", "1e+", ".nan", ".inf", "1e309", "1_000",    "1e5.", "٣",  "-.e1", "1\n", "0b1", "1d5", "-1e999"};
    double x;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ck_assert_msg(number_parse(good[i].text, strlen(good[i].text), &x), "%s", good[i].text);
        ck_assert_msg(!memcmp(&x, &good[i].value, sizeof x), "%s", good[i].text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(!number_parse(bad[i], strlen(bad[i]), &x), "'%s'", bad[i]);
    ck_assert(number_parse("12345", 3, &x) && x == 123);
    ck_assert(!number_parse("1\0002", 3, &x));
    char digits[2000];
    memset(digits, '1', sizeof digits);
    ck_assert(!number_parse(digits, sizeof digits, &x));
    memset(digits, '0', sizeof digits);
    digits[999] = '7';
    ck_assert(number_parse(digits, 1000, &x) && x == 7);
}
END_TEST

START_TEST(numbers_survive_printing)
{
    char text[NUMBER_SIZE];
    ck_assert_str_eq(number_print(text, 0.1), "0.1");
    ck_assert_str_eq(number_print(text, -0.0), "-0");
    ck_assert_str_eq(number_print(text, 1e22), "1e+22");
    ck_assert_str_eq(number_print(text, 1.0 / 3), "0.3333333333333333");
    unsigned seed = 1;
    for (int i = 0; i < 20000; i++) {
        double x = ldexp(pseudo_random(&seed) - 0.5, (int)(2000 * pseudo_random(&seed)) - 1060), back = 0;
        number_print(text, x);
        ck_assert(number_parse(text, strlen(text), &back) && !memcmp(&x, &back, sizeof x));
    }
    const double edges[] = {DBL_MAX, -DBL_MAX, DBL_MIN, DBL_TRUE_MIN, nextafter(1, 2)};
    for (int i = 0; i < 5; i++) {
        double back;
        number_print(text, edges[i]);
        ck_assert(number_parse(text, strlen(text), &back) && back == edges[i]);
    }
}
END_TEST

/* Not every machine has a locale with a decimal comma; where one is, it must not matter. */
START_TEST(locale_does_not_matter)
{
    static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8", "C.UTF-8"};
    char text[NUMBER_SIZE];
    for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
        if (!setlocale(LC_ALL, locales[i])) continue;
        double x;
        ck_assert(number_parse("1.25", 4, &x) && x == 1.25);
        ck_assert(!number_parse("1,25", 4, &x));
        ck_assert_str_eq(number_print(text, 1.25), "1.25");
    }
    setlocale(LC_ALL, "C");
}
END_TEST

START_TEST(names_map)
{
    arena *a = arena_new();
    names *map = names_new(a);
    enum { N = 5000 };
    for (int i = 0; i < N; i++) ck_assert_int_eq(names_add(map, arena_printf(a, "n%d", i), i), -1);
    for (int i = 0; i < N; i++) ck_assert_int_eq(names_find(map, arena_printf(a, "n%d", i)), i);
    ck_assert_int_eq(names_add(map, "n17", 99), 17);
    ck_assert_int_eq(names_find(map, "n17"), 17);
    ck_assert_int_eq(names_find(map, "n5000"), -1);
    ck_assert_int_eq(names_find(map, ""), -1);
    arena_free(a);
}
END_TEST

START_TEST(nearest_name)
{
    static const char *const words[] = {"name", "parent", "joint", "mass", "com", "inertia"};
    static const struct {
        const char *text, *expected;
    } cases[] = {{"inertai", "inertia"}, {"Mass", "mass"}, {"parnet", "parent"}, {"joints", "joint"},
                 {"colour", NULL},       {"", NULL},       {"x", NULL},          {"centre", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_pstr_eq(names_closest(cases[i].text, words, 6), cases[i].expected);
    char longest[10001];
    memset(longest, 'a', sizeof longest);
    longest[10000] = 0;
    const char *candidate = longest;
    ck_assert_ptr_null(names_closest(longest, words, 6));
    ck_assert_ptr_null(names_closest("mass", &candidate, 1));
}
END_TEST

START_TEST(utf8_is_strict)
{
    static const char *const good[] = {"", "plain", "\xc3\xa9", "\xe2\x80\xa8", "\xf0\x9f\xa4\x96", "\xf4\x8f\xbf\xbf"};
    static const char *const bad[] = {"\x80",
                                      "\xc3",
                                      "a\xff",
                                      "\xc0\xaf",
                                      "\xe0\x80\xaf",
                                      "\xed\xa0\x80",
                                      "\xf0\x80\x80",
                                      "\xf4\x90\x80\x80",
                                      "\xf8\x88\x80\x80",
                                      "\xe2\x80"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) ck_assert_msg(utf8_valid(good[i]), "good %zu", i);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) ck_assert_msg(!utf8_valid(bad[i]), "bad %zu", i);
}
END_TEST

/* |x - truth| in units of truth's last place; long double carries 11 more bits, and angles here stay small enough. */
static double ulps(double x, long double truth)
{
    double t = fabs((double)truth);
    return (double)(fabsl(x - truth) / (nextafter(t, INFINITY) - t));
}

START_TEST(sine_and_cosine_within_an_ulp)
{
    unsigned seed = 7;
    for (int i = 0; i < 100000; i++) {
        double range = i % 3 == 0 ? 7 : i % 3 == 1 ? 1e4 : 1e-3;
        double angle = (pseudo_random(&seed) * 2 - 1) * range, s, c;
        if (i % 11 == 0) angle = (i % 400) * 1.5707963267948966 * (1 + (i % 5) * DBL_EPSILON);
        exact_sincos(angle, &s, &c);
        ck_assert_msg(ulps(s, sinl(angle)) < 0.51 && ulps(c, cosl(angle)) < 0.51, "%.17g", angle);
    }
    double s, c;
    exact_sincos(1e300, &s, &c);
    ck_assert(fabs(s * s + c * c - 1) < 1e-15);
}
END_TEST

START_TEST(right_angles_become_exact)
{
    double R[9];
    const double turned[] = {1.57079632679, 0, -3.14159265359}, expected[] = {-1, 0, 0, 0, 0, 1, 0, 1, 0};
    ck_assert(rotation_from_rpy(turned, 1e-9, R));
    ck_assert(!memcmp(R, expected, sizeof R));
    ck_assert(!rotation_from_rpy(turned, 1e-13, R));
    ck_assert(R[4] != 0 && fabs(R[4]) < 1e-11);
    /* as near as doubles come: exact, and nothing to report */
    ck_assert(!rotation_from_rpy((double[]){half_turn / 2, half_turn, -half_turn / 2}, 1e-9, R));
    for (int i = 0; i < 9; i++) ck_assert(R[i] == 0 || fabs(R[i]) == 1);
    /* one angle snaps, the others stay */
    ck_assert(rotation_from_rpy((double[]){0.3, 1.5707963, 0}, 1e-6, R));
    ck_assert(R[0] == 0 && R[6] == -1 && R[1] == sin(0.3));
    /* roll and yaw cancel at pitch 90 degrees: the whole rotation is a permutation though two angles are not */
    ck_assert(!rotation_from_rpy((double[]){0.3, half_turn / 2, 0.3}, 1e-9, R));
    for (int i = 0; i < 9; i++) ck_assert(R[i] == 0 || fabs(R[i]) == 1);
}
END_TEST

START_TEST(rotations_are_rotations)
{
    unsigned seed = 3;
    double R[9];
    for (int i = 0; i < 1000; i++) {
        double rpy[3];
        for (int k = 0; k < 3; k++) rpy[k] = 8 * pseudo_random(&seed) - 4;
        rotation_from_rpy(rpy, 0, R);
        ck_assert(rotation_error(R) < 1e-15);
        /* columns of Rz Ry Rx: x goes to (cy cp, sy cp, -sp) */
        ck_assert(fabs(R[0] - cos(rpy[2]) * cos(rpy[1])) < 1e-15 && fabs(R[3] - sin(rpy[2]) * cos(rpy[1])) < 1e-15);
        ck_assert(fabs(R[6] + sin(rpy[1])) < 1e-15 && fabs(R[7] - cos(rpy[1]) * sin(rpy[0])) < 1e-15);
    }
    ck_assert(rotation_error((double[]){1, 0, 0, 0, 1, 0, 0, 0, -1}) >= 1);
    ck_assert(rotation_error((double[]){1, 1e-6, 0, 0, 1, 0, 0, 0, 1}) > 1e-7);
    ck_assert(!(rotation_error((double[]){1e300, 0, 0, 0, 1e300, 0, 0, 0, 1e300}) <= 1e-9));
}
END_TEST

START_TEST(axes_become_unit_vectors)
{
    double a[] = {3, 0, 4}, tiny[] = {0, -1e-310, 0}, huge[] = {1e308, 1e308, 1e308}, none[] = {0, -0.0, 0};
    ck_assert(axis_normalise(a) == 5 && a[0] == 0.6 && a[2] == 0.8);
    ck_assert(axis_normalise(tiny) > 0 && tiny[1] == -1);
    axis_normalise(huge);
    ck_assert(fabs(huge[0] - sqrt(1.0 / 3)) < 1e-15);
    ck_assert(axis_normalise(none) == 0);
    unsigned seed = 5;
    for (int i = 0; i < 10000; i++) {
        double once[3], twice[3];
        for (int k = 0; k < 3; k++) once[k] = pseudo_random(&seed) - 0.5;
        axis_normalise(once);
        memcpy(twice, once, sizeof once);
        axis_normalise(twice);
        ck_assert(!memcmp(once, twice, sizeof once));
    }
}
END_TEST

/* Messages that differ in a name only are one, at the place of the first. */
START_TEST(repeated_messages_fold)
{
    static const char *const called[] = {"a", "b", "c", "%s\n", "e"}, *const texts[] = {
                                                                          "link 'a' is odd (1)",
                                                                          "2 links are odd: 'a' and 'b'",
                                                                          "3 links are odd: 'a', 'b' and 'c'",
                                                                          "4 links are odd: 'a', 'b', 'c' and 1 more",
                                                                          "5 links are odd: 'a', 'b', 'c' and 2 more",
                                                                      };
    arena *memory = arena_new();
    diag d = diag_new(memory);
    for (int i = 0; i < 5; i++) {
        char name[8], many[] = "links are odd";
        strcpy(name, called[i]);
        diag_each(&d, DIAG_WARNING, (place){"f", 3 + i, 1}, i ? many : "links are odd", name, "link '%s' is odd (%d)",
                  name, 1 + i);
        ck_assert_str_eq(d.first->text, texts[i]);
        ck_assert(d.warnings == 1 && d.first == d.last && d.first->at.line == 3 && d.first->count == i + 1);
    }
    arena_free(memory);
}
END_TEST

START_TEST(other_messages_do_not_fold)
{
    static const struct {
        const char *file, *many;
        diag_level level;
    } kinds[] = {{"f", "links are odd", DIAG_WARNING},
                 {"f", "links are odd", DIAG_NOTE},
                 {"f", "links are even", DIAG_WARNING},
                 {"g", "links are odd", DIAG_WARNING},
                 {NULL, "links are odd", DIAG_WARNING}};
    arena *memory = arena_new();
    diag d = diag_new(memory);
    for (int i = 0; i < 1000; i++)
        diag_each(&d, kinds[i % 5].level, (place){kinds[i % 5].file, i, 1}, kinds[i % 5].many, "x", "x");
    diag_warning(&d, (place){"f", 1, 1}, "links are odd");
    int items = 0, folded = 0;
    for (const diag_item *i = d.first; i; i = i->next, items++) folded += i->count;
    ck_assert(items == 6 && folded == 1001 && d.warnings == 5);
    arena_free(memory);
}
END_TEST

START_TEST(long_names_are_cut)
{
    char name[5000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    arena *memory = arena_new();
    diag d = diag_new(memory);
    for (int i = 0; i < 2000; i++) diag_each(&d, DIAG_NOTE, (place){0}, "links", name, "%s", name);
    ck_assert_str_eq(d.first->text + strlen(d.first->text) - 14, " and 1997 more");
    ck_assert_int_lt((int)strlen(d.first->text), 700);
    arena_free(memory);
}
END_TEST

SUITE("base", numbers_are_read_strictly, numbers_survive_printing, locale_does_not_matter, names_map, nearest_name,
      utf8_is_strict, sine_and_cosine_within_an_ulp, right_angles_become_exact, rotations_are_rotations,
      axes_become_unit_vectors, repeated_messages_fold, other_messages_do_not_fold, long_names_are_cut)
