/* What users of a generated folder meet: its header, its names, several folders in one program or one file. */
#include "fixture.h"
#include "own_folder.h"
#include "suite.h"

/* Writes a file; the text must not contain END. */
static void write_text(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
}

/* Two links that fixed joints hold, joints with and without limits, names that become one name. */
static const char arm[] = "svagen: 1\n"
                          "name: arm\n"
                          "links:\n"
                          "  - name: base\n"
                          "    mass: 3\n"
                          "    com: [0, 0, 0.1]\n"
                          "    inertia: {xx: 0.02, yy: 0.02, zz: 0.02}\n"
                          "  - name: upper\n"
                          "    parent: base\n"
                          "    joint: {name: turn-1, type: revolute, axis: [0, 1, 0], limits: {lower: -1, upper: 2, "
                          "velocity: 3, effort: 4}}\n"
                          "    mass: 2\n"
                          "    com: [0, 0.01, -0.2]\n"
                          "    inertia: {xx: 0.02, yy: 0.03, zz: 0.01}\n"
                          "  - name: tool one\n"
                          "    parent: upper\n"
                          "    joint: {name: weld, type: fixed, xyz: [0.1, 0.02, -0.3], rpy: [0.3, -0.4, 0.5]}\n"
                          "  - name: lower\n"
                          "    parent: upper\n"
                          "    joint: {name: turn_1, type: continuous, axis: [1, 0, 0], xyz: [0, 0, -0.4]}\n"
                          "    mass: 1\n"
                          "    com: [0.02, 0, -0.2]\n"
                          "    inertia: {xx: 0.01, yy: 0.01, zz: 0.002}\n"
                          "  - name: tool_one\n"
                          "    parent: lower\n"
                          "    joint: {name: weld2, type: fixed, xyz: [0, 0, -0.3]}\n";

static void generate_arm(const char *options, const char *to)
{
    write_text("arm.yaml", arm);
    MUST("'%s' generate arm.yaml -o %s %s", SVAGEN_BINARY, to, options);
}

static void in_every_language(const char *options, const char *source, const char *files)
{
    for (int c = 0; c < COMPILERS; c++)
        if (present(&compilers[c]))
            MUST("%s %s -O1 %s %s %s -lm -o user && ./user", compilers[c].command, STRICT, options, source, files);
}

/* ---- the description and the header's names */

START_TEST(names_and_limits)
{
    generate_arm("--kernels rnea,fk,jac,rnea_fext --frames 'tool one,upper' --fext lower --lanes 2", "arm");
    write_text("user.c",
               "#include <string.h>\n"
               "#include \"arm.h\"\n"
               "int main(void) {\n"
               "    const sva_robot *r = &arm_robot;\n"
               "    const sva_joint *one = &r->joints[ARM_JOINT_TURN_1], *two = &r->joints[ARM_JOINT_TURN_1_2];\n"
               "    const sva_kernel *k = r->kernels;\n"
               "    double q[3][ARM_NQ] = {{1, 2}, {3, 4}, {5, 6}}, tau[3][ARM_NV], t[ARM_NV];\n"
               "    const sva_real *in[] = {q[0], q[0], q[0]};\n"
               "    sva_real *out[] = {tau[0]};\n"
               "    if (strcmp(one->name, \"turn-1\") || strcmp(two->name, \"turn_1\")) return 1;\n"
               "    if (one->lower != -1 || one->upper != 2 || one->velocity != 3 || one->effort != 4) return 2;\n"
               "    if (two->lower != -SVA_INFINITE || two->velocity != SVA_INFINITE) return 3;\n"
               "    if (ARM_Q_TURN_1 != 0 || ARM_V_TURN_1_2 != 1 || ARM_N_JOINTS != 2) return 4;\n"
               "    if (strcmp(r->frames[ARM_FRAME_TOOL_ONE], \"tool one\")) return 5;\n"
               "    if (strcmp(r->frames[ARM_FRAME_TOOL_ONE_2], \"tool_one\") || ARM_N_FRAMES != 5) return 6;\n"
               "    if (ARM_JAC_TOOL_ONE != 0 || ARM_JAC_UPPER != 1 || ARM_N_JAC != 2 || ARM_N_FEXT != 1) return 7;\n"
               "    if (r->abi != SVA_ABI || strlen(r->model) != 16 || k->stack < 8) return 8;\n"
               "    if (strcmp(k->in[0].meaning, \"configuration\") || k->in[1].shape[0] != 2) return 9;\n"
               "    if (k->in[1].shape[1] != 1 || !strstr(k->in[1].unit, \"rad/s\") || !*k->equation) return 10;\n"
               "    if (k[1].lanes != 2 || k[1].batch) return 11;\n"
               "    k->batch(3, in, out);\n"
               "    arm_rnea(q[2], q[2], q[2], t);\n"
               "    return memcmp(t, tau[2], sizeof t) ? 12 : 0;\n"
               "}\n");
    MUST("cc -Iarm user.c arm/*.c -lm -o user && ./user");
}
END_TEST

static char *hash_of(const char *folder)
{
    command c = shell("sed -n 's/^ *Model: \\([0-9a-f]*\\),.*/\\1/p' %s/arm.h", folder);
    ck_assert_int_eq((int)strlen(c.out), 17);
    return c.out;
}

/* Two tools, two hashes. */
START_TEST(the_hash_knows_frames)
{
    generate_arm("--kernels fk", "one");
    char *one = hash_of("one");
    MUST("sed 's/0.1, 0.02, -0.3/0.1, 0.02, -0.31/' arm.yaml >other.yaml && '%s' generate other.yaml -o two --kernels "
         "fk",
         SVAGEN_BINARY);
    char *two = hash_of("two");
    ck_assert_str_ne(one, two);
    free(one), free(two);
}
END_TEST

/* ---- the header in words */

static void expect_words(const char *file, const char *words)
{
    command c = shell("tr -s ' \\n' '  ' <%s | grep -cF '%s'", file, words);
    ck_assert_msg(c.status == 0, "%s does not say '%s'", file, words);
    free(c.out);
}

START_TEST(header_in_words)
{
    generate_arm("--kernels rnea,idsva,fk,jac,rnea_fext --frames upper --lanes 4", "arm");
    static const char *const words[] = {
        "Do not edit",
        "tau = M(q) a + h(q, v)",
        "dtau_dq[i][j] = d tau_i / d q_j",
        "out J[6*ARM_N_JAC*ARM_NV]",
        "out pose[12*ARM_N_FRAMES]",
        "in fext[6*ARM_N_FEXT]",
        "linear velocity of the frame",
        "(rad/s, m/s)",
        "An output must not overlap",
        "outputs that are NULL are not wanted",
        "element i of state l at [W*i + l]",
        "SE(3)",
        "Stack: ",
        "entries can be other than zero",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) expect_words("arm/arm.h", words[i]);
    ck_assert(!can("grep -E '\\[(60|2|24)\\]' arm/arm.h"));
}
END_TEST

/* ---- outputs of batches that are not wanted */

START_TEST(batch_without_outputs)
{
    generate_arm("--kernels idsva,fk --lanes 2,4", "arm");
    write_text("user.c", "#include <string.h>\n"
                         "#include \"arm.h\"\n"
                         "enum { COUNT = 11, N = ARM_NV * ARM_NV };\n"
                         "static double q[COUNT * ARM_NQ], v[COUNT * ARM_NV], a[COUNT * ARM_NV];\n"
                         "static double both[2][COUNT * N], one[COUNT * N];\n"
                         "int main(void) {\n"
                         "    for (int i = 0; i < COUNT * ARM_NQ; i++) q[i] = i, v[i] = 0.1 * i, a[i] = -0.3 * i;\n"
                         "    arm_idsva_batch(COUNT, q, v, a, both[0], both[1]);\n"
                         "    arm_idsva_batch(COUNT, q, v, a, NULL, one);\n"
                         "    if (memcmp(one, both[1], sizeof one)) return 1;\n"
                         "    arm_idsva_batch(COUNT, q, v, a, one, NULL);\n"
                         "    if (memcmp(one, both[0], sizeof one)) return 2;\n"
                         "    arm_idsva_batch(COUNT, q, v, a, NULL, NULL);\n"
                         "    arm_fk_batch(COUNT, q, NULL);\n"
                         "    return 0;\n"
                         "}\n");
    MUST("cc -O1 -Iarm user.c arm/*.c -lm -o user && ./user");
    MUST("cc -O1 -Iarm -DSVA_VECTORS=0 -w user.c arm/*.c -lm -o user && ./user");
}
END_TEST

/* ---- two number types */

static const char two_types[] =
    "int main(void) {\n"
    "    const sva_robot_double *d = &twofold_robot;\n"
    "    const sva_robot_float *f = &single_robot;\n"
    "    double M[TWOFOLD_NV * TWOFOLD_NV], q[TWOFOLD_NQ] = {0.5, 1};\n"
    "    float N[SINGLE_NV * SINGLE_NV], p[SINGLE_NQ] = {0.5f, 1};\n"
    "    sva_real_double *out[1];\n"
    "    const sva_real_double *in[1];\n"
    "    double worst = 0;\n"
    "    twofold_crba(q, M);\n"
    "    single_crba(p, N);\n"
    "    for (int i = 0; i < SINGLE_NV * SINGLE_NV; i++)\n"
    "        if (M[i] - N[i] > worst || N[i] - M[i] > worst) worst = M[i] > N[i] ? M[i] - N[i] : N[i] - M[i];\n"
    "    in[0] = q, out[0] = M;\n"
    "    d->kernels[0].call(in, out);\n"
    "    return !(d->real_size == 8 && f->real_size == 4 && worst < 1e-6 && worst > 0);\n"
    "}\n";

static void generate_two_types(const char *more)
{
    char options[300];
    snprintf(options, sizeof options, "--name twofold --kernels crba,idsva,fdsva --lanes 2,4 %s", more);
    generate_arm(options, "d");
    snprintf(options, sizeof options, "--name single --kernels crba,idsva,fdsva --lanes 2,4 --real float %s", more);
    generate_arm(options, "f");
}

static void write_user(const char *name, const char *first, const char *second)
{
    char text[4000];
    snprintf(text, sizeof text, "#include \"%s\"\n#include \"%s\"\n%s", first, second, two_types);
    write_text(name, text);
}

START_TEST(two_number_types_in_one_file)
{
    generate_two_types("--friction full");
    write_user("double_first.c", "d/twofold.h", "f/single.h");
    write_user("float_first.c", "f/single.h", "d/twofold.h");
    in_every_language("-Id -If", "double_first.c", "d/*.c f/*.c");
    in_every_language("-Id -If", "float_first.c", "d/*.c f/*.c");
    write_text("alone.c", "#include <sva_kernel.h>\nint sizes[sizeof(sva_real) == WANTED ? 1 : -1];\n");
    MUST("cc -DWANTED=8 -Id -c alone.c && cc -DWANTED=4 -If -c alone.c");
}
END_TEST

/* All sources in one file, those of the two folders by turns. */
START_TEST(unity_build)
{
    generate_two_types("");
    MUST("for k in crba idsva fdsva robot; do echo \"#include \\\"d/twofold_$k.c\\\"\"; echo \"#include "
         "\\\"f/single_$k.c\\\"\"; done >all.c");
    FILE *f = fopen("all.c", "a");
    fputs(two_types, f);
    fclose(f);
    in_every_language("", "all.c", "");
    in_every_language("-mavx2", "all.c", "");
}
END_TEST

/* With the data of the generic library's models, too. */
START_TEST(unity_build_with_models)
{
    generate_two_types("--model");
    MUST("for k in d/twofold f/single; do echo \"#include \\\"${k}_model.c\\\"\"; echo \"#include "
         "\\\"${k}_crba.c\\\"\"; done "
         ">all.c && cc -I '%s/runtime' -c all.c",
         here);
}
END_TEST

/* Every macro that a folder leaves behind has the robot's name or the runtime's. */
START_TEST(macros_that_stay)
{
    generate("hyq", "--kernels rnea,idsva,aba --lanes 4", "made");
    for (int vectors = 0; vectors < 2; vectors++) {
        command c =
            shell("cat made/*.c >made/all.c && for f in all; do cc -Imade -E -dM %s made/$f.c; done | sort >a && "
                  "printf '#include <stddef.h>\\n#include <stdint.h>\\n' >b.c && cc -E -dM b.c | sort >b; "
                  "comm -23 a b | grep -vE '^#define (HYQ_|SVA_|sva_)'",
                  vectors ? "" : "-DSVA_VECTORS=0 -w");
        ck_assert_msg(c.status != 0 && !*c.out, "%s", c.out);
        free(c.out);
        MUST("rm made/all.c");
    }
    command c = shell("cd made && cc -O0 -c *.c && nm *.o | awk '$2 ~ /[a-zA-Z]/ && NF == 3 {print $3}' | grep -vE "
                      "'^(hyq_|sva_|\\.L)'");
    ck_assert_msg(c.status != 0 && !*c.out, "%s", c.out);
    free(c.out);
}
END_TEST

/* ---- names of robots */

START_TEST(names_that_cannot_be)
{
    static const char *const names[] = {"sva",        "SVA",  "sva_kernel", "sva-robot",
                                        "Sva kernel", "math", "stddef",     "Stdio"};
    write_text("arm.yaml", arm);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        command c = shell("'%s' generate arm.yaml --kernels rnea -o made --name '%s'", SVAGEN_BINARY, names[i]);
        ck_assert_msg(c.status != 0 && strstr(c.out, "choose another by --name"), "%s: %s", names[i], c.out);
        free(c.out);
        MUST("test ! -e made");
    }
}
END_TEST

START_TEST(names_that_look_odd)
{
    static const char *const names[] = {"int", "main", "double", "class", "test", "all", "svan", "E", "q", "linux"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char options[200];
        snprintf(options, sizeof options, "--kernels rnea,crba --lanes 2 --name %s", names[i]);
        generate_arm(options, "made");
        for (int c = 0; c < COMPILERS; c++)
            if (present(&compilers[c])) MUST("cd made && %s " STRICT " -c *.c", compilers[c].command);
        MUST("rm -rf made");
    }
}
END_TEST

/* ---- CMake */

/* Alone: optimised, installed and found again; static and shared; and linked with -ffast-math, which needs libm. */
START_TEST(installed_and_found)
{
    if (!can("cmake --version")) {
        puts("note: no cmake; the generated CMakeLists.txt is not tried");
        return;
    }
    generate_arm("--kernels rnea,fk", "made");
    write_text("user.c",
               "#include <arm.h>\nint main(void) {\n    double q[ARM_NQ] = {0}, tau[ARM_NV];\n    arm_rnea(q, q, "
               "q, tau);\n    return arm_robot.nv != ARM_NV;\n}\n");
    MUST("mkdir user && mv user.c user && cat >user/CMakeLists.txt <<'END'\n"
         "cmake_minimum_required(VERSION 3.14)\n"
         "project(user C)\n"
         "find_package(arm REQUIRED)\n"
         "add_executable(user user.c)\n"
         "target_link_libraries(user arm::arm)\n"
         "END");
    for (int shared = 0; shared < 2; shared++) {
        MUST("cmake -S made -B b -DBUILD_SHARED_LIBS=%s -DCMAKE_INSTALL_PREFIX=$PWD/i -DCMAKE_INSTALL_LIBDIR=lib "
             "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DCMAKE_C_FLAGS='%s' && cmake --build b && cmake --install b",
             shared ? "ON" : "OFF", shared ? "" : "-ffast-math");
        MUST("grep -q -e '-O3' b/compile_commands.json && test -f i/lib/libarm.%s", shared ? "so" : "a");
        MUST("cmake -S user -B u -DCMAKE_PREFIX_PATH=$PWD/i && cmake --build u && u/user");
        MUST("rm -rf b i u");
    }
}
END_TEST

/* In a project that says nothing of building, nothing is changed; names that CMake keeps to itself. */
START_TEST(part_of_a_project)
{
    if (!can("cmake --version")) return;
    generate_arm("--kernels rnea --name test", "made");
    MUST("mkdir whole && mv made whole && cat >whole/CMakeLists.txt <<'END'\n"
         "cmake_minimum_required(VERSION 3.14)\n"
         "project(whole C)\n"
         "add_subdirectory(made)\n"
         "file(WRITE user.c \"#include \\\"test.h\\\"\\nint main(void) { return !test_robot.nv; }\")\n"
         "add_executable(user user.c)\n"
         "target_link_libraries(user test::test_dynamics)\n"
         "END\n"
         "cmake -S whole -B b -DCMAKE_EXPORT_COMPILE_COMMANDS=ON && cmake --build b && b/user");
    MUST("! grep -q -e '-O' b/compile_commands.json");
}
END_TEST

/* ---- what the header says of options makes the same folder again */

static void expect_same_again(const char *options)
{
    MUST("'%s' generate arm.yaml -o first %s", SVAGEN_BINARY, options);
    MUST("line=$(sed -n 's/^ *Options: //p' first/*.h | head -1) && eval \"set -- $line\" && '%s' generate arm.yaml -o "
         "second \"$@\" && diff -r first second",
         SVAGEN_BINARY);
    MUST("rm -rf first second");
}

START_TEST(options_make_the_same_again)
{
    static const char *const options[] = {
        "--kernels rnea",
        "--kernels rnea --model",
        "",
        "--base floating --gravity 0.1,-2e-3,-3.7 --real float --layout col --lanes 8,2",
        "--gravity runtime --friction full --friction-width 0.012345678901234567 --kernels rnea,aba",
        "--friction viscous --vectors never --loops never --solver aza --kernels fdsva --allow-unphysical",
        "--armature 0.123456789 --clean 1e-7 --mimic independent --kernels crba",
        "--frames 'tool one',tool_one,base --fext 'tool one',lower --kernels jac,rnea_fext",
        "--kernels rnea --single-file --name 'it'\\''s $(touch hacked) */ `touch hacked` \"x\\ ,?\?/'",
        "--kernels rnea --name \"$(printf 'tab\\tnew\\nline \\303\\251')\"",
    };
    write_text("arm.yaml", arm);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) expect_same_again(options[i]);
    MUST("test ! -e hacked");
}
END_TEST

/* The name of a link has a comma, the end of a comment, quotes, a backslash and a new line in it. */
START_TEST(hostile_links_in_lists)
{
    static const char plain[] = "- name: tool one\n", odd[] = "- name: \"a,b */ \\\\' ? \\nc\"\n";
    static const char item[] = "'a\\,b */ \\\\\\x27 \\x3f \\x0ac'";
    const char *at = strstr(arm, plain);
    char text[sizeof arm + sizeof odd], options[300];
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - arm), arm, odd, at + strlen(plain));
    write_text("arm.yaml", text);
    snprintf(options, sizeof options, "--kernels jac,rnea_fext --frames %s,lower --fext lower,%s", item, item);
    expect_same_again(options);
    MUST("'%s' generate arm.yaml -o made %s && cd made && cc " STRICT " -c *.c", SVAGEN_BINARY, options);
}
END_TEST

/* ---- options that would do nothing, or twice */

static void expect_error(const char *arguments, const char *message)
{
    command c = shell("'%s' %s", SVAGEN_BINARY, arguments);
    ck_assert_msg(c.status == 2 && strstr(c.out, message), "%s: %d: %s", arguments, c.status, c.out);
    free(c.out);
}

START_TEST(options_without_effect)
{
    static const char *const cases[][2] = {
        {"generate arm.yaml -o made --kernels rnea_fext --fext lower,lower", "'lower' is named twice"},
        {"generate arm.yaml -o made --kernels jac --frames lower,upper,lower", "'lower' is named twice"},
        {"generate arm.yaml -o made --kernels rnea --frames lower", "--frames does nothing"},
        {"generate arm.yaml -o made --kernels rnea,jac --frames lower --fext lower", "--fext does nothing"},
        {"generate arm.yaml -o made --kernels rnea_fext --fext base", "a part of the ground"},
        {"generate arm.yaml -o made --kernels rnea_fext --fext nothing", "svagen inspect --frames lists them"},
        {"generate arm.yaml -o made --friction viscous --friction-width 0.1", "--friction-width does nothing"},
        {"bench accuracy arm.yaml --kernels rnea", "--kernels does nothing for bench accuracy"},
        {"bench accuracy arm.yaml --real float", "--real does nothing"},
        {"bench accuracy arm.yaml --lanes 4", "--lanes does nothing"},
        {"bench accuracy arm.yaml --friction full", "--friction does nothing"},
        {"bench accuracy arm.yaml --cc gcc", "--cc does nothing"},
        {"bench accuracy arm.yaml --links 20", "--links does nothing"},
        {"bench accuracy --base floating", "--base does nothing"},
    };
    write_text("arm.yaml", arm);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) expect_error(cases[i][0], cases[i][1]);
    MUST("test ! -e made");
}
END_TEST

START_TEST(inspect_lists_frames)
{
    write_text("arm.yaml", arm);
    command c = shell("'%s' inspect arm.yaml --frames", SVAGEN_BINARY);
    ck_assert_int_eq(c.status, 0);
    ck_assert_msg(strstr(c.out, "tool one ") && strstr(c.out, "the ground"), "%s", c.out);
    free(c.out);
    MUST("'%s' inspect arm.yaml --frames | grep -qE '^  tool_one +lower$'", SVAGEN_BINARY);
}
END_TEST

/* ---- forces on fixed links: of several on one body, at their own places and in their own axes */

START_TEST(forces_on_fixed_links)
{
    write_text("arm.yaml", arm);
    MUST(
        "'%s' compare arm.yaml --kernels rnea_fext,idsva_fext,fdsva_fext --fext 'tool one,tool_one,lower' --cflags -O1",
        SVAGEN_BINARY);
    generate_arm("--kernels rnea_fext,fk --fext 'tool one' --name fixed", "fixed");
    generate_arm("--kernels rnea_fext --fext upper --name moved", "moved");
    write_text("user.c",
               "#include <math.h>\n"
               "#include \"fixed.h\"\n"
               "#include \"moved.h\"\n"
               "static const double fn[6] = {1, -2, 3, 0.5, 0.7, -0.2};\n"
               "int main(void) {\n" /* the poses of both links give the same force on the other */
               "    double q[FIXED_NQ] = {0.3, -0.8}, v[FIXED_NV] = {1, 2}, pose[12 * FIXED_N_FRAMES], one[FIXED_NV];\n"
               "    double two[FIXED_NV], other[6], world[6], arm[3], worst = 0;\n"
               "    fixed_fk(q, pose);\n"
               "    const double *A = pose + 12 * FIXED_FRAME_TOOL_ONE, *B = pose + 12 * FIXED_FRAME_UPPER;\n"
               "    for (int i = 0; i < 3; i++) {\n"
               "        arm[i] = A[4 * i + 3] - B[4 * i + 3], world[i] = world[3 + i] = 0;\n"
               "        for (int j = 0; j < 3; j++)\n"
               "            world[i] += A[4 * i + j] * fn[j], world[3 + i] += A[4 * i + j] * fn[3 + j];\n"
               "    }\n"
               "    for (int i = 0; i < 3; i++) {\n"
               "        int j = (i + 1) % 3, k = (i + 2) % 3;\n"
               "        world[3 + i] += arm[j] * world[k] - arm[k] * world[j];\n"
               "    }\n"
               "    for (int i = 0; i < 3; i++) {\n"
               "        other[i] = other[3 + i] = 0;\n"
               "        for (int j = 0; j < 3; j++)\n"
               "            other[i] += B[4 * j + i] * world[j], other[3 + i] += B[4 * j + i] * world[3 + j];\n"
               "    }\n"
               "    fixed_rnea_fext(q, v, v, fn, one);\n"
               "    moved_rnea_fext(q, v, v, other, two);\n"
               "    for (int i = 0; i < FIXED_NV; i++) worst = fmax(worst, fabs(one[i] - two[i]));\n"
               "    return !(worst < 1e-13);\n"
               "}\n");
    MUST("cc -Ifixed -Imoved user.c fixed/*.c moved/*.c -lm -o user && ./user");
}
END_TEST

/* ---- folders that were filled before */

START_TEST(old_files_go_and_others_stay)
{
    generate_arm("--kernels rnea,crba,fk --lanes 2", "made");
    MUST("echo mine >made/mine.c && echo >>made/arm_fk.c && mkdir made/build && touch made/build/x");
    command c = shell("'%s' generate arm.yaml -o made --kernels rnea,aba", SVAGEN_BINARY);
    ck_assert_msg(c.status == 0 && strstr(c.out, "made/arm_fk.c: warning: ") && !strstr(c.out, "mine.c"), "%s", c.out);
    free(c.out);
    MUST(
        "ls made | tr '\n' ' ' >list && grep -qx 'CMakeLists.txt arm.h arm_aba.c arm_fk.c arm_rnea.c arm_robot.c build "
        "mine.c sva_kernel.h ' list || { cat list; exit 1; }");
    generate_arm("--kernels rnea --name other", "made");
    MUST("test ! -e made/arm.h && test -e made/other.h && test -e made/mine.c && test -e made/build/x");
    MUST("printf '%%016x ../kept\n%%016x mine.c\n' 0 0 >>made/.svagen && cp arm.yaml kept");
    generate_arm("--kernels rnea --name other", "made");
    MUST("test -e kept && test -e made/mine.c");
}
END_TEST

/* A run that fails takes nothing away. */
START_TEST(failure_takes_nothing)
{
    generate_arm("--kernels rnea,crba", "made");
    MUST("cp -r made kept");
    ck_assert(!can("trap '' XFSZ; ulimit -f 4; '" SVAGEN_BINARY "' generate arm.yaml --kernels aba -o made"));
    MUST("diff -r made kept");
}
END_TEST

START_TEST(says_what_it_wrote)
{
    write_text("arm.yaml", arm);
    MUST("'%s' generate arm.yaml -o made --kernels rnea >out 2>&1 && test ! -s out", SVAGEN_BINARY);
    if (!can("script -qec true /dev/null")) {
        puts("note: no script(1), which makes a terminal; what generate says on one is not tested");
        return;
    }
    MUST("touch made/mine.c && script -qec \"'%s' generate arm.yaml -o made --kernels rnea,fk\" /dev/null >out && grep "
         "-qE "
         "'^made: 6 files, [0-9]+ bytes, 2 kernels; 1 other file stays' out || { cat out; exit 1; }",
         SVAGEN_BINARY);
}
END_TEST

/* ---- one header and one source */

START_TEST(single_files)
{
    generate_two_types("--single-file");
    MUST("ls d f | tr '\n' ' ' >list && grep -qx 'd: twofold.c twofold.h  f: single.c single.h ' list || { cat list; "
         "exit 1; }");
    write_user("both.c", "d/twofold.h", "f/single.h");
    in_every_language("-Id -If", "both.c", "d/*.c f/*.c");
    MUST("printf '#include \"f/single.c\"\n#include \"d/twofold.c\"\n' >all.c");
    FILE *f = fopen("all.c", "a");
    fputs(two_types, f);
    fclose(f);
    in_every_language("-mavx2", "all.c", "");
}
END_TEST

/* ---- a free base that the file cannot tell */

START_TEST(base_of_a_urdf)
{
    static const char urdf[] =
        "<robot name=\"dog\">\n<link name=\"trunk\"><inertial><mass value=\"9\"/><inertia ixx=\"1\" iyy=\"1\" "
        "izz=\"1\" "
        "ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n<link name=\"leg\"><inertial><mass value=\"1\"/><inertia "
        "ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n<joint name=\"hip\" "
        "type=\"continuous\"><parent link=\"trunk\"/><child link=\"leg\"/><axis xyz=\"0 1 0\"/></joint>\n</robot>\n";
    write_text("dog.urdf", urdf);
    static const char *const verbs[] = {"generate dog.urdf -o made --kernels rnea", "import dog.urdf -o dog.yaml",
                                        "inspect dog.urdf"};
    for (int i = 0; i < 3; i++) {
        for (int given = 0; given < 2; given++) {
            command c = shell("'%s' %s %s", SVAGEN_BINARY, verbs[i], given ? "--base fixed" : "");
            bool said = strstr(c.out, "link 'trunk', the root, has mass") && strstr(c.out, "--base floating");
            ck_assert_msg(c.status == 0 && said == !given, "%s", c.out);
            free(c.out);
        }
    }
    MUST("'%s' generate dog.yaml -o made --kernels rnea >out 2>&1 && test ! -s out", SVAGEN_BINARY);
    MUST("sed -i 's/<mass value=.9.\\/>/<mass value=\"0\"\\/>/; s/<link name=.trunk.>.*/<link name=\"trunk\"\\/>/' "
         "dog.urdf && "
         "'%s' generate dog.urdf -o made --kernels rnea >out 2>&1 && test ! -s out || { cat out; exit 1; }",
         SVAGEN_BINARY);
}
END_TEST

SUITE_AROUND("folder", enter_own_folder, leave_own_folder, names_and_limits, the_hash_knows_frames, header_in_words,
             batch_without_outputs, two_number_types_in_one_file, unity_build, unity_build_with_models,
             macros_that_stay, names_that_cannot_be, names_that_look_odd, installed_and_found, part_of_a_project,
             options_make_the_same_again, hostile_links_in_lists, options_without_effect, inspect_lists_frames,
             forces_on_fixed_links, old_files_go_and_others_stay, failure_takes_nothing, says_what_it_wrote,
             single_files, base_of_a_urdf)
