#include "suite.h"

#include <ctype.h>
#include <glob.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "base/text.h"
#include "command.h"
#include "model/sparsity.h"

/* Whether a text starts with one JSON value (RFC 8259), and where it ends; NULL: it does not. */
static const char *json_value(const char *s);

static const char *json_blanks(const char *s) { return s + strspn(s, " \n\r\t"); }

static const char *json_string(const char *s)
{
    for (s++; *s != '"'; s++) {
        if ((unsigned char)*s < 0x20) return NULL;
        if (*s != '\\') continue;
        s++;
        if (*s == 'u' && strspn(s + 1, "0123456789abcdefABCDEF") < 4) return NULL;
        if (!*s || !strchr("\"\\/bfnrtu", *s)) return NULL;
    }
    return s + 1;
}

static const char *json_number(const char *s)
{
    s += *s == '-';
    if (!isdigit((unsigned char)*s) || (*s == '0' && isdigit((unsigned char)s[1]))) return NULL;
    s += strspn(s, "0123456789");
    if (*s == '.') {
        if (!isdigit((unsigned char)s[1])) return NULL;
        s += 1 + strspn(s + 1, "0123456789");
    }
    if (*s != 'e' && *s != 'E') return s;
    s += s[1] == '-' || s[1] == '+' ? 2 : 1;
    return isdigit((unsigned char)*s) ? s + strspn(s, "0123456789") : NULL;
}

static const char *json_items(const char *s, char close)
{
    s = json_blanks(s + 1);
    if (*s == close) return s + 1;
    for (;; s++) {
        s = json_blanks(s);
        if (close == '}') {
            if (*s != '"' || !(s = json_string(s))) return NULL;
            s = json_blanks(s);
            if (*s++ != ':') return NULL;
        }
        if (!(s = json_value(s))) return NULL;
        s = json_blanks(s);
        if (*s == close) return s + 1;
        if (*s != ',') return NULL;
    }
}

static const char *json_value(const char *s)
{
    static const char *const words[] = {"true", "false", "null"};
    s = json_blanks(s);
    if (*s == '"') return json_string(s);
    if (*s == '{' || *s == '[') return json_items(s, *s == '{' ? '}' : ']');
    for (int i = 0; i < 3; i++)
        if (!strncmp(s, words[i], strlen(words[i]))) return s + strlen(words[i]);
    return json_number(s);
}

static void check_json(const char *about, const char *text)
{
    const char *end = json_value(text);
    ck_assert_msg(end && !*json_blanks(end), "%s: not JSON:\n%s", about, text);
}

START_TEST(every_robot_is_shown_in_both_ways)
{
    glob_t found;
    ck_assert_int_eq(glob("robots/*.yaml", 0, NULL, &found), 0);
    ck_assert_int_ge((int)found.gl_pathc, 5);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments, "inspect --ascii %s", found.gl_pathv[i]);
        command text = run_svagen(arguments);
        snprintf(arguments, sizeof arguments, "inspect --json %s", found.gl_pathv[i]);
        command json = run_svagen(arguments);
        ck_assert_msg(text.status == 0 && strstr(text.out, "\nground\n"), "%s: %s", found.gl_pathv[i], text.out);
        for (const char *c = text.out; *c; c++) ck_assert_msg(*c == '\n' || (*c >= 32 && *c < 127), "%s", text.out);
        ck_assert_int_eq(json.status, 0);
        check_json(found.gl_pathv[i], json.out);
        free(text.out);
        free(json.out);
    }
    globfree(&found);
}
END_TEST

static void check_says(const char *arguments, const char *const *expected)
{
    command c = run_svagen(arguments);
    for (; *expected; expected++)
        ck_assert_msg(strstr(c.out, *expected), "%s: no \"%s\" in\n%s", arguments, *expected, c.out);
    free(c.out);
}

START_TEST(a_quadruped)
{
    static const char *const text[] = {
        "hyq: floating base, nq 19, nv 18\n13 bodies, depth 4, branches 1, frames 19\n",
        "ground\n`- root_joint       floating ",
        "\n   |- lf_haa_joint  revolute    z     2.93 kg  lf_hipassembly\n   |  lf_hfe_joint  ",
        "\n   `- rh_haa_joint  ",
        "\n      rh_kfe_joint  ",
        "mass matrix: 216 of 324 entries can be non-zero (66.7%)\n  xxxxxxxxxxxxxxxxxx\n",
        "\n  xxxxxx...xxx......\n",
        "  4 x 3 bodies: lf_haa_joint, rf_haa_joint, lh_haa_joint, rh_haa_joint\n",
        NULL,
    };
    static const char *const json[] = {
        "\"base\": \"floating\",\n  \"gravity\": [0, 0, -9.81],\n  \"nq\": 19,\n  \"nv\": 18,\n",
        "\"nonzeros\": 216,",
        "{\"n_limbs\": 4, \"n_bodies\": 3, \"outer\": -1, \"roots\": [1, 4, 7, 10]}",
        NULL,
    };
    check_says("inspect --ascii robots/hyq.yaml", text);
    check_says("inspect --json robots/hyq.yaml", json);
}
END_TEST

START_TEST(mimic_joints)
{
    static const char *const text[] = {"panda_rightfinger  = panda_finger_joint1\n", "mass matrix: 64 of 64", NULL};
    static const char *const json[] = {
        "\"iv\": 7, \"nv\": 0, \"mimic\": {\"body\": 7, \"multiplier\": 1, \"offset\": 0}", NULL};
    static const char *const free_fingers[] = {"mass matrix: 79 of 81", "2 x 1 body: panda_finger_joint1", NULL};
    check_says("inspect --ascii robots/panda.yaml", text);
    check_says("inspect --json robots/panda.yaml", json);
    check_says("inspect --mimic independent robots/panda.yaml", free_fingers);
}
END_TEST

START_TEST(lines_follow_the_locale)
{
    command plain = run_shell("LC_ALL=C '" SVAGEN_BINARY "' inspect robots/hyq.yaml");
    command utf8 = run_shell("LC_ALL=C.UTF-8 '" SVAGEN_BINARY "' inspect robots/hyq.yaml");
    ck_assert_ptr_nonnull(strstr(plain.out, "|- lf_haa"));
    ck_assert_ptr_nonnull(strstr(utf8.out, "├─ lf_haa"));
    free(plain.out);
    free(utf8.out);
}
END_TEST

/* Names are data: escaped in the terminal, whole in JSON. */
START_TEST(hostile_names)
{
    char path[] = "/tmp/svagen_inspect_XXXXXX", arguments[128];
    FILE *f = fdopen(mkstemp(path), "w");
    fputs("<robot name='a&quot;b\\c'><link name='w'/><link name='&#10;*/%s&lt;\xc2\x9b"
          "1m\xe2\x80\xae\xc3\xa9'>"
          "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
          "<joint name='j&#127;",
          f);
    for (int i = 0; i < 10000; i++) fputc('n', f);
    fputs("' type='continuous'><parent link='w'/><child link='&#10;*/%s&lt;\xc2\x9b"
          "1m\xe2\x80\xae\xc3\xa9'/></joint></robot>\n",
          f);
    fclose(f);
    snprintf(arguments, sizeof arguments, "inspect --ascii %s", path);
    static const char *const text[] = {"a\"b\\\\c: fixed base", "`- j\\x7fnnn", "...  continuous ",
                                       "\\n*/%s<\\u009b1m\\u202e\\u00e9", NULL};
    check_says(arguments, text);
    snprintf(arguments, sizeof arguments, "inspect --json %s", path);
    static const char *const json[] = {"\"name\": \"a\\\"b\\\\c\"", "\\u000a*/%s<\\u009b1m\\u202e\\u00e9\"",
                                       "\"j\\u007fnn", NULL};
    check_says(arguments, json);
    command c = run_svagen(arguments);
    check_json("hostile names", c.out);
    free(c.out);
    unlink(path);
}
END_TEST

static const struct {
    const char *text, *shown, *json;
} texts[] = {
    {"plain", "plain", "\"plain\""},
    {"a\tb\nc\r\\\x1b[", "a\\tb\\nc\\r\\\\\\x1b[", "\"a\\u0009b\\u000ac\\u000d\\\\\\u001b[\""},
    {"\xc3\xa4\xf0\x9f\xa4\x96", "\xc3\xa4\xf0\x9f\xa4\x96", "\"\\u00e4\\ud83e\\udd16\""},
    {"a\xff"
     "b\xc3",
     "a\\xffb\\xc3", "\"a\\ufffdb\\ufffd\""},
    {"\xc0\xaf\xed\xa0\x80", "\\xc0\\xaf\\xed\\xa0\\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\""},
};

START_TEST(texts_are_escaped)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *shown, *json;
        size_t size;
        FILE *f = open_memstream(&shown, &size);
        text_print(texts[i].text, false, f);
        fclose(f);
        f = open_memstream(&json, &size);
        text_print_json(texts[i].text, f);
        fclose(f);
        ck_assert_str_eq(shown, texts[i].shown);
        ck_assert_str_eq(json, texts[i].json);
        free(shown);
        free(json);
    }
}
END_TEST

START_TEST(long_texts_are_cut)
{
    char *shown;
    size_t size;
    FILE *f = open_memstream(&shown, &size);
    ck_assert_int_eq(text_print_cut("\xc3\xa4"
                                    "bcdefgh",
                                    8, false, f),
                     8);
    ck_assert_int_eq(text_print_cut("\xc3\xa4"
                                    "bcdefgh",
                                    7, false, f),
                     7);
    ck_assert_int_eq(text_print_cut("abc\ndefgh", 7, false, f), 6); /* half an escape is not printed */
    ck_assert_int_eq(text_print_cut("abc", 7, false, NULL), 3);
    fclose(f);
    ck_assert_str_eq(shown, "\xc3\xa4"
                            "bcdefgh\xc3\xa4"
                            "bcd...abc...");
    free(shown);
}
END_TEST

/* Whether degree of freedom i moves body b, by its path of joints. */
static bool moves(const model *m, int i, int b)
{
    for (; b >= 0; b = m->bodies[b].parent) {
        const model_body *mover = m->bodies[b].master < 0 ? &m->bodies[b] : &m->bodies[m->bodies[b].master];
        if (i >= mover->iv && i < mover->iv + mover->nv) return true;
    }
    return false;
}

static bool together(const model *m, int i, int j)
{
    for (int b = 0; b < m->n_bodies; b++)
        if (moves(m, i, b) && moves(m, j, b)) return true;
    return false;
}

START_TEST(pattern_is_what_moves_together)
{
    static const char *const paths[] = {"robots/every_joint.yaml", "robots/talos.yaml", "robots/baxter.yaml"};
    for (int k = 0; k < 3; k++) {
        arena *memory = arena_new();
        diag d = diag_new(memory);
        robot *r = robot_read(memory, paths[k], &(read_options){0}, &d);
        ck_assert_ptr_nonnull(r);
        model *m = model_build(memory, r, &(model_options){0}, &d);
        sparsity s = sparsity_of_mass_matrix(memory, m);
        long nonzeros = 0;
        for (int i = 0; i < m->nv; i++)
            for (int j = 0; j < m->nv; j++) {
                ck_assert_int_eq(sparsity_at(&s, i, j), together(m, i, j));
                nonzeros += together(m, i, j);
            }
        ck_assert_int_eq(nonzeros, s.nonzeros);
        arena_free(memory);
    }
}
END_TEST

START_TEST(talos_is_quick)
{
    double best = 1;
    for (int i = 0; i < 5; i++) {
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        free(run_svagen("inspect robots/talos.yaml").out);
        clock_gettime(CLOCK_MONOTONIC, &to);
        double seconds = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
        if (seconds < best) best = seconds;
    }
#if defined(__SANITIZE_ADDRESS__)
    best /= 10; /* the sanitizers' start alone is slow */
#endif
    ck_assert_msg(best < 0.05, "%g s", best);
}
END_TEST

START_TEST(large_trees_are_summarised)
{
    command c = run_shell("f=$(mktemp) && '" SVAGEN_BINARY "' chain 130 -o $f && '" SVAGEN_BINARY
                          "' inspect --ascii $f; rm $f");
    ck_assert_ptr_nonnull(strstr(c.out, "each sign stands for 3 x 3 entries\n  "));
    ck_assert_ptr_nonnull(strstr(c.out, "`- joint_1    revolute"));
    ck_assert_ptr_nonnull(strstr(c.out, "\n   joint_130  revolute"));
    free(c.out);
}
END_TEST

/* As exported by CAD programs: a wheel and 60 links fixed to the root, of which every fifth has inertia without mass,
   and joints with limits the wrong way round. */
START_TEST(one_cause_is_one_warning)
{
    char path[] = "/tmp/svagen_inspect_XXXXXX", arguments[128];
    FILE *f = fdopen(mkstemp(path), "w");
    fputs("<robot name='cad'><link name='base'/>\n", f);
    for (int i = 0; i < 60; i++)
        fprintf(f,
                "<link name='part_%d'><inertial><mass value='%d'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
                "iyz='0'/></inertial></link><joint name='rigid_%d' type='fixed'><parent link='base'/><child "
                "link='part_%d'/></joint>\n",
                i, i % 5 != 0, i, i);
    for (int i = 0; i < 2; i++)
        fprintf(f,
                "<link name='wheel_%d'/><joint name='turn_%d' type='revolute'><parent link='base'/><child "
                "link='wheel_%d'/><limit lower='1' upper='0' effort='1' velocity='1'/></joint>\n",
                i, i, i);
    fputs("</robot>\n", f);
    fclose(f);
    char inertia[200], limits[200], wheels[200];
    static const char have[] =
        ":2:1: warning: 12 links have inertia without mass: 'part_0', 'part_5', 'part_10' and 9 more\n";
    snprintf(inertia, sizeof inertia, "%s%s", path, have);
    snprintf(limits, sizeof limits,
             "%s:62:23: warning: 2 joints have a lower limit above the upper limit: 'turn_0' and 'turn_1'\n", path);
    snprintf(wheels, sizeof wheels,
             "%s:62:23: warning: joint 'turn_0' moves no mass and has no armature (and 1 more joint: 'turn_1')", path);
    snprintf(arguments, sizeof arguments, "inspect %s", path);
    check_says(arguments, (const char *const[]){"\n3 warnings, 0 notes\n", inertia, limits, wheels, NULL});
    snprintf(arguments, sizeof arguments, "inspect --json %s", path);
    check_says(arguments, (const char *const[]){"\"line\": 2, \"column\": 1, \"count\": 12, \"text\": \"12 links have",
                                                "\"condition\": null", "\"obstacle\": \"mass\"", NULL});
    snprintf(arguments, sizeof arguments, "inspect --json --armature 0.25 %s", path);
    check_says(arguments,
               (const char *const[]){"\"armature\": [0.25]", "\"condition\": 1\n", "\"obstacle\": null", NULL});
    unlink(path);
}
END_TEST

SUITE("inspect", every_robot_is_shown_in_both_ways, a_quadruped, mimic_joints, lines_follow_the_locale, hostile_names,
      texts_are_escaped, long_texts_are_cut, pattern_is_what_moves_together, talos_is_quick, large_trees_are_summarised,
      one_cause_is_one_warning)
