#include "suite.h"

#include <dirent.h>
#include <float.h>
#include <math.h>
#include <string.h>
#include <unistd.h>
#include "command.h"
#include "fuzz/urdf_case.h"

static arena *memory;
static diag said;

static const read_options usual = {.clean = 1e-9};

static robot *read_with(const char *path, const char *text, size_t length, const read_options *options)
{
    if (!memory) memory = arena_new();
    said = diag_new(memory);
    robot *r = robot_read_urdf(memory, path, text, length, options, &said);
    ck_assert_msg(said.errors == (r ? 0 : 1), "%s: %d errors", path, said.errors);
    return r;
}

static robot *read_text(const char *text) { return read_with("test.urdf", text, strlen(text), &usual); }

static void done(void)
{
    arena_free(memory);
    memory = NULL;
}

static char *load(const char *path, size_t *length)
{
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "cannot open %s", path);
    char *text = malloc(1 << 20);
    *length = fread(text, 1, (1 << 20) - 1, f);
    text[*length] = 0;
    fclose(f);
    return text;
}

static robot *read_path(const char *path, const read_options *options)
{
    size_t length;
    char *text = load(path, &length);
    robot *r = read_with(path, text, length, options);
    free(text);
    return r;
}

static const diag_item *item_of(diag_level level)
{
    for (const diag_item *i = said.first; i; i = i->next)
        if (i->level == level) return i;
    return NULL;
}

/* What diag_print says of it, without the file and the level: "line:column: text". */
static const char *place_and_text(const diag_item *i)
{
    return i ? arena_printf(memory, "%d:%d: %s", i->at.line, i->at.column, i->text) : "nothing";
}

static void expect_error(const char *what, const char *expected)
{
    const char *found = place_and_text(item_of(DIAG_ERROR));
    ck_assert_msg(!strncmp(found, expected, strlen(expected)), "%s\nfound    %s\nexpected %s", what, found, expected);
}

static int count_nv(const robot *r)
{
    int nv = 0;
    for (int i = 1; i < r->n_links; i++)
        if (r->links[i].joint.mimics < 0) nv += sva_joint_table[r->links[i].joint.type].nv;
    return nv;
}

static const robot_link *link_named(const robot *r, const char *name)
{
    for (int i = 0; i < r->n_links; i++)
        if (!strcmp(r->links[i].name, name)) return &r->links[i];
    ck_abort_msg("no link %s", name);
    return NULL;
}

static const struct {
    const char *file;
    int links, nv;
    const char *error, *note; /* beginning of the error, or of the first note (NULL: none) */
} odd[] = {
    {"atlas_v3_not_a_urdf", 0, 0, "1:15: not well-formed XML: ", NULL},
    {"bike_commas", 4, 3, NULL, "0:0: commas between numbers"},
    {"falcon_two_roots", 0, 0, "182:32: joint 'top_propeller_joint': there is no child link 'Z_propeller'", NULL},
    {"humanoid_nonunit_axis", 34, 21, NULL, "2:1: the robot has no name: 'humanoid_nonunit_axis'"},
    {"husky_unexpanded", 0, 0,
     "97:60: <origin xyz=\"$(optenv HUSKY_IMU_XYZ 0.19 0 0.149)\">: 3 numbers expected; this file is not expanded: run "
     "xacro",
     NULL},
    {"joint_types_drake", 0, 0, "122:39: universal joints are not supported: write two revolute joints", NULL},
    {"link_and_joint_identical_name", 2, 0, NULL, NULL},
    {"pioneer_lx_no_axis", 4, 2, NULL, NULL},
    {"planar_slider", 4, 9, NULL, NULL},
};

START_TEST(odd_files)
{
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        char path[200];
        snprintf(path, sizeof path, "tests/data/odd/%s.urdf", odd[i].file);
        robot *r = read_path(path, &usual);
        if (odd[i].error) {
            expect_error(path, odd[i].error);
            continue;
        }
        ck_assert_msg(r != NULL, "%s: %s", path, place_and_text(item_of(DIAG_ERROR)));
        ck_assert_msg(r->n_links == odd[i].links && count_nv(r) == odd[i].nv, "%s: %d links, nv %d", path, r->n_links,
                      count_nv(r));
        const char *note = odd[i].note ? odd[i].note : "nothing";
        ck_assert_str_eq(arena_copy(memory, place_and_text(item_of(DIAG_NOTE)), strlen(note)), note);
    }
    done();
}
END_TEST

START_TEST(odd_details)
{
    const robot *bike = read_path("tests/data/odd/bike_commas.urdf", &usual);
    const double *p = link_named(bike, "frontWheelLink")->joint.p;
    ck_assert(p[0] == 0.07 && p[1] == 0 && p[2] == -0.69);
    const robot *pioneer = read_path("tests/data/odd/pioneer_lx_no_axis.urdf", &usual);
    const robot_joint *wheel = &link_named(pioneer, "l_wheel")->joint;
    ck_assert(wheel->type == SVA_CONTINUOUS && wheel->axis[0] == 1 && wheel->axis[1] == 0 && wheel->axis[2] == 0);
    const robot *human = read_path("tests/data/odd/humanoid_nonunit_axis.urdf", &usual);
    for (int i = 1; i < human->n_links; i++) {
        const double *a = human->links[i].joint.axis;
        ck_assert_double_eq_tol(a[0] * a[0] + a[1] * a[1] + a[2] * a[2], 1, 4e-16);
    }
    const robot *slider = read_path("tests/data/odd/planar_slider.urdf", &usual);
    ck_assert_double_eq(link_named(slider, "slider2")->joint.axis[1], 1);
    done();
}
END_TEST

#define ROBOT(inside) "<robot name='r'>" inside "</robot>"
#define A_AND_B       "<link name='a'/><link name='b'/>"
#define JOINT(inside)                                                                                                  \
    ROBOT(A_AND_B "\n<joint name='j' type='revolute'><parent link='a'/><child link='b'/>\n" inside "</joint>")
#define TYPE(type) ROBOT(A_AND_B "\n<joint name='j' type='" type "'><parent link='a'/><child link='b'/></joint>")
#define INERTIA    "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"

/* What is refused, and the beginning of how. */
static const struct {
    const char *text, *error;
} wrong[] = {
    {"", "1:1: not well-formed XML: no element found; <robot> expected"},
    {"robot", "1:1: not well-formed XML: "},
    {"<sdf version='1.6'/>", "1:1: <sdf> found, <robot> expected"},
    {"<robot name='r'>", "1:17: not well-formed XML: no element found; the file ends too early: </robot> expected"},
    {"<robot name='r'><link name='a'></robot>", "1:34: not well-formed XML: mismatched tag"},
    {"<robot name='r'><link name='a' name='b'/></robot>", "1:32: not well-formed XML: duplicate attribute"},
    {"<robot name='r'><link name='\xe9'/></robot>", "1:29: not well-formed XML: not well-formed (invalid token); the "
                                                    "text is not UTF-8"},
    {"<?xml version='1.0' encoding='klingon'?><robot/>", "1:31: not well-formed XML: unknown encoding"},
    {"<robot name='r'>&lol;</robot>", "1:17: not well-formed XML: undefined entity"},
    {ROBOT(""), "0:0: the robot has no links"},
    {ROBOT("<link/>"), "1:17: <link> has no attribute 'name'"},
    {ROBOT("<link name=''/>"), "1:23: <link name=\"\">: a name expected"},
    {ROBOT("<link name='a'/>\n<link name='a'/>"), "2:1: two links are named 'a' (the first is in line 1)"},
    {ROBOT(A_AND_B), "1:33: two roots"},
    {ROBOT(A_AND_B "<joint type='fixed'/>"), "1:49: <joint> has no attribute 'name'"},
    {ROBOT(A_AND_B "<joint name='j'/>"), "1:49: <joint> has no attribute 'type'"},
    {ROBOT(A_AND_B "<joint name='j' type='fixed'><child link='b'/></joint>"), "1:49: joint 'j' has no <parent link="},
    {ROBOT(A_AND_B "<joint name='j' type='fixed'><parent link='a'/></joint>"), "1:49: joint 'j' has no <child link="},
    {ROBOT(A_AND_B "<joint name='j' type='fixed'><parent/></joint>"), "1:78: <parent> has no attribute 'link'"},
    {ROBOT(A_AND_B "<joint name='j' type='fixed'><parent link='c'/><child link='b'/></joint>"),
     "1:86: joint 'j': there is no parent link 'c'"},
    {ROBOT(A_AND_B "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\n"
                   "<joint name='j' type='fixed'><parent link='b'/><child link='a'/></joint>"),
     "2:1: two joints are named 'j' (the first is in line 1)"},
    {ROBOT(A_AND_B "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\n"
                   "<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint>"),
     "2:1: link 'a' is its own ancestor"},
    {TYPE("revolut"), "2:17: <joint type=\"revolut\">: revolute, continuous, prismatic, fixed, floating, planar"},
    {TYPE("universal"), "2:17: universal joints are not supported: write two revolute joints"},
    {TYPE("screw"), "2:1: screw joint 'j' has no <screw_thread_pitch"},
    {TYPE("${type}"), "2:17: <joint type=\"${type}\">: revolute, continuous, prismatic"},
    {JOINT("<axis xyz='0 0 0'/>"), "3:7: <axis xyz=\"0 0 0\">: an axis other than zero expected"},
    {JOINT("<axis xyz='0 0'/>"), "3:7: <axis xyz=\"0 0\">: 3 numbers expected"},
    {JOINT("<axis xyz='0 0 1 0'/>"), "3:7: <axis xyz=\"0 0 1 0\">: 3 numbers expected"},
    {JOINT("<axis xyz='0 0 one'/>"), "3:7: <axis xyz=\"0 0 one\">: 3 numbers expected"},
    {JOINT("<axis xyz=''/>"), "3:7: <axis xyz=\"\">: 3 numbers expected"},
    {JOINT("<axis xyz='0 nan 1'/>"), "3:7: <axis xyz=\"0 nan 1\">: 3 numbers expected"},
    {JOINT("<origin xyz='0,5 0'/>"), "3:9: <origin xyz=\"0,5 0\">: 3 numbers expected"},
    {JOINT("<origin xyz='0, 0, 1,'/>"), "3:9: <origin xyz=\"0, 0, 1,\">: 3 numbers expected"},
    {JOINT("<origin xyz='0,,1'/>"), "3:9: <origin xyz=\"0,,1\">: 3 numbers expected"},
    {JOINT("<origin xyz='0 0 0'\n  rpy='0 0 1e999'/>"), "4:3: <origin rpy=\"0 0 1e999\">: 3 numbers expected"},
    {JOINT("<origin xyz='0 0 0' rpy='${pi/2} 0 0'/>"),
     "3:21: <origin rpy=\"${pi/2} 0 0\">: 3 numbers expected; this file is not expanded: run xacro"},
    {JOINT("<origin quat_xyzw='0 0 0 1'/>"), "3:9: <origin quat_xyzw=\"0 0 0 1\">: rpy (angles) instead"},
    {JOINT("<xacro:insert_block name='origin'/>"), "3:1: <xacro:insert_block> found: this file is not expanded"},
    {JOINT("<limit lower='0x10'/>"), "3:8: <limit lower=\"0x10\">: a number expected"},
    {JOINT("<limit effort='1,5'/>"), "3:8: <limit effort=\"1,5\">: a number expected"},
    {JOINT("<dynamics damping='1 2'/>"), "3:11: <dynamics damping=\"1 2\">: a number expected"},
    {JOINT("<mimic multiplier='2'/>"), "3:1: <mimic> has no attribute 'joint'"},
    {JOINT("<mimic joint='j'/>"), "3:8: joint 'j' follows itself"},
    {JOINT("<mimic joint='k'/>"), "3:8: joint 'j' follows 'k', which is no joint"},
    {ROBOT("<link name='a'><inertial>" INERTIA "</inertial></link>"), "1:32: <inertial> has no <mass value="},
    {ROBOT("<link name='a'><inertial><mass value='1'/></inertial></link>"), "1:32: <inertial> has no <inertia ixx="},
    {ROBOT("<link name='a'><inertial><mass/></inertial></link>"), "1:42: <mass> has no attribute 'value'"},
    {ROBOT("<link name='a'><inertial><mass value='1'/><inertia ixx='1'/></inertial></link>"),
     "1:59: <inertia> has no attribute 'ixy'"},
    {ROBOT("<link name='a'><inertial><mass value='-1'/>" INERTIA "</inertial></link>"), "1:17: "},
    {"<!DOCTYPE r [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><robot name='&b;'/>",
     "1:13: document type with declarations found"},
    {"<!DOCTYPE r SYSTEM 'file:///etc/passwd'><robot name='r'/>", "1:40: document type with declarations found"},
    {"<!DOCTYPE r [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><robot name='r'>&a;</robot>",
     "1:13: document type with declarations found"},
    {"<!DOCTYPE r [<!ATTLIST link name CDATA 'x'>]><robot name='r'><link/></robot>",
     "1:13: document type with declarations found"},
};

START_TEST(refused)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        read_text(wrong[i].text);
        expect_error(wrong[i].text, wrong[i].error);
    }
    done();
}
END_TEST

START_TEST(defaults)
{
    const robot *r = read_text(JOINT("<limit effort='3' velocity='4'/><dynamics friction='0.5'/>"));
    const robot_joint *j = &link_named(r, "b")->joint;
    ck_assert(j->type == SVA_REVOLUTE && j->axis[0] == 1 && j->axis[1] == 0 && j->axis[2] == 0);
    for (int i = 0; i < 9; i++) ck_assert(j->R[i] == (i % 4 == 0));
    ck_assert(j->p[0] == 0 && j->p[1] == 0 && j->p[2] == 0 && j->mimics == -1);
    ck_assert(j->has_limits && j->lower == 0 && j->upper == 0 && j->effort == 3 && j->velocity == 4);
    ck_assert(j->damping[0] == 0 && j->friction[0] == 0.5);
    ck_assert(r->links[0].mass == 0 && !r->floating && r->gravity[2] == -9.81);
    done();
}
END_TEST

/* Joints before links, unknown elements, attributes and namespaces, and elements that only look like joints. */
START_TEST(any_order_and_strangers)
{
    const robot *r = read_text("<!-- c --><!DOCTYPE robot><robot xmlns:x='y' version='1.0'>"
                               "<joint type='prismatic' weird='1' name='2'><mimic offset='-1' joint='1'/>"
                               "<axis xyz='0 0 -2'/><child link='c'/><parent link='b'/></joint>"
                               "<joint type='revolute' name='1'><child link='b'/><parent link='world'/>"
                               "<calibration rising='0'/><axis xyz='0 1 0'/></joint>"
                               "<gazebo><joint name='1' type='none'/><link name='b'/></gazebo>"
                               "<transmission><joint name='1'><parent link='z'/></joint></transmission>"
                               "<link name='c'><visual><origin xyz='bad'/><joint/></visual></link>text"
                               "<link name='b'><x:inertial/><link name='b'/></link></robot>");
    ck_assert_msg(r != NULL, "%s", place_and_text(item_of(DIAG_ERROR)));
    ck_assert_int_eq(r->n_links, 3);
    ck_assert_str_eq(r->name, "test");
    ck_assert_str_eq(r->links[0].name, "world");
    ck_assert_str_eq(r->links[2].name, "c");
    const robot_joint *j = &r->links[2].joint;
    ck_assert(j->mimics == 1 && j->multiplier == 1 && j->offset == -1 && j->axis[2] == -1);
    done();
}
END_TEST

START_TEST(first_of_two_counts)
{
    const robot *r = read_text(JOINT("<origin xyz='1 0 0'/><origin xyz='2 0 0'/>"));
    ck_assert_double_eq(link_named(r, "b")->joint.p[0], 1);
    ck_assert_str_eq(place_and_text(item_of(DIAG_WARNING)), "3:22: a second <origin> is ignored");
    r = read_text(ROBOT("<link name='a'><inertial><mass value='1'/>" INERTIA "</inertial>"
                        "<inertial><mass value='2'/></inertial></link>"));
    ck_assert_double_eq(r->links[0].mass, 1);
    ck_assert_int_eq(said.warnings, 1);
    done();
}
END_TEST

START_TEST(foreign_joint_types)
{
    const robot *r = read_text(ROBOT(A_AND_B "<drake:joint name='j' type='screw'><parent link='a'/><child link='b'/>"
                                             "<drake:screw_thread_pitch value='0.04'/></drake:joint>"));
    ck_assert(link_named(r, "b")->joint.type == SVA_HELICAL);
    ck_assert_double_eq_tol(link_named(r, "b")->joint.pitch, 0.04 / (2 * acos(-1)), 1e-18);
    r = read_text(ROBOT(A_AND_B "<joint name='j' type='helical' screw_thread_pitch='2'><parent link='a'/>"
                                "<child link='b'/></joint>"));
    ck_assert_double_eq_tol(link_named(r, "b")->joint.pitch, 1 / acos(-1), 1e-16);
    static const struct {
        const char *text;
        sva_joint_type type;
    } rows[] = {{TYPE("ball"), SVA_SPHERICAL},    {TYPE("spherical"), SVA_SPHERICAL},
                {TYPE("floating"), SVA_FLOATING}, {TYPE("cylindrical"), SVA_CYLINDRICAL},
                {TYPE("planar"), SVA_PLANAR},     {TYPE("fixed"), SVA_FIXED}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert(link_named(read_text(rows[i].text), "b")->joint.type == rows[i].type);
    r = read_text(ROBOT(A_AND_B "<joint name='j' type='planar'><parent link='a'/><child link='b'/>"
                                "<dynamics damping='1 2 3' friction='4'/></joint>"));
    const robot_joint *j = &link_named(r, "b")->joint;
    ck_assert(j->damping[0] == 1 && j->damping[2] == 3 && j->friction[0] == 4 && j->friction[2] == 4);
    done();
}
END_TEST

/* Fixed joints are often given an axis of zeros; it has no meaning there. */
START_TEST(axis_without_meaning)
{
    ck_assert(read_text(ROBOT(A_AND_B "<joint name='j' type='fixed'><axis xyz='0 0 0'/><parent link='a'/>"
                                      "<child link='b'/></joint>")));
    done();
}
END_TEST

#define TURNED(rpy, inertia)                                                                                           \
    ROBOT("<link name='a'><inertial><origin xyz='1e-10 -0.5 -0' rpy='" rpy "'/>"                                       \
          "<mass value='1'/><inertia " inertia "/></inertial></link>")

/* I = R diag(1, 2, 3) R': a quarter turn about x exchanges yy and zz, an eighth about z mixes xx and yy. */
START_TEST(inertia_is_turned)
{
    const double *I =
        read_text(TURNED("1.57079632679 0 0", "ixx='1' ixy='0' ixz='0' iyy='2' iyz='0' izz='3'"))->links[0].inertia;
    ck_assert(I[0] == 1 && I[1] == 0 && I[2] == 0 && I[3] == 3 && I[4] == 0 && I[5] == 2);
    I = read_text(TURNED("0 0 0.78539816339744831", "ixx='1' ixy='0' ixz='0' iyy='2' iyz='0' izz='2.5'"))
            ->links[0]
            .inertia;
    const double expected[6] = {1.5, -0.5, 0, 1.5, 0, 2.5};
    for (int i = 0; i < 6; i++) ck_assert_double_eq_tol(I[i], expected[i], 1e-15);
    done();
}
END_TEST

static const char noisy[] =
    TURNED("1.57079632679 0 0", "ixx='1e-6' ixy='1e-16' ixz='1e-12' iyy='1e-6' iyz='0' izz='1e-6'");

START_TEST(noise_is_cleaned_and_said)
{
    const robot_link *a = &read_text(noisy)->links[0];
    ck_assert(a->com[0] == 0 && a->com[1] == -0.5 && !signbit(a->com[2]));
    ck_assert(a->inertia[2] == 0 && a->inertia[1] == -1e-12); /* 1e-16 is noise beside 1e-6, 1e-12 is not */
    ck_assert_str_eq(place_and_text(item_of(DIAG_NOTE)), "1:70: rotation within 4.9e-12 of right angles made exact");
    int notes = 0;
    for (const diag_item *i = said.first; i; i = i->next) notes += i->level == DIAG_NOTE;
    ck_assert_int_eq(notes, 3);
    done();
}
END_TEST

/* clean = 1e-9 of the largest component, or of a centimetre. */
START_TEST(noise_is_relative_to_its_vector)
{
#define COM(xyz) ROBOT("<link name='a'><inertial><origin xyz='" xyz "'/><mass value='1'/>" INERTIA "</inertial></link>")
    static const struct {
        const char *text;
        double y;
    } rows[] = {{COM("20 1.9e-8 0"), 0},          {COM("20 2.1e-8 0"), 2.1e-8}, {COM("0.1 0.9e-10 0"), 0},
                {COM("-0.1 1.1e-10 0"), 1.1e-10}, {COM("0 0.9e-11 0"), 0},      {COM("1e-6 1.1e-11 0"), 1.1e-11}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_msg(read_text(rows[i].text)->links[0].com[1] == rows[i].y, "%s", rows[i].text);
        done();
    }
}
END_TEST

START_TEST(cleaning_can_be_turned_off)
{
    read_options raw = {.clean = 0};
    const robot_link *a = &read_with("t", noisy, strlen(noisy), &raw)->links[0];
    ck_assert(a->com[0] == 1e-10 && a->inertia[2] != 0);
    ck_assert_str_eq(place_and_text(item_of(DIAG_NOTE)), "nothing");
    done();
}
END_TEST

START_TEST(unphysical_if_allowed)
{
    read_options allow = {.clean = 1e-9, .allow_unphysical = true};
    static const char text[] = ROBOT("<link name='a'><inertial><mass value='-1'/>" INERTIA "</inertial></link>");
    ck_assert(read_with("t", text, strlen(text), &allow));
    ck_assert_int_eq(said.warnings, 1);
    done();
}
END_TEST

static const struct {
    const char *written, *meant;
} hostile[] = {
    {"&quot;&apos;&lt;&gt;&amp;", "\"'<>&"},
    {"*/ int main(void){} /*", "*/ int main(void){} /*"},
    {"a&#10;b&#13;c&#9;", "a\nb\rc\t"},
    {"%s%n%1000d", "%s%n%1000d"},
    {"\xc3\xbc\xe2\x80\xae\xf0\x9f\xa4\x96", "\xc3\xbc\xe2\x80\xae\xf0\x9f\xa4\x96"},
    {"$(reboot) `reboot`", "$(reboot) `reboot`"},
    {"../../etc/passwd\\", "../../etc/passwd\\"},
    {" ", " "},
    {"?\?/ {{name}} - : # null ~", "?\?/ {{name}} - : # null ~"},
};

START_TEST(names_are_data)
{
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        char text[1000];
        const char *w = hostile[i].written;
        snprintf(text, sizeof text,
                 "<robot name='r'><link name=\"%s\"/><link name='b'/><joint name=\"%s\" type='fixed'>"
                 "<parent link=\"%s\"/><child link='b'/></joint></robot>",
                 w, w, w);
        const robot *r = read_text(text);
        ck_assert_msg(r != NULL, "%s: %s", w, place_and_text(item_of(DIAG_ERROR)));
        ck_assert_str_eq(r->links[0].name, hostile[i].meant);
        ck_assert_str_eq(r->links[1].joint.name, hostile[i].meant);
    }
    done();
}
END_TEST

static char *repeat(const char *word, size_t count)
{
    size_t length = strlen(word);
    char *text = malloc(length * count + 1);
    for (size_t i = 0; i < count; i++) memcpy(text + i * length, word, length);
    text[length * count] = 0;
    return text;
}

static robot *read_wrapped(const char *before, const char *word, size_t count, const char *after)
{
    char *middle = repeat(word, count), *text = malloc(strlen(before) + strlen(middle) + strlen(after) + 1);
    strcat(strcat(strcpy(text, before), middle), after);
    robot *r = read_text(text);
    free(middle);
    free(text);
    return r;
}

START_TEST(bounds)
{
    const robot *r = read_wrapped("<robot name='r'><link name='", "n", 10000, "'/></robot>");
    ck_assert_uint_eq(strlen(r->links[0].name), 10000);
    ck_assert(!read_wrapped("<robot name='r'><link name='", "n", 2 << 20, "'/></robot>"));
    expect_error("long name", "1:17: an attribute of <link> has more than 1048576 characters");
    ck_assert(!read_wrapped("<robot name='r'>", "<a>", 1000000, ""));
    expect_error("deep", "1:782: elements nested more than 256 deep");
    ck_assert(!read_wrapped("<robot name='r'><link name='a'><inertial><mass value='", "1 ", 100000, "'/>"));
    expect_error("many numbers", "1:48: <mass value=\"1 1 ");
    done();
}
END_TEST

/* The byte index and the text disagree in other encodings: places fall back to the tag's. */
START_TEST(other_encodings)
{
    static const char latin1[] =
        "<?xml version='1.0' encoding='ISO-8859-1'?><robot name='r'><link name='\xe9'/></robot>";
    ck_assert_str_eq(read_text(latin1)->links[0].name, "\xc3\xa9");
    static const char ascii[] = "<robot name='r'><link name=''/></robot>";
    char wide[2 * sizeof ascii] = "\xff\xfe";
    for (size_t i = 0; i + 1 < sizeof ascii; i++) {
        wide[2 * i + 2] = ascii[i];
        wide[2 * i + 3] = 0;
    }
    read_with("t", wide, sizeof wide, &usual);
    expect_error("UTF-16", "1:");
    ck_assert(strstr(item_of(DIAG_ERROR)->text, "a name expected"));
    done();
}
END_TEST

/* Every 7th prefix: one error, unless only the blanks behind </robot> are missing. */
START_TEST(truncated_files)
{
    static const char *const files[] = {"tests/data/urdf/panda.urdf", "tests/data/odd/bike_commas.urdf",
                                        "tests/data/odd/planar_slider.urdf"};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        size_t length;
        char *text = load(files[f], &length), *last = strstr(text, "</robot>") + 8;
        for (size_t n = 0; n < length; n += 7) {
            char *prefix = malloc(n ? n : 1); /* of that size, so that reading beyond is seen */
            memcpy(prefix, text, n);
            ck_assert_msg(!read_with(files[f], prefix, n, &usual) == (text + n < last), "%s at %zu", files[f], n);
            free(prefix);
            done();
        }
        free(text);
    }
}
END_TEST

static void replay(const char *path)
{
    size_t length;
    char *text = load(path, &length);
    ck_assert_msg(urdf_case(text, length, false) && urdf_case(text, length, true), "%s", path);
    free(text);
}

/* Inputs that fuzzing found interesting. */
START_TEST(fuzz_corpus)
{
    int count = 0;
    DIR *folder = opendir("tests/data/fuzz/urdf");
    ck_assert(folder != NULL);
    for (struct dirent *e; (e = readdir(folder));) {
        char path[400];
        snprintf(path, sizeof path, "tests/data/fuzz/urdf/%s", e->d_name);
        if (e->d_name[0] == '.') continue;
        replay(path);
        count++;
    }
    closedir(folder);
    ck_assert_int_gt(count, 0);
}
END_TEST

/* Runs svagen import, both of whose streams go to `output`. Returns its exit code. */
static int import(const char *arguments, char output[4000])
{
    char line[1000];
    snprintf(line, sizeof line, "import %s", arguments);
    command c = run_svagen(line);
    snprintf(output, 4000, "%s", c.out);
    free(c.out);
    return c.status;
}

START_TEST(import_to_the_terminal)
{
    char output[4000];
    ck_assert_int_eq(import("tests/data/odd/planar_slider.urdf --base floating --name 'a b'", output), 0);
    static const char start[] = "svagen: 1\nname: \"a b\"\nbase: floating\nlinks:\n  - name: base\n";
    ck_assert_msg(!strncmp(output, start, strlen(start)), "%s", output);
    ck_assert_int_eq(import("tests/data/urdf/double_pendulum.urdf", output), 0);
    ck_assert(strstr(output, "double_pendulum.urdf:5:15: note: position: 2.6e-13 made 0\n"));
    ck_assert(strstr(output, "com: [-0.0050107, 1.9371e-10, 0.10088]\n")); /* data, of a link this small */
    ck_assert_int_eq(import("tests/data/urdf/double_pendulum.urdf --clean 0", output), 0);
    ck_assert(strstr(output, "com: [0.0030299, 2.6279e-13, 0.02912]\n") && !strstr(output, "note"));
}
END_TEST

START_TEST(import_leaves_files_alone_after_errors)
{
    char path[100], arguments[300], output[4000];
    snprintf(path, sizeof path, "/tmp/svagen_test_urdf_%d.yaml", (int)getpid());
    FILE *f = fopen(path, "w");
    fputs("precious", f);
    fclose(f);
    snprintf(arguments, sizeof arguments, "tests/data/odd/husky_unexpanded.urdf -o %s", path);
    ck_assert_int_eq(import(arguments, output), 1);
    ck_assert_msg(!strncmp(output, "tests/data/odd/husky_unexpanded.urdf:97:60: error: ", 51), "%s", output);
    ck_assert_msg(strchr(output, '\n')[1] == 0, "more than one line: %s", output);
    size_t length;
    char *text = load(path, &length);
    ck_assert_str_eq(text, "precious");
    free(text);
    remove(path);
    ck_assert_int_eq(import("tests/data/odd/nowhere.urdf", output), 1);
    ck_assert_int_eq(import("", output), 2);
}
END_TEST

SUITE("urdf", odd_files, odd_details, refused, defaults, any_order_and_strangers, first_of_two_counts,
      foreign_joint_types, axis_without_meaning, inertia_is_turned, noise_is_cleaned_and_said,
      noise_is_relative_to_its_vector, cleaning_can_be_turned_off, unphysical_if_allowed, names_are_data, bounds,
      other_encodings, truncated_files, fuzz_corpus, import_to_the_terminal, import_leaves_files_alone_after_errors)
