#include "suite.h"

#include <string.h>
#include <unistd.h>
#include "command.h"

static const struct {
    const char *arguments;
    int status;
    const char *says; /* somewhere in the output */
} cases[] = {
    {"--version", 0, "svagen " SVAGEN_VERSION "\n"},
    {"--help", 0, "usage: svagen VERB"},
    {"-h", 0, "inspect"},
    {"inspect --help", 0, "usage: svagen inspect ROBOT"},
    {"inspect nowhere.yaml -h", 0, "--allow-unphysical"},
    {"", 2, "no verb given (see svagen --help)"},
    {"inspct x", 2, "unknown verb 'inspct', did you mean 'inspect'?"},
    {"--vresion", 2, "unknown option '--vresion', did you mean '--version'?"},
    {"zebra", 2, "unknown verb 'zebra' (see"},
    {"inspect", 2, "an argument is missing: svagen inspect ROBOT"},
    {"inspect a b", 2, "unexpected argument 'b'"},
    {"inspect a --jsn", 2, "unknown option '--jsn', did you mean '--json'? (see svagen inspect --help)"},
    {"inspect a --json=1", 2, "option --json takes no value"},
    {"inspect a --base", 2, "option --base needs a value: fixed|floating"},
    {"inspect a --base floatin", 2, "option --base: 'floatin' found, fixed|floating expected"},
    {"inspect a --base fixed\\|floating", 2, "fixed|floating expected"},
    {"inspect a --mimic=", 2, "dependent|independent expected"},
    {"inspect a --gravity 0,0", 2, "option --gravity: '0,0' found, X,Y,Z|runtime expected"},
    {"inspect a --gravity 0,0,1,2", 2, "X,Y,Z|runtime expected"},
    {"inspect a --gravity 0,0,nan", 2, "X,Y,Z|runtime expected"},
    {"inspect a --clean -1", 2, "option --clean: '-1' found, TOL expected"},
    {"inspect a --name ''", 2, "option --name: '' found"},
    {"inspect tests/nowhere.yaml", 1, "tests/nowhere.yaml: error: "},
    {"inspect -- --json", 1, "--json: error: "},
    {"inspect tests", 1, "tests: error: "},
    {"inspect robots/ur5.yaml", 0, "ur5: fixed base, nq 6, nv 6"},
    {"inspect --base floating robots/ur5.yaml", 0, "ur5: floating base, nq 13, nv 12"},
    {"inspect robots/ur5.yaml --name=arm", 0, "arm: fixed base"},
    {"inspect robots/hyq.yaml --base fixed", 0, "nq 12, nv 12"},
    {"inspect robots/hyq.yaml", 0, "5 links have an inertia that no body has"},
    {"inspect a --armature -1", 2, "option --armature: '-1' found, VALUE expected"},
    {"inspect a --armature 1e999", 2, "option --armature: '1e999' found"},
    {"inspect robots/panda.yaml", 0, "nq 8, nv 8"},
    {"inspect robots/panda.yaml --mimic independent", 0, "nq 9, nv 9"},
    {"inspect robots/ur5.yaml --gravity -1,2e0,0.5", 0, "gravity (-1, 2, 0.5)"},
    {"inspect robots/ur5.yaml --gravity runtime", 0, "gravity at run time"},
    {"generate robots/ur5.yaml --model --dump model", 0, "shoulder_link"},
    {"compare robots/ur5.yaml --model", 2, "unknown option '--model'"},
    {"chain 0", 2, "N: '0' found, a number from 1 to"},
    {"chain 3x", 2, "N: '3x' found"},
    {"chain 99999999999999999999", 2, "a number from 1 to"},
    {"chain 3 --branching 0", 2, "option --branching: at least 1 expected"},
    {"chain 3 --branching -1", 2, "option --branching: '-1' found"},
    {"chain 3 --branching 2", 0, "name: chain_3_2"},
    {"chain 3 -o /nowhere/at/all.yaml", 1, "/nowhere/at/all.yaml: error: cannot write: No such file or directory"},
    {"chain 3 > /dev/full", 1, ""},
    {"generate tests/data/limits/too_heavy.yaml --kernels idsva -o /tmp/svagen_test_never", 1,
     "kernel idsva cannot be made: a constant at joint 'first' is not a finite number"},
    {"generate tests/data/limits/too_heavy_in_float.yaml --kernels rnea --real float -o /tmp/svagen_test_never", 1,
     "kernel rnea cannot be made: a constant at joint 'first' is not a finite number"},
    {"generate tests/data/limits/too_heavy_in_float.yaml --kernels idsva --dump schedule", 0,
     "# idsva\n## for any machine"},
    {"bench", 2, "an argument is missing: svagen bench accuracy|complexity"},
    {"bench precision", 2, "'precision' found, accuracy, complexity (if built with a C++ compiler) or kernels"},
    {"bench accuracy robots/ur5.yaml robots/none.yaml", 1, "ur5                6  float "},
    {"bench accuracy --links 10 --csv", 0, "\n\"chain_10_5\",10,double,"},
};

START_TEST(codes_and_messages)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        command c = run_svagen(cases[i].arguments);
        ck_assert_msg(c.status == cases[i].status, "svagen %s: exit code %d\n%s", cases[i].arguments, c.status, c.out);
        ck_assert_msg(strstr(c.out, cases[i].says), "svagen %s: no \"%s\" in\n%s", cases[i].arguments, cases[i].says,
                      c.out);
        free(c.out);
    }
}
END_TEST

/* Every verb that --help lists has help of its own, with its name and its options. */
START_TEST(every_verb_has_help)
{
    command top = run_svagen("--help");
    int verbs = 0;
    char *line = strstr(top.out, "Verbs:\n");
    ck_assert_ptr_nonnull(line);
    for (line = strchr(line, '\n') + 1; *line == ' '; line = strchr(line, '\n') + 1, verbs++) {
        char verb[32], arguments[64], usage[64];
        ck_assert_int_eq(sscanf(line, "%31s", verb), 1);
        snprintf(arguments, sizeof arguments, "%s --help", verb);
        snprintf(usage, sizeof usage, "usage: svagen %s ", verb);
        command c = run_svagen(arguments);
        ck_assert_int_eq(c.status, 0);
        ck_assert_msg(!strncmp(c.out, usage, strlen(usage)) && strstr(c.out, "\nOptions:\n"), "%s: %s", verb, c.out);
        free(c.out);
    }
    ck_assert_int_ge(verbs, 3);
    free(top.out);
}
END_TEST

START_TEST(results_and_messages_go_apart)
{
    command c = run_shell("'" SVAGEN_BINARY "' nonsense 2>/dev/null");
    ck_assert_str_eq(c.out, "");
    free(c.out);
    c = run_shell("'" SVAGEN_BINARY "' --help 2>&1 >/dev/null");
    ck_assert_str_eq(c.out, "");
    free(c.out);
}
END_TEST

/* In an empty folder: what is there after a line of shell. */
static void check_folder(const char *shell, const char *expected)
{
    char folder[] = "/tmp/svagen_cli_XXXXXX", line[1024];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(line, sizeof line,
             "S='%s'; R=$PWD/robots; cd %s; { %s; } >/dev/null 2>&1; ls | while read f; do echo $f $(head -n 1 $f); "
             "done; rm -r %s",
             SVAGEN_BINARY, folder, shell, folder);
    command c = run_shell(line);
    ck_assert_msg(!strcmp(c.out, expected), "%s:\n%s", shell, c.out);
    free(c.out);
}

START_TEST(files_are_whole_or_untouched)
{
    check_folder("\"$S\" chain 3 -o a.yaml", "a.yaml svagen: 1\n");
    check_folder("echo old > a.yaml; \"$S\" chain 3 -o a.yaml", "a.yaml svagen: 1\n");
    check_folder("\"$S\" chain 0 -o a.yaml", "");
    check_folder("\"$S\" chain 3 --wrong -o a.yaml", "");
    check_folder("echo old > a.yaml; \"$S\" chain 0 -o a.yaml", "a.yaml old\n");
    check_folder("echo '<robot>' > a; \"$S\" import a -o b.yaml", "a <robot>\n");
    check_folder("echo old > b; echo 'svagen: 1' > a; \"$S\" import a -o b", "a svagen: 1\nb old\n");
    check_folder("mkdir b; \"$S\" chain 3 -o b; rmdir b", "");
    check_folder("echo old > a; ln -s a b; \"$S\" chain 3 -o b; test -h b || rm b", "a svagen: 1\nb svagen: 1\n");
    check_folder("\"$S\" chain 3 -o /dev/null; test -c /dev/null && echo still > a", "a still\n");
    check_folder("\"$S\" chain 3 -o - > a", "a svagen: 1\n");
}
END_TEST

START_TEST(a_written_chain_can_be_inspected)
{
    command c = run_shell("f=$(mktemp) && '" SVAGEN_BINARY "' chain 7 --branching 2 -o $f && '" SVAGEN_BINARY
                          "' inspect --ascii $f; rm $f");
    ck_assert_int_eq(c.status, 0);
    ck_assert_ptr_nonnull(strstr(c.out, "nq 7, nv 7\n7 bodies, depth 3, branches 3"));
    free(c.out);
}
END_TEST

SUITE("cli", codes_and_messages, every_verb_has_help, results_and_messages_go_apart, files_are_whole_or_untouched,
      a_written_chain_can_be_inspected)
