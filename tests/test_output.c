/* Generated folders as their users have them: compiled alone by whatever compilers are here, linked, made again. */
#include "fixture.h"
#include "own_folder.h"
#include "suite.h"

/* Everything a folder may contain, in few variants. */
static const struct {
    const char *robot, *options;
} folders[] = {
    {"double_pendulum", "--lanes 2,4,8 --friction full"},
    {"ur5", "--real float --layout col --gravity runtime --lanes 4 --kernels rnea,idsva,jac,fdsva_fext --frames tool0"},
    {"every_joint", "--friction viscous --kernels aba,crba,id_all,fk,rnea_fext"},
    {"solo12", "--kernels bias,gravity,minv"},
};
enum { FOLDERS = sizeof folders / sizeof *folders };

START_TEST(compiles_alone)
{
    for (int i = 0; i < (quick() ? 1 : FOLDERS); i++) {
        generate(folders[i].robot, folders[i].options, "made");
        for (int c = 0; c < COMPILERS; c++)
            if (present(&compilers[c]))
                MUST("mkdir -p made/o && cd made/o && %s -O0 " STRICT " -c ../*.c", compilers[c].command);
        MUST("rm -rf made");
    }
}
END_TEST

/* One of them optimised: that is when compilers find more to warn of. */
START_TEST(compiles_optimised)
{
    generate("double_pendulum", "--lanes 4", "made");
    for (int c = 0; c < COMPILERS; c++)
        if (present(&compilers[c])) MUST("cd made && %s -O2 " STRICT " -c *.c", compilers[c].command);
}
END_TEST

START_TEST(compiles_for_a_microcontroller)
{
    static const char *const variants[][2] = {
        {"--real float", "-mfpu=fpv5-sp-d16"}, /* no double at all in hardware */
        {"--real double", "-mfpu=fpv5-d16"},
    };
    if (!can("arm-none-eabi-gcc --version")) {
        puts("note: arm-none-eabi-gcc is not here (Debian: gcc-arm-none-eabi); nothing is compiled for Cortex-M7");
        return;
    }
    for (int i = 0; i < (quick() ? 1 : 2); i++) {
        char options[200];
        snprintf(options, sizeof options, "%s --kernels rnea,idsva,aba", variants[i][0]);
        generate("ur5", options, "made");
        MUST("cd made && arm-none-eabi-gcc -mcpu=cortex-m7 -mthumb -mfloat-abi=hard %s -std=c99 -O2 " STRICT " -c *.c",
             variants[i][1]);
        command doubles = shell("cd made && arm-none-eabi-nm -u *.o | grep __aeabi_");
        ck_assert_msg(doubles.status != 0, "arithmetic by library calls: %s", doubles.out);
        free(doubles.out);
        MUST("rm -rf made");
    }
}
END_TEST

START_TEST(builds_by_cmake)
{
    generate("double_pendulum", "--friction full", "made");
    if (can("cmake --version"))
        MUST("cmake -S made -B build && cmake --build build && test -f build/libdouble_pendulum.a");
    else
        puts("note: no cmake; the generated CMakeLists.txt is not tried");
}
END_TEST

/* ---- what the objects need and contain */

/* Of libc: sines, cosines, roots, tanh for friction; copies that compilers insert. The robot's own names do not count.
 */
static void check_symbols(const char *name, bool friction)
{
    static const char libc[] = "sin|cos|sqrt|sinf|cosf|sqrtf|memcpy|memset";
    command c = shell("nm -u made/*.o | sed -n 's/^ *U //p' | grep -vxE '%s_.*|%s%s'", name, libc,
                      friction ? "|tanh|tanhf" : "");
    ck_assert_msg(c.status == 1 && !*c.out, "%s needs more than it may: %s", name, c.out);
    free(c.out);
}

/* Sections that can be written; tables of pointers are read-only after relocation. */
static void check_sections(void)
{
    command c = shell("size -A made/*.o | awk '/^\\.(data|bss|tdata|tbss)/ && !/^\\.data\\.rel\\.ro/ && $2 > 0'");
    ck_assert_msg(c.status == 0 && !*c.out, "data that can be written: %s", c.out);
    free(c.out);
    c = shell("nm made/*.o | grep -E ' [BbCSs] '");
    ck_assert_msg(c.status == 1, "variables: %s", c.out);
    free(c.out);
}

START_TEST(symbols_and_sections)
{
    for (int i = 0; i < (quick() ? 1 : FOLDERS); i++) {
        generate(folders[i].robot, folders[i].options, "made");
        for (int pic = 0; pic < 2; pic++) {
            MUST("cd made && cc -O1 %s -c *.c", pic ? "-fPIC" : "-fno-pic");
            check_symbols(folders[i].robot, strstr(folders[i].options, "friction full"));
            check_sections();
        }
        MUST("rm -rf made");
    }
}
END_TEST

START_TEST(two_robots_in_one_program)
{
    generate("double_pendulum", "--name one --kernels rnea,crba --lanes 2", "one");
    generate("ur5", "--name two --kernels rnea,crba --lanes 2", "two");
    MUST("cat >main.c <<'END'\n"
         "#include \"one/one.h\"\n"
         "#include \"two/two.h\"\n"
         "int main(void) {\n"
         "    double q[TWO_NQ] = {0}, M[TWO_NV*TWO_NV];\n"
         "    one_crba(q, M);\n"
         "    two_crba(q, M);\n"
         "    return !(one_robot.nv == ONE_NV && two_robot.nv == TWO_NV && M[0] > 0);\n"
         "}\n"
         "END\n"
         "cc -O1 main.c one/*.c two/*.c -o main -lm && ./main");
}
END_TEST

/* ---- made again */

START_TEST(byte_for_byte)
{
    static const char options[] = "--lanes 4 --friction full --real float";
    generate("solo12", options, "first");
    MUST("mkdir elsewhere && cd elsewhere && TZ=Asia/Tokyo '%s' generate '%s/robots/solo12.yaml' %s -o ../second",
         SVAGEN_BINARY, here, options);
    MUST("diff -r first second");
    command locales = shell("locale -a | grep -E '^(de|fr|es|it|tr|ru)_' || locale -a | grep -ix 'c.utf-\\?8'");
    char *name = strtok(locales.out, "\n");
    if (name)
        MUST("LC_ALL=%s '%s' generate '%s/robots/solo12.yaml' %s -o third && diff -r first third", name, SVAGEN_BINARY,
             here, options);
    free(locales.out);
}
END_TEST

/* ---- names that want to be code */

START_TEST(hostile_names)
{
    static const char *const names[] = {
        "quote\" */ #error %s",
        "x'y`z$(touch hacked)",
        "\xc3\xa9\xe6\xbc\xa2",
        "-o",
        "../up",
        "a\nb\t*/\\",
        "9lives",
        "%n%n",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        setenv("NAME", names[i], 1);
        MUST("'%s' generate '%s/robots/double_pendulum.yaml' --kernels rnea --lanes 2 -o made --name \"$NAME\"",
             SVAGEN_BINARY, here);
        MUST("cd made && cc -std=c99 " STRICT " -c *.c && test ! -e hacked");
        MUST("rm -rf made");
    }
}
END_TEST

/* A block of columns is solved by one function, however long: here of more statements than parts of a text have. */
START_TEST(long_blocks_are_not_cut)
{
    MUST("'%s' chain 60 --branching 2 -o tree.yaml && '%s' generate tree.yaml -o made --kernels minv", SVAGEN_BINARY,
         SVAGEN_BINARY);
    MUST("grep -q '_solve1(' made/*_minv.c");
    for (int c = 0; c < COMPILERS; c++)
        if (present(&compilers[c]) && can("echo 'int x;' >t.c && cc -mavx2 -c t.c -o t.o"))
            MUST("cd made && %s -mavx2 -fsyntax-only *_minv.c", compilers[c].command);
}
END_TEST

/* Through the file: names of links and joints, one of them very long. */
START_TEST(hostile_file)
{
    MUST("{ sed -e 's,name: link1,name: \"li\\\\\"nk \\\\n */ %%s\",' -e 's,parent: link1,parent: \"li\\\\\"nk \\\\n "
         "*/ %%s\",'"
         " -e \"s,name: joint2,name: $(printf '%%010000d' 0 | tr 0 j)\\xc3\\xa9,\" '%s/robots/double_pendulum.yaml'; } "
         ">odd.yaml",
         here);
    MUST("grep -q 'nk ' odd.yaml && grep -q jjjjj odd.yaml");
    MUST("'%s' generate odd.yaml -o made", SVAGEN_BINARY);
    for (int c = 0; c < COMPILERS; c++)
        if (present(&compilers[c])) MUST("cd made && %s " STRICT " -c *.c", compilers[c].command);
    MUST("cat >main.c <<'END'\n"
         "#include <stdio.h>\n"
         "#include <string.h>\n"
         "#include \"made/double_pendulum.h\"\n"
         "int main(void) {\n"
         "    const sva_robot *r = &double_pendulum_robot;\n"
         "    return strcmp(r->frames[1], \"li\\\"nk \\n */ %%s\") || strlen(r->joints[1].name) != 10002;\n"
         "}\n"
         "END\n"
         "cc main.c made/*.c -o main && ./main");
}
END_TEST

/* ---- runs that fail */

START_TEST(failure_leaves_the_old_files)
{
    generate("double_pendulum", "", "made");
    MUST("cp -r made kept && touch plain");
    static const char *const failing[] = {
        "generate '%s/robots/double_pendulum.yaml' -o made --kernels rnea,nothing",
        "generate '%s/robots/double_pendulum.yaml' -o made --lanes 3",
        "generate '%s/robots/no_such_robot.yaml' -o made",
        "generate '%s/robots/double_pendulum.yaml' -o plain",
        "generate '%s/robots/double_pendulum.yaml' -o plain/below",
        "generate '%s/robots/double_pendulum.yaml' -o made --frames nothing",
    };
    for (size_t i = 0; i < sizeof failing / sizeof *failing; i++) {
        char arguments[5000];
        snprintf(arguments, sizeof arguments, failing[i], here);
        command c = shell("'%s' %s", SVAGEN_BINARY, arguments);
        ck_assert_msg(c.status != 0 && strstr(c.out, "error: "), "%s: %d: %s", failing[i], c.status, c.out);
        free(c.out);
        MUST("diff -r made kept && test -f plain");
    }
}
END_TEST

/* The disk is full after 4096 bytes of a file. */
START_TEST(full_disk)
{
    generate("double_pendulum", "", "made");
    MUST("cp -r made kept");
    command c = shell("trap '' XFSZ; ulimit -f 8; '%s' generate '%s/robots/ur5.yaml' --name double_pendulum -o made",
                      SVAGEN_BINARY, here);
    ck_assert_msg(c.status == 1 && strstr(c.out, "cannot write"), "%d: %s", c.status, c.out);
    free(c.out);
    MUST("diff -r made kept");
}
END_TEST

/* The second link of the pendulum as `edit` (of sed) makes it. */
static void write_pendulum(const char *edit, const char *to)
{
    MUST("sed -e '/name: link2/,$ {%s}' '%s/robots/double_pendulum.yaml' >%s", edit, here, to);
}

/* That `line` succeeds and says one thing, a warning with this in it. */
static void warned(const char *line, const char *text)
{
    command c = shell("%s", line);
    const char *first = strstr(c.out, "warning: ");
    ck_assert_msg(c.status == 0 && first && strstr(first, text), "%s: %d: no %s in\n%s", line, c.status, text, c.out);
    ck_assert_msg(!strstr(first + 1, "warning: "), "%s:\n%s", line, c.out);
    free(c.out);
}

static const struct {
    const char *edit, *reason;
} light[] = {
    {"s/mass: .*/mass: 0/; /com:/d; /inertia:/d",
     "joint 'joint2' moves no mass and has no armature, so M has no inverse"},
    {"/com:/d; /inertia:/d", "joint 'joint2' moves what has no inertia about its axis, so M has no inverse"},
    {"/com:/d; s/inertia:.*/inertia: {xx: -1e-20, yy: -1e-20, zz: -1e-20}/",
     "joint 'joint2' moves what has no inertia about its axis, so M has no inverse"},
};

START_TEST(no_inverse_of_a_weightless_joint)
{
    static const char *const kernels[] = {"aba", "minv", "fdsva"};
    for (size_t i = 0; i < 3 * sizeof light / sizeof *light; i++) {
        write_pendulum(light[i / 3].edit, "light.yaml");
        const char *kernel = kernels[i % 3];
        command c = shell("'%s' generate light.yaml -o made --kernels rnea,%s", SVAGEN_BINARY, kernel);
        ck_assert_msg(c.status == 1 && strstr(c.out, light[i / 3].reason) && strstr(c.out, kernel), "%s", c.out);
        free(c.out);
        MUST("test ! -e made");
    }
    MUST("test -z \"$('%s' generate light.yaml -o made --kernels rnea,crba,idsva 2>&1)\"", SVAGEN_BINARY);
}
END_TEST

#define WITHOUT "rnea,crba,bias,gravity,idsva,id_all,fk"

/* The others are made, the header says which, and its options make the same folder without a word. */
START_TEST(kernels_without_an_inverse)
{
    for (size_t i = 0; i < sizeof light / sizeof *light; i++) {
        write_pendulum(light[i].edit, "light.yaml");
        warned("'" SVAGEN_BINARY "' generate light.yaml -o made", light[i].reason);
        warned("'" SVAGEN_BINARY "' generate light.yaml -o again", ": kernels aba, minv, fdsva are left out; armature");
        MUST("diff -r made again && test ! -e made/double_pendulum_aba.c && test -e made/double_pendulum_id_all.c");
        MUST("grep -q 'Options: .*--kernels " WITHOUT "$' made/double_pendulum.h");
        MUST("test -z \"$('%s' generate light.yaml -o same --kernels " WITHOUT " 2>&1)\" && diff -r made same",
             SVAGEN_BINARY);
        warned("'" SVAGEN_BINARY "' generate light.yaml --dump model", "are left out");
        warned("'" SVAGEN_BINARY "' inspect light.yaml", light[i].reason);
        warned("'" SVAGEN_BINARY "' bench accuracy light.yaml", light[i].reason);
        MUST("rm -r made again same");
    }
    warned("'" SVAGEN_BINARY "' compare light.yaml --cflags=-O0", "are left out");
    warned("'" SVAGEN_BINARY "' bench kernels light.yaml --cflags=-O0 --lanes 2", "are left out");
}
END_TEST

START_TEST(armature_gives_an_inverse)
{
    write_pendulum(light[0].edit, "light.yaml");
    MUST("test -z \"$('%s' generate light.yaml -o made --armature 0.30000000000000004 2>&1)\"", SVAGEN_BINARY);
    MUST("test -e made/double_pendulum_fdsva.c");
    MUST("'%s' generate light.yaml -o same $(sed -n 's/.*Options: //p' made/double_pendulum.h) && diff -r made same",
         SVAGEN_BINARY);
    MUST("grep -q -e '--armature 0.30000000000000004 .*--kernels rnea,aba' made/double_pendulum.h");
    MUST("'%s' compare light.yaml --armature 0.5 --cflags=-O0 | grep -q '^fdsva '", SVAGEN_BINARY);
    MUST("'%s' inspect light.yaml --armature 0.5 | grep -q '^0 warnings'", SVAGEN_BINARY);
    MUST("'%s' bench kernels light.yaml --armature 0.5 --cflags=-O0 --lanes 2 | grep -q ' fdsva '", SVAGEN_BINARY);
}
END_TEST

/* Robots of which much is zero, so that less is read than is passed on: a screw about its centre of mass, without
   gravity; parallel axes that turn and slide; a rotor that nothing else feels; rotors alone. */
START_TEST(nothing_is_left_unused)
{
    static const char *const robots[] = {"screw", "screws", "rotor", "rotors"}, *const compilers_here[] = {"gcc",
                                                                                                           "clang"};
    static const char *const options[] = {"", "--loops always", "--loops always --lanes 2,4 --layout col --real float"};
    const bool wide = can("grep -q avx2 /proc/cpuinfo && grep -q fma /proc/cpuinfo");
    for (int i = 0; i < 12; i++) {
        MUST("rm -rf made && '%s' generate '%s/tests/data/degenerate/%s.yaml' -o made %s", SVAGEN_BINARY, here,
             robots[i / 3], options[i % 3]);
        for (int c = 0; c < 2; c++)
            MUST("for f in made/*.c; do %s -std=c99 -O1 %s -Wall -Wextra -pedantic -Werror -I made -c $f -o t.o || "
                 "exit 1; "
                 "done",
                 compilers_here[c], wide ? "-mavx2 -mfma" : "");
    }
}
END_TEST

START_TEST(no_link_is_named_twice)
{
    static const char *const options[] = {"--kernels rnea_fext --fext link1,link1",
                                          "--kernels jac --frames link1,link1"};
    for (int i = 0; i < 2; i++) {
        command c = shell("'%s' generate '%s/robots/double_pendulum.yaml' -o made %s", SVAGEN_BINARY, here, options[i]);
        ck_assert_msg(c.status == 2 && strstr(c.out, "'link1' is named twice"), "%s: %d: %s", options[i], c.status,
                      c.out);
        free(c.out);
        MUST("test ! -e made");
    }
}
END_TEST

SUITE_AROUND("output", enter_own_folder, leave_own_folder, compiles_alone, compiles_optimised,
             compiles_for_a_microcontroller, builds_by_cmake, symbols_and_sections, two_robots_in_one_program,
             byte_for_byte, hostile_names, long_blocks_are_not_cut, hostile_file, failure_leaves_the_old_files,
             full_disk, no_inverse_of_a_weightless_joint, kernels_without_an_inverse, armature_gives_an_inverse,
             no_link_is_named_twice, nothing_is_left_unused)
