#include "suite.h"

#include <dirent.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "fuzz/yaml_case.h"

static const read_options strict = {.clean = 0};

/* "line:column: text" of the first item of that level, or NULL. */
static const char *said(arena *memory, const diag *d, diag_level level)
{
    for (const diag_item *i = d->first; i; i = i->next)
        if (i->level == level) return arena_printf(memory, "%d:%d: %s", i->at.line, i->at.column, i->text);
    return NULL;
}

#define SIXTY    "123456789012345678901234567890123456789012345678901234567890"
#define ROOT     "svagen: 1\nname: r\nlinks:\n  - name: a\n"
#define CHILD    ROOT "  - name: b\n    parent: a\n    joint:\n      name: j\n"
#define THIRD    "  - name: c\n    parent: b\n    joint: {name: k, type: fixed}\n"
#define REVOLUTE CHILD "      type: revolute\n      axis: [0, 0, 1]\n"

typedef struct refusal {
    const char *text, *message; /* message: its beginning */
} refusal;

static const refusal refusals[] = {
    /* not YAML, or not the part that is used */
    {"", "1:1: nothing in the file; expected a robot"},
    {"# only a comment\n", "1:1: nothing in the file"},
    {"svagen: 1\nname: [\n", "3:1: not valid YAML: "},
    {"svagen: 1\nname: \"a\n", "3:1: not valid YAML: while scanning a quoted scalar"},
    {"svagen: 1\nname: \"\xff\"\n", "2:8: not valid YAML: invalid leading UTF-8 octet; expected text in UTF-8"},
    {"svagen: 1\nname: \"\xc3(\"\n", "2:9: not valid YAML: invalid trailing UTF-8 octet; expected text in UTF-8"},
    {"svagen: 1\nname: \x01\n", "2:7: not valid YAML: control characters are not allowed"},
    {"svagen: 1\nname: \"\\ud800\"\n", "2:10: not valid YAML: while parsing a quoted scalar"},
    {"\tsvagen: 1\n", "1:1: not valid YAML: "},
    {"svagen: 1\nname: \"a\\0b\"\n", "2:7: a NUL character in a text"},
    {"svagen: 1\nname: &x r\n", "2:7: an anchor (&x); expected values without anchors"},
    {"svagen: 1\nname: *x\n", "2:7: an alias (*x); expected the value itself"},
    {"svagen: !!int 1\n", "1:9: a tag (tag:yaml.org,2002:int); expected values without tags"},
    {"svagen: 1\nlinks: !odd []\n", "2:8: a tag (!odd)"},
    {ROOT "---\nsvagen: 1\n", "5:1: a second document; expected one robot in a file"},
    {"svagen: [[[[[[[[[[1]]]]]]]]]]\n", "1:16: nested too deeply"},
    /* the robot */
    {"- svagen\n", "1:1: robot is a list; expected a mapping with svagen"},
    {"robot\n", "1:1: robot is 'robot'; expected a mapping"},
    {"name: r\n", "1:1: robot: 'svagen' is missing"},
    {"svagen: 2\nname: r\n", "1:9: version 2 of the format; expected 1"},
    {"svagen: one\n", "1:9: svagen is 'one'; expected a finite number"},
    {"svagen: \"1\"\n", "1:9: svagen is '1'; expected a finite number"},
    {"svagen: 1\nlinks: []\n", "1:1: robot: 'name' is missing"},
    {"svagen: 1\nname: r\n", "1:1: robot: 'links' is missing"},
    {"svagen: 1\nname: [r]\nlinks: []\n", "2:7: name is a list; expected a name"},
    {"svagen: 1\nname:\nlinks: []\n", "2:6: name is nothing; expected a name"},
    {"svagen: 1\nname: r\nlinks: []\n", "0:0: the robot has no links"},
    {"svagen: 1\nname: r\nlinks: none\n", "3:8: links is 'none'; expected a list of links"},
    {"svagen: 1\nname: r\nlinks:\n  - a\n", "4:5: link is 'a'; expected a mapping with name"},
    {"svagen: 1\nnaem: r\n", "2:1: robot: unknown key 'naem', did you mean 'name'?"},
    {"svagen: 1\ncolour: red\n",
     "2:1: robot: unknown key 'colour', expected one of svagen, name, base, gravity, links"},
    {"svagen: 1\n<<: {}\n", "2:1: robot: unknown key '<<'"},
    {"svagen: 1\n[a]: b\n", "2:1: robot: a key is a list; expected a word"},
    {"svagen: 1\nname: r\nname: s\n", "3:1: robot: key 'name' twice (the first is in line 2)"},
    {"svagen: 1\nname: r\nbase: floatin\nlinks: []\n", "3:7: base is 'floatin'; did you mean 'floating'?"},
    {"svagen: 1\nname: r\nbase: {}\nlinks: []\n", "3:7: base is a mapping; expected one of fixed, floating"},
    {"svagen: 1\nname: r\ngravity: -9.81\nlinks: []\n", "3:10: gravity is '-9.81'; expected a list of 3 numbers"},
    {"svagen: 1\nname: r\ngravity: [0, -9.81]\nlinks: []\n", "3:10: gravity has 2 entries; expected a list of 3"},
    {"svagen: 1\nname: r\ngravity: [0, 0, .nan]\nlinks: []\n", "3:17: gravity is '.nan'; expected a finite number"},
    {"svagen: 1\nname: r\ngravity: [0, 0, -.inf]\nlinks: []\n", "3:17: gravity is '-.inf'; expected a finite number"},
    /* links */
    {ROOT "    inertai: {}\n", "5:5: link: unknown key 'inertai', did you mean 'inertia'?"},
    {ROOT "    mass: 1\n    mass: 1\n", "6:5: link: key 'mass' twice (the first is in line 5)"},
    {ROOT "    mass: heavy\n", "5:11: mass is 'heavy'; expected a finite number"},
    {ROOT "    mass: '1'\n", "5:11: mass is '1'; expected a finite number"},
    {ROOT "    mass: 1e999\n", "5:11: mass is '1e999'; expected a finite number"},
    {ROOT "    mass: " SIXTY "xyz\n", "5:11: mass is '" SIXTY "'...; expected a finite number"},
    {ROOT "    mass: 0x10\n", "5:11: mass is '0x10'; expected a finite number"},
    {ROOT "    mass:\n", "5:10: mass is nothing; expected a finite number"},
    {ROOT "    mass: -1\n", "5:11: link 'a': the mass is negative (-1 kg); expected 0 or more"},
    {ROOT "    com: [0, 0, 0, 0]\n", "5:10: com has 4 entries; expected a list of 3 numbers"},
    {ROOT "    mass: 1\n    inertia: {xx: 1, yy: 1}\n", "6:14: inertia: 'zz' is missing"},
    {ROOT "    inertia: {xx: 1, yx: 1}\n", "5:22: inertia: unknown key 'yx', did you mean 'xx'?"},
    {ROOT "    mass: 1\n    inertia: {xx: 1, yy: 1, zz: -0.1}\n",
     "6:14: link 'a': the inertia is impossible: a principal moment is negative (-0.1, 1, 1 kg m^2)"},
    {ROOT "    mass: 1\n    inertia: {xx: 1, xy: 2, yy: 1, zz: 1}\n", "6:14: link 'a': the inertia is impossible"},
    /* small, but beyond rounding */
    {ROOT "    mass: 0.001\n    inertia: {xx: -1e-9, yy: 1e-8, zz: 1e-8}\n",
     "6:14: link 'a': the inertia is impossible"},
    {ROOT "    mass: 1e-6\n    inertia: {xx: -3e-15, yy: 3e-15, zz: 3e-15}\n", "6:14: link 'a': the inertia is imp"},
    {ROOT "    mass: 100\n    com: [10, 0, 0]\n    inertia: {xx: -1e-10, yy: 0, zz: 0}\n",
     "7:14: link 'a': the inertia"},
    {ROOT "    mass: 1\n    inertia: [[1, 0, 0.1], [0, 1, 0], [0, 0, 1]]\n",
     "6:14: inertia is not symmetric (0.1 and 0)"},
    {ROOT "    inertia: [1, 0, 0, 1, 0, 1]\n", "5:14: inertia: expected 3 rows of 3 numbers"},
    {ROOT "    inertia: 5\n", "5:14: inertia is '5'; expected a mapping with xx"},
    {ROOT "  - mass: 1\n", "5:5: link: 'name' is missing"},
    {ROOT "  - name: \"\"\n", "5:11: name is nothing; expected a name"},
    {ROOT "  - name: b\n    parent: a\n", "5:5: link 'b' has a parent; its joint is missing"},
    {ROOT "  - name: b\n    joint: {name: j, type: fixed}\n", "5:5: link 'b' has a joint; its parent is missing"},
    /* joints */
    {ROOT "  - name: b\n    parent: a\n    joint: revolute\n",
     "7:12: joint is 'revolute'; expected a mapping with name"},
    {ROOT "  - name: b\n    parent: a\n    joint: {type: fixed}\n", "7:12: joint: 'name' is missing"},
    {CHILD "      xyz: [0, 0, 1]\n", "8:7: joint: 'type' is missing"},
    {CHILD "      type: revolut\n", "9:13: type is 'revolut'; did you mean 'revolute'?"},
    {CHILD "      type: hinge\n", "9:13: type is 'hinge'; expected one of fixed, revolute, continuous, prismatic,"},
    {CHILD "      type: revolute\n", "8:7: joint: 'axis' is missing; a revolute joint needs one"},
    {CHILD "      type: revolute\n      axis: [0, 0, 0]\n", "10:13: axis is zero; expected a direction"},
    {CHILD "      type: spherical\n      axis: [0, 0, 1]\n", "10:13: a spherical joint has no axis"},
    {CHILD "      type: helical\n      axis: [0, 0, 1]\n", "8:7: joint: 'pitch' is missing"},
    {REVOLUTE "      pitch: 1\n", "11:14: a revolute joint has no pitch; only a helical one has"},
    {REVOLUTE "      rotation: [[1, 0, 0], [0, 1, 0]]\n", "11:17: rotation: expected 3 rows of 3 numbers"},
    {REVOLUTE "      rotation: [[1, 0, 0], [0, 1], [0, 0, 1]]\n",
     "11:29: rotation has 2 entries; expected a list of 3"},
    {REVOLUTE "      rotation: [[1, 0, 0], [0, 1, 0], [0, 0, 1.001]]\n",
     "11:17: rotation is no rotation matrix (off by"},
    {REVOLUTE "      rotation: [[1, 0, 0], [0, 1, 0], [0, 0, -1]]\n",
     "11:17: rotation is no rotation matrix (off by 1)"},
    {REVOLUTE "      rotation: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n      rpy: [0, 0, 0]\n",
     "12:12: joint has both rotation and rpy; expected one of them"},
    {REVOLUTE "      damping: [1, 2]\n", "11:16: damping has 2 entries; expected a list of 1 numbers"},
    {REVOLUTE "      armature: -1\n", "8:13: joint 'j': the armature is negative (-1); expected 0 or more"},
    {CHILD "      type: fixed\n      friction: 1\n", "10:17: a fixed joint has no friction"},
    {CHILD "      type: planar\n      axis: [0, 0, 1]\n      limits: {lower: 0}\n",
     "11:15: limits of a planar joint; expected a joint of one degree of freedom"},
    {REVOLUTE "      limits: {low: 0}\n", "11:16: limits: unknown key 'low', did you mean 'lower'?"},
    {REVOLUTE "      mimic: {multiplier: 2}\n", "11:14: mimic: 'joint' is missing"},
    {REVOLUTE "      mimic: {joint: i}\n", "11:22: joint 'j' follows 'i', which is no joint"},
    {REVOLUTE "      mimic: {joint: j}\n", "11:22: joint 'j' follows itself"},
    {REVOLUTE "      mimic: {joint: k}\n" THIRD,
     "11:22: joint 'j' (revolute) follows 'k' (fixed); expected two joints of one degree of freedom"},
    {REVOLUTE "      mimic: {joint: k, offset: .inf}\n" THIRD, "11:33: offset is '.inf'; expected a finite number"},
    {REVOLUTE
     "      mimic: {joint: k}\n  - name: c\n    parent: b\n    joint: {name: k, type: prismatic, axis: [1, 0, 0], "
     "mimic: {joint: j}}\n",
     "11:22: joint 'j' follows itself, through other joints"},
    /* the tree */
    {ROOT "  - name: b\n", "5:11: two roots: neither 'a' nor 'b' has a parent; expected one tree"},
    {ROOT "  - name: a\n", "5:11: two links are named 'a' (the first is in line 4); names must differ"},
    {ROOT "  - {name: b, parent: a, joint: {name: j, type: fixed}}\n  - {name: c, parent: a, joint: {name: j, type: "
          "fixed}}\n",
     "6:40: two joints are named 'j' (the first is in line 5); names must differ"},
    {ROOT "  - {name: b, parent: base, joint: {name: j, type: fixed}}\n",
     "5:23: joint 'j': there is no parent link 'base'"},
    {"svagen: 1\nname: r\nlinks:\n  - name: base_link\n  - {name: b, parent: base_lnk, joint: {name: j, type: "
     "fixed}}\n",
     "5:23: joint 'j': there is no parent link 'base_lnk', did you mean 'base_link'?"},
    {ROOT "  - {name: b, parent: b, joint: {name: j, type: fixed}}\n", "5:23: joint 'j': link 'b' is its own parent"},
    {ROOT "  - {name: b, parent: c, joint: {name: j, type: fixed}}\n  - {name: c, parent: b, joint: {name: k, type: "
          "fixed}}\n",
     "5:40: link 'b' is its own ancestor (through joint 'j' from 'c'); expected a tree"},
    {"svagen: 1\nname: r\nlinks:\n  - {name: b, parent: c, joint: {name: j, type: fixed}}\n  - {name: c, parent: b, "
     "joint: "
     "{name: k, type: fixed}}\n",
     "4:40: link 'b' is its own ancestor"},
    {ROOT "  - {name: b, parent: world, joint: {name: j, type: fixed}}\n", "5:23: two roots: neither 'a' nor 'world'"},
};

START_TEST(refused)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        arena *memory = arena_new();
        diag d = diag_new(memory);
        const refusal *c = &refusals[i];
        const robot *r = robot_read_yaml(memory, "file", c->text, strlen(c->text), &strict, &d);
        const char *message = said(memory, &d, DIAG_ERROR);
        ck_assert_msg(!r && message && d.errors == 1, "case %zu is accepted or has %d errors:\n%s", i, d.errors,
                      c->text);
        ck_assert_msg(!strncmp(message, c->message, strlen(c->message)), "case %zu:\n%s\nsaid     %s\nexpected %s", i,
                      c->text, message, c->message);
        ck_assert_str_eq(d.last->at.file, "file");
        arena_free(memory);
    }
}
END_TEST

static const struct {
    const char *text;
    diag_level level;
    const char *message; /* NULL: nothing is said */
} remarks[] = {
    {ROOT, DIAG_NOTE, NULL},
    {ROOT "    mass: 1\n    inertia: {xx: 1, yy: 1, zz: 1.5}\n", DIAG_WARNING, NULL},
    {ROOT "    mass: 1\n    inertia: {xx: 1, yy: 1, zz: 2.0000001}\n", DIAG_WARNING, NULL},
    {ROOT "    mass: 1\n    inertia: {xx: 1, yy: 1, zz: 2.1}\n", DIAG_WARNING,
     "6:14: link 'a': no body has this inertia: of its principal moments (1, 1, 2.1 kg m^2) one is larger"},
    {ROOT "    mass: 1\n    inertia: {xx: 0.001, xy: 0.001, yy: 0.001, zz: 0}\n", DIAG_WARNING,
     "6:14: link 'a': no body"},
    {ROOT "    mass: 1\n    inertia: {xx: 1e-6, xy: 1e-6, xz: 1e-6, yy: 1e-6, yz: 1e-6, zz: 1e-6}\n", DIAG_WARNING,
     "6:14: link 'a': no body has this inertia: of its principal moments (0, 0, 3e-06 kg m^2)"}, /* of rank 1 */
    {ROOT "    inertia: {xx: 1, yy: 1, zz: 1}\n", DIAG_WARNING, "5:14: link 'a': inertia without mass"},
    /* rounding: of a program's zero, without mass too, and of what it subtracted, 100 kg (10 m)^2 */
    {ROOT "    mass: 1\n    inertia: {xx: -1e-20, yy: -1e-20, zz: 3e-20}\n", DIAG_WARNING, NULL},
    {ROOT "    inertia: {xx: -1e-20, yy: 1e-20, zz: -1e-20}\n", DIAG_WARNING, NULL},
    {ROOT "    mass: 100\n    com: [10, 0, 0]\n    inertia: {xx: -1e-12, yy: 2e-12, zz: -1e-12}\n", DIAG_WARNING, NULL},
    {ROOT "    mass: 2\n", DIAG_NOTE, "5:11: link 'a': a mass of 2 kg without inertia: a point mass"},
    {CHILD "      type: revolute\n      axis: [0, 3, 4]\n", DIAG_NOTE, "10:13: axis of length 5 made a unit vector"},
    {CHILD "      type: revolute\n      axis: [0, 0.6, 0.8]\n", DIAG_NOTE, NULL},
    {REVOLUTE "      damping: -1\n", DIAG_WARNING, "8:13: joint 'j': negative armature, damping or friction"},
    {REVOLUTE "      limits: {lower: 1, upper: -1}\n", DIAG_WARNING, "8:13: joint 'j': the lower limit 1 is above"},
    {"svagen: 1\nname: r\nlinks:\n  - {name: b, parent: world, joint: {name: j, type: fixed}}\n", DIAG_NOTE,
     "4:23: link 'world' is not declared; it is taken as the root"},
};

START_TEST(remarked)
{
    for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++) {
        arena *memory = arena_new();
        diag d = diag_new(memory);
        const robot *r = robot_read_yaml(memory, "file", remarks[i].text, strlen(remarks[i].text), &strict, &d);
        const char *message = said(memory, &d, remarks[i].level), *expected = remarks[i].message;
        ck_assert_msg(r != NULL, "case %zu is refused: %s", i, said(memory, &d, DIAG_ERROR));
        if (expected)
            ck_assert_msg(message && !strncmp(message, expected, strlen(expected)), "case %zu said %s", i, message);
        else
            ck_assert_msg(!message, "case %zu said %s", i, message);
        arena_free(memory);
    }
}
END_TEST

START_TEST(unphysical_on_request)
{
    static const char *const texts[] = {ROOT "    mass: -1\n",
                                        ROOT "    mass: 1\n    inertia: {xx: 1, yy: 1, zz: -0.1}\n",
                                        REVOLUTE "      armature: -1\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        arena *memory = arena_new();
        diag d = diag_new(memory);
        ck_assert(
            robot_read_yaml(memory, "file", texts[i], strlen(texts[i]), &(read_options){.allow_unphysical = true}, &d));
        ck_assert_int_eq(d.warnings, 1);
        arena_free(memory);
    }
}
END_TEST

static robot *must_read(arena *memory, const char *text, size_t length)
{
    diag d = diag_new(memory);
    robot *r = robot_read_yaml(memory, "file", text, length, &strict, &d);
    ck_assert_msg(r != NULL, "%s", said(memory, &d, DIAG_ERROR));
    return r;
}

/* All but the places. */
static void assert_same_joint(const robot_joint *a, const robot_joint *b)
{
    ck_assert_str_eq(a->name, b->name);
    ck_assert_int_eq(a->type, b->type);
    ck_assert_mem_eq(a->R, b->R, sizeof a->R);
    ck_assert_mem_eq(a->p, b->p, sizeof a->p);
    ck_assert_mem_eq(a->axis, b->axis, sizeof a->axis);
    ck_assert_mem_eq(a->armature, b->armature, sizeof a->armature);
    ck_assert_mem_eq(a->damping, b->damping, sizeof a->damping);
    ck_assert_mem_eq(a->friction, b->friction, sizeof a->friction);
    ck_assert_int_eq(a->has_limits, b->has_limits);
    ck_assert_int_eq(a->mimics, b->mimics);
    const double x[] = {a->pitch, a->lower, a->upper, a->effort, a->velocity, a->multiplier, a->offset};
    const double y[] = {b->pitch, b->lower, b->upper, b->effort, b->velocity, b->multiplier, b->offset};
    ck_assert_mem_eq(x, y, sizeof x);
}

static void assert_same_robot(const robot *a, const robot *b)
{
    ck_assert_str_eq(a->name, b->name);
    ck_assert_int_eq(a->floating, b->floating);
    ck_assert_mem_eq(a->gravity, b->gravity, sizeof a->gravity);
    ck_assert_int_eq(a->n_links, b->n_links);
    for (int i = 0; i < a->n_links; i++) {
        const robot_link *x = &a->links[i], *y = &b->links[i];
        ck_assert_str_eq(x->name, y->name);
        ck_assert_int_eq(x->parent, y->parent);
        ck_assert_mem_eq(&x->mass, &y->mass, sizeof x->mass);
        ck_assert_mem_eq(x->com, y->com, sizeof x->com);
        ck_assert_mem_eq(x->inertia, y->inertia, sizeof x->inertia);
        assert_same_joint(&x->joint, &y->joint);
    }
}

static void assert_round_trip(const robot *r)
{
    arena *memory = arena_new();
    size_t n, m;
    char *text = yaml_text_of(r, &n);
    const robot *again = must_read(memory, text, n);
    assert_same_robot(r, again);
    char *twice = yaml_text_of(again, &m);
    ck_assert_uint_eq(n, m);
    ck_assert_mem_eq(text, twice, n);
    free(text);
    free(twice);
    arena_free(memory);
}

static char *load(const char *path, size_t *length)
{
    char *text = NULL;
    FILE *in = fopen(path, "rb"), *out = open_memstream(&text, length);
    ck_assert_msg(in && out, "%s", path);
    for (int c; (c = getc(in)) != EOF;) putc(c, out);
    fclose(in);
    fclose(out);
    return text;
}

START_TEST(every_joint_round_trips)
{
    arena *memory = arena_new();
    size_t n, m;
    char *text = load("robots/every_joint.yaml", &n);
    const robot *r = must_read(memory, text, n);
    unsigned types = 0;
    for (int i = 0; i < r->n_links; i++) types |= 1u << r->links[i].joint.type;
    ck_assert_uint_eq(types, (1u << SVA_JOINT_TYPES) - 1);
    assert_round_trip(r);
    char *written = yaml_text_of(r, &m);
    ck_assert_str_eq(text, written);
    free(text);
    free(written);
    arena_free(memory);
}
END_TEST

/* Names, and numbers that a careless printer would lose. */
START_TEST(awkward_robots_round_trip)
{
    static char longest[10001];
    memset(longest, 'x', sizeof longest - 1);
    static const char *const names[] = {"\"",
                                        "'",
                                        "a\nb",
                                        " lead",
                                        "trail ",
                                        "*/",
                                        "/* %s %n */",
                                        "#",
                                        "a: b",
                                        "- a",
                                        "\\",
                                        "~",
                                        "null",
                                        "true",
                                        "1e5",
                                        "\r\n",
                                        "\xc2\x85",
                                        "\xe2\x80\xa8",
                                        "\x7f",
                                        "\t",
                                        "\xef\xbb\xbf",
                                        "&a",
                                        "*a",
                                        "!a",
                                        "%a",
                                        "{a}",
                                        "[a]",
                                        "\xc3\xa9t\xc3\xa9",
                                        "\xf0\x9f\xa4\x96",
                                        "\xef\xbf\xbe",
                                        "y",
                                        "a/b.c",
                                        "---",
                                        "?",
                                        "|",
                                        "a\x01z",
                                        "\xc2\x80",
                                        "-",
                                        "@",
                                        "`",
                                        longest};
    static const double numbers[] = {-0.0, 5e-324, 1.7976931348623157e308, 0.1, 1.0 / 3, -1e-17, 123456789012345678.0};
    enum { NAMES = sizeof names / sizeof *names };
    robot_link links[NAMES] = {0};
    for (int i = 0; i < NAMES; i++) {
        double x = numbers[i % 7];
        links[i] = (robot_link){.name = names[i], .parent = i - 1, .mass = i % 7 == 2 ? 1 : i * 0.1};
        links[i].joint = (robot_joint){
            .name = i ? names[NAMES - i] : "", .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .mimics = -1, .multiplier = 1};
        robot_joint *j = &links[i].joint;
        j->axis[2] = 1;
        if (i > 0) j->type = i % 3 ? SVA_PRISMATIC : SVA_FLOATING;
        if (i > 0) j->p[i % 3] = x;
        links[i].com[0] = x;
        if (i % 3) j->has_limits = true;
        if (i % 3) j->lower = -1, j->upper = x > 0 ? x : 0, j->damping[0] = 1;
        if (i > 0 && i % 3 == 0) j->damping[4] = 0.5;
        if (i == 5) j->mimics = 7, j->offset = x, j->multiplier = -0.0;
    }
    for (int floating = 0; floating < 2; floating++)
        assert_round_trip(&(robot){
            .name = "a\"b", .floating = floating, .gravity = {0, -0.0, 1e-3}, .n_links = NAMES, .links = links});
}
END_TEST

START_TEST(format_example_is_read)
{
    arena *memory = arena_new();
    size_t n;
    char *text = load("robots/FORMAT.md", &n), *start = strstr(text, "```yaml\n");
    ck_assert_ptr_nonnull(start);
    start += strlen("```yaml\n");
    const robot *r = must_read(memory, start, (size_t)(strstr(start, "```") - start));
    ck_assert_int_eq(r->n_links, 5);
    ck_assert_int_eq(r->links[4].joint.mimics, 2);
    ck_assert(r->links[2].joint.R[2] == 1 && r->links[2].joint.R[0] == 0);
    ck_assert(r->links[3].joint.damping[1] == 1 && r->links[3].joint.damping[2] == 0.2);
    assert_round_trip(r);
    free(text);
    arena_free(memory);
}
END_TEST

START_TEST(order_is_depth_first_in_file_order)
{
    static const char text[] = "svagen: 1\nname: r\nlinks:\n"
                               "- {name: d, parent: b, joint: {name: jd, type: fixed}}\n"
                               "- {name: c, parent: a, joint: {name: jc, type: fixed}}\n"
                               "- {name: a}\n"
                               "- {name: b, parent: a, joint: {name: jb, type: fixed}}\n"
                               "- {name: e, parent: b, joint: {name: a, type: fixed}}\n";
    arena *memory = arena_new();
    const robot *r = must_read(memory, text, sizeof text - 1);
    const char *order = "acbde";
    const int parents[] = {-1, 0, 0, 2, 2};
    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(r->links[i].name[0], order[i]);
        ck_assert_int_eq(r->links[i].parent, parents[i]);
    }
    arena_free(memory);
}
END_TEST

static void write_file(const char *path, const char *text, size_t n)
{
    FILE *out = fopen(path, "wb");
    ck_assert(out && fwrite(text, 1, n, out) == n && fclose(out) == 0);
}

START_TEST(files_that_are_no_robots)
{
    static const struct {
        const char *path, *message;
    } cases[] = {{"no/such/file.yaml", "0:0: cannot open: No such file"},
                 {"robots", "0:0: is a directory; expected a robot file"},
                 {"/dev/null", "0:0: is empty; expected a robot file"},
                 {"/proc/self/exe", "0:0: is a binary file; expected a robot file"},
                 {"/dev/zero", "0:0: larger than 256 MB"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        arena *memory = arena_new();
        diag d = diag_new(memory);
        ck_assert_ptr_null(robot_read(memory, cases[i].path, &strict, &d));
        const char *message = said(memory, &d, DIAG_ERROR);
        ck_assert_msg(!strncmp(message, cases[i].message, strlen(cases[i].message)), "%s: %s", cases[i].path, message);
        ck_assert_str_eq(d.last->at.file, cases[i].path);
        arena_free(memory);
    }
}
END_TEST

/* The content decides, whatever the name says. */
START_TEST(format_by_content)
{
    static const char urdf[] = "\xef\xbb\xbf\n <robot name='u'><link name='a'/></robot>", yaml[] = "\xef\xbb\xbf" ROOT;
    char path[] = "/tmp/svagen_yaml_XXXXXX";
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    arena *memory = arena_new();
    diag d = diag_new(memory);
    write_file(path, urdf + 3, sizeof urdf - 4);
    const robot *r = robot_read(memory, path, &strict, &d);
    ck_assert(r && !strcmp(r->name, "u"));
    write_file(path, yaml, sizeof yaml - 1);
    r = robot_read(memory, path, &strict, &d);
    ck_assert(r && !strcmp(r->name, "r"));
    unlink(path);
    arena_free(memory);
}
END_TEST

/* n links in a row (branching 1) or all on the first one (branching n), as text. */
static double seconds_to_read(int n, int branching)
{
    arena *memory = arena_new();
    size_t length;
    char *text = yaml_text_of(robot_chain(memory, n, branching), &length);
    double best = 1e9;
    for (int i = 0; i < 3; i++) {
        arena *local = arena_new();
        diag d = diag_new(local);
        clock_t start = clock();
        const robot *r = robot_read_yaml(local, "chain", text, length, &strict, &d);
        ck_assert(r && r->n_links == n + 1 && model_build(local, r, NULL, &d));
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (seconds < best) best = seconds;
        arena_free(local);
    }
    free(text);
    arena_free(memory);
    return best;
}

/* Eight times the links: 8 times the time, not 64; between those is room for what else the machine does. */
START_TEST(large_trees_load_in_linear_time)
{
    const int branching[] = {1, 20000};
    for (int i = 0; i < 2; i++) {
        double small = seconds_to_read(2500, branching[i]), large = seconds_to_read(20000, branching[i]);
        ck_assert_msg(large < 24 * small, "branching %d: %g s for 2500 links, %g s for 20000", branching[i], small,
                      large);
    }
}
END_TEST

START_TEST(fuzzed_cases)
{
    DIR *folder = opendir("tests/data/fuzz/yaml");
    ck_assert_ptr_nonnull(folder);
    int count = 0;
    for (struct dirent *e; (e = readdir(folder));) {
        if (e->d_name[0] == '.') continue;
        char path[512];
        size_t n;
        snprintf(path, sizeof path, "tests/data/fuzz/yaml/%s", e->d_name);
        char *text = load(path, &n);
        ck_assert_msg(yaml_case(text, n, false) && yaml_case(text, n, true), "%s", path);
        free(text);
        count++;
    }
    closedir(folder);
    ck_assert_int_gt(count, 0);
}
END_TEST

SUITE("yaml", refused, remarked, unphysical_on_request, every_joint_round_trips, awkward_robots_round_trip,
      format_example_is_read, order_is_depth_first_in_file_order, files_that_are_no_robots, format_by_content,
      large_trees_load_in_linear_time, fuzzed_cases)
