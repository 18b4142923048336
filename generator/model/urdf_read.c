/* URDF, as its specification (wiki.ros.org/urdf/XML) and urdfdom read it: elements in any order, the first of a kind
   counts, unknown ones are passed over. Foreign joint types are read where there is a type of our own for them. */
#include <float.h>
#include <math.h>
#include <string.h>
#include "base/number.h"
#include "base/rotation.h"
#include "draft.h"
#include "urdf_xml.h"

typedef enum level { AT_TOP, IN_ROBOT, IN_LINK, IN_INERTIAL, IN_JOINT, LEAF, LEVELS } level;

enum { DETAILED_NOTES = 8 }; /* of cleaning; the rest is only counted */

typedef struct reader {
    arena *memory;
    diag *d;
    double clean;
    draft draft;
    level level;
    unsigned seen; /* bit k: an element of rules[k] was in the link or joint being read */
    robot_link link;
    draft_joint joint;
    place inertial_at;
    double inertial_R[9];
    bool has_mass, has_inertia, has_pitch, has_commas;
    int cleanings; /* numbers and rotations that were made exact */
    double largest_change;
} reader;

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static bool is_unexpanded(const char *text) { return strstr(text, "${") || strstr(text, "$("); }

static bool wrong_value(reader *r, const xml_tag *tag, const char *name, const char *expected)
{
    const char *value = xml_attribute(tag, name);
    place at = xml_attribute_place(tag, name);
    if (is_unexpanded(value))
        return diag_error(r->d, at, "<%s %s=\"%.80s\">: %s expected; this file is not expanded: run xacro on it first",
                          tag->name, name, value, expected);
    return diag_error(r->d, at, "<%s %s=\"%.80s\">: %s expected", tag->name, name, value, expected);
}

static bool missing(reader *r, const xml_tag *tag, const char *name)
{
    return diag_error(r->d, tag->at, "<%s> has no attribute '%s'", tag->name, name);
}

static const char blanks[] = " \t\r\n";

/* Numbers separated by blanks, or all of them by commas; returns how many, -1 for anything else. */
static int split_numbers(const char *text, double *x, int most, bool *has_commas)
{
    int n = 0, commas = 0;
    for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
        size_t length = strcspn(text, " \t\r\n,");
        if (n == most || !number_parse(text, length, &x[n++])) return -1;
        text += length;
        text += strspn(text, blanks);
        if (*text != ',') continue;
        text++;
        commas++;
        if (!text[strspn(text, blanks)]) return -1;
    }
    if (commas && commas != n - 1) return -1;
    *has_commas |= commas > 0;
    return n;
}

/* An attribute of `least` or `most` numbers; returns how many, 0 if it is absent, -1 after an error. */
static int read_numbers(reader *r, const xml_tag *tag, const char *name, double *x, int least, int most)
{
    static const char *const expected[] = {"", "a number", "", "3 numbers"};
    const char *text = xml_attribute(tag, name);
    if (!text) return 0;
    double value[6];
    int n = split_numbers(text, value, most, &r->has_commas);
    if (n < least || (n > least && n < most)) {
        wrong_value(r, tag, name, expected[least]);
        return -1;
    }
    memcpy(x, value, (size_t)n * sizeof *x);
    return n;
}

static bool read_optional(reader *r, const xml_tag *tag, const char *name, double *x)
{
    return read_numbers(r, tag, name, x, 1, 1) >= 0;
}

static bool read_number(reader *r, const xml_tag *tag, const char *name, double *x)
{
    return xml_attribute(tag, name) ? read_optional(r, tag, name, x) : missing(r, tag, name);
}

static bool read_vector(reader *r, const xml_tag *tag, const char *name, double x[3])
{
    return read_numbers(r, tag, name, x, 3, 3) >= 0;
}

/* A name is data: any text but none. */
static bool read_name(reader *r, const xml_tag *tag, const char *name, const char **value)
{
    const char *text = xml_attribute(tag, name);
    if (!text) return missing(r, tag, name);
    if (!*text) return wrong_value(r, tag, name, "a name");
    *value = arena_copy(r->memory, text, strlen(text));
    return true;
}

/* Counts a change and says whether it is worth a note of its own. */
static bool count_cleaning(reader *r, double change)
{
    r->largest_change = fmax(r->largest_change, change);
    return r->cleanings++ < DETAILED_NOTES;
}

static void clean_number(reader *r, place at, const char *what, double *x, double tolerance)
{
    if (!(fabs(*x) < tolerance)) return;
    if (*x != 0 && count_cleaning(r, fabs(*x))) diag_note(r->d, at, "%s: %.2g made 0", what, *x);
    *x = 0; /* also minus zero */
}

/* A component is noise beside the largest of its vector, or beside a centimetre where all are smaller. */
static void clean_vector(reader *r, place at, const char *what, double x[3])
{
    double scale = fmax(fmax(fabs(x[0]), fabs(x[1])), fmax(fabs(x[2]), 0.01));
    for (int i = 0; i < 3; i++) clean_number(r, at, what, &x[i], r->clean * scale);
}

/* A product of inertia is noise beside the two moments it couples, |Iij| < clean sqrt(Iii Ijj), so that no principal
   moment changes by more than that factor; or if the rounding of the largest moment is above it. */
static void clean_products(reader *r, place at, double I[6])
{
    static const struct {
        int product, a, b;
    } couples[] = {{1, 0, 3}, {2, 0, 5}, {4, 3, 5}};
    double trace = fabs(I[0]) + fabs(I[3]) + fabs(I[5]);
    if (r->clean == 0) return;
    for (int i = 0; i < 3; i++) {
        double moments = sqrt(fabs(I[couples[i].a] * I[couples[i].b]));
        clean_number(r, at, "product of inertia", &I[couples[i].product],
                     fmax(r->clean * moments, DBL_EPSILON * trace));
    }
}

static bool read_rotation(reader *r, const xml_tag *tag, double R[9])
{
    double rpy[3] = {0};
    if (xml_attribute(tag, "quat_xyzw"))
        return wrong_value(r, tag, "quat_xyzw", "rpy (angles) instead of a quaternion");
    if (!read_vector(r, tag, "rpy", rpy)) return false;
    double written[9], change = 0;
    rotation_from_rpy(rpy, 0, written);
    rotation_from_rpy(rpy, r->clean, R);
    for (int i = 0; i < 9; i++) change = fmax(change, fabs(R[i] - written[i]));
    if (change > 4 * DBL_EPSILON && count_cleaning(r, change))
        diag_note(r->d, xml_attribute_place(tag, "rpy"), "rotation within %.2g of right angles made exact", change);
    return true;
}

static bool read_pose(reader *r, const xml_tag *tag, double R[9], double p[3])
{
    if (!read_vector(r, tag, "xyz", p) || !read_rotation(r, tag, R)) return false;
    clean_vector(r, xml_attribute_place(tag, "xyz"), "position", p);
    return true;
}

/* <robot> */

/* The file's name without folders and the last extension. */
static const char *stem(arena *memory, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return arena_copy(memory, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

static bool open_robot(reader *r, const xml_tag *tag)
{
    const char *name = xml_attribute(tag, "name");
    if (name && *name) return read_name(r, tag, "name", &r->draft.name);
    r->draft.name = stem(r->memory, r->draft.file);
    diag_note(r->d, tag->at, "the robot has no name: '%s' taken from the file's", r->draft.name);
    return true;
}

/* <link> */

static bool open_link(reader *r, const xml_tag *tag)
{
    r->link = (robot_link){.at = tag->at};
    r->seen = 0;
    return read_name(r, tag, "name", &r->link.name);
}

static bool close_link(reader *r)
{
    VEC_PUSH(&r->draft.links, r->link);
    return true;
}

static bool open_inertial(reader *r, const xml_tag *tag)
{
    r->inertial_at = tag->at;
    r->has_mass = r->has_inertia = false;
    memcpy(r->inertial_R, identity, sizeof identity);
    return true;
}

static bool read_inertial_origin(reader *r, const xml_tag *tag)
{
    return read_pose(r, tag, r->inertial_R, r->link.com);
}

static bool read_mass(reader *r, const xml_tag *tag)
{
    return r->has_mass = read_number(r, tag, "value", &r->link.mass);
}

static bool read_inertia(reader *r, const xml_tag *tag)
{
    static const char *const names[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    for (int i = 0; i < 6; i++)
        if (!read_number(r, tag, names[i], &r->link.inertia[i])) return false;
    return r->has_inertia = true;
}

/* I = R I R' */
static void rotate_inertia(const double R[9], double I[6])
{
    double full[9] = {I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5]};
    double transposed[9] = {R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]};
    rotation_compose(R, full, full);
    rotation_compose(full, transposed, full);
    static const int upper[6] = {0, 1, 2, 4, 5, 8};
    for (int i = 0; i < 6; i++) I[i] = full[upper[i]];
}

static bool close_inertial(reader *r)
{
    if (!r->has_mass) return diag_error(r->d, r->inertial_at, "<inertial> has no <mass value=\"...\"/>");
    if (!r->has_inertia) return diag_error(r->d, r->inertial_at, "<inertial> has no <inertia ixx=\"...\" .../>");
    rotate_inertia(r->inertial_R, r->link.inertia);
    clean_products(r, r->inertial_at, r->link.inertia);
    return true;
}

/* <joint> */

static const struct {
    const char *name;
    sva_joint_type type;
} foreign_types[] = {{"ball", SVA_SPHERICAL}, {"screw", SVA_HELICAL}};

static int joint_type(const char *name)
{
    for (size_t i = 0; i < sizeof foreign_types / sizeof *foreign_types; i++)
        if (!strcmp(name, foreign_types[i].name)) return (int)foreign_types[i].type;
    return sva_joint_type_of(name);
}

static bool read_joint_type(reader *r, const xml_tag *tag)
{
    const char *name = xml_attribute(tag, "type");
    if (!name) return missing(r, tag, "type");
    if (!strcmp(name, "universal"))
        return diag_error(r->d, xml_attribute_place(tag, "type"),
                          "universal joints are not supported: write two revolute joints with a massless link between");
    int type = joint_type(name);
    if (type < 0)
        return wrong_value(r, tag, "type",
                           "revolute, continuous, prismatic, fixed, floating, planar, spherical or screw");
    r->joint.joint.type = (sva_joint_type)type;
    return true;
}

/* A thread's pitch is metres a revolution (2 pi), ours metres a radian. */
static bool read_pitch_from(reader *r, const xml_tag *tag, const char *name)
{
    double thread = 0;
    if (!read_number(r, tag, name, &thread)) return false;
    r->joint.joint.pitch = thread / 0x1.921fb54442d18p+2;
    return r->has_pitch = true;
}

static bool read_pitch(reader *r, const xml_tag *tag) { return read_pitch_from(r, tag, "value"); }

static bool open_joint(reader *r, const xml_tag *tag)
{
    r->joint = (draft_joint){.joint = {.at = tag->at, .axis = {1, 0, 0}, .mimics = -1, .multiplier = 1}};
    r->seen = 0;
    r->has_pitch = false;
    memcpy(r->joint.joint.R, identity, sizeof identity);
    if (!read_name(r, tag, "name", &r->joint.joint.name) || !read_joint_type(r, tag)) return false;
    return !xml_attribute(tag, "screw_thread_pitch") || read_pitch_from(r, tag, "screw_thread_pitch");
}

static bool read_parent(reader *r, const xml_tag *tag)
{
    r->joint.parent_at = xml_attribute_place(tag, "link");
    return read_name(r, tag, "link", &r->joint.parent);
}

static bool read_child(reader *r, const xml_tag *tag)
{
    r->joint.child_at = xml_attribute_place(tag, "link");
    return read_name(r, tag, "link", &r->joint.child);
}

static bool read_joint_origin(reader *r, const xml_tag *tag)
{
    return read_pose(r, tag, r->joint.joint.R, r->joint.joint.p);
}

/* To a unit vector without noise. Returns the length it had, 0 if it has no direction. */
static double normalise_axis(reader *r, place at, double axis[3])
{
    double length = axis_normalise(axis);
    if (length == 0) return 0;
    clean_vector(r, at, "axis", axis);
    axis_normalise(axis);
    return length;
}

static bool read_axis(reader *r, const xml_tag *tag)
{
    double axis[3] = {1, 0, 0};
    if (!sva_joint_table[r->joint.joint.type].has_axis) return true; /* files give fixed joints axes like 0 0 0 */
    if (!read_vector(r, tag, "xyz", axis)) return false;
    place at = xml_attribute_place(tag, "xyz");
    double length = normalise_axis(r, at, axis);
    if (length == 0) return wrong_value(r, tag, "xyz", "an axis other than zero");
    if (fabs(length - 1) > 1e-9)
        diag_each(r->d, DIAG_NOTE, at, "axes normalised, of joints", r->joint.joint.name,
                  "axis of length %.6g normalised", length);
    memcpy(r->joint.joint.axis, axis, sizeof axis);
    return true;
}

static bool read_limit(reader *r, const xml_tag *tag)
{
    robot_joint *j = &r->joint.joint;
    j->has_limits = true;
    return read_optional(r, tag, "lower", &j->lower) && read_optional(r, tag, "upper", &j->upper) &&
           read_optional(r, tag, "effort", &j->effort) && read_optional(r, tag, "velocity", &j->velocity);
}

/* One number for all degrees of freedom, or one for each. */
static bool read_per_freedom(reader *r, const xml_tag *tag, const char *name, double x[6])
{
    int nv = sva_joint_table[r->joint.joint.type].nv;
    int n = read_numbers(r, tag, name, x, 1, nv > 1 ? nv : 1);
    for (int i = 1; n == 1 && i < nv; i++) x[i] = x[0];
    if (nv == 0) x[0] = 0;
    return n >= 0;
}

static bool read_dynamics(reader *r, const xml_tag *tag)
{
    return read_per_freedom(r, tag, "damping", r->joint.joint.damping) &&
           read_per_freedom(r, tag, "friction", r->joint.joint.friction);
}

static bool read_mimic(reader *r, const xml_tag *tag)
{
    r->joint.mimics_at = xml_attribute_place(tag, "joint");
    return read_name(r, tag, "joint", &r->joint.mimics) &&
           read_optional(r, tag, "multiplier", &r->joint.joint.multiplier) &&
           read_optional(r, tag, "offset", &r->joint.joint.offset);
}

static bool close_joint(reader *r)
{
    const robot_joint *j = &r->joint.joint;
    if (!r->joint.parent) return diag_error(r->d, j->at, "joint '%s' has no <parent link=\"...\"/>", j->name);
    if (!r->joint.child) return diag_error(r->d, j->at, "joint '%s' has no <child link=\"...\"/>", j->name);
    if (j->type == SVA_HELICAL && !r->has_pitch)
        return diag_error(r->d, j->at, "screw joint '%s' has no <screw_thread_pitch value=\"metres a revolution\"/>",
                          j->name);
    VEC_PUSH(&r->draft.joints, r->joint);
    return true;
}

/* Which elements are read inside which, and what of. */
typedef struct rule {
    level in;
    const char *name;
    bool (*read)(reader *r, const xml_tag *tag);
    level inside; /* LEAF: what it contains does not count */
} rule;

static const rule rules[] = {
    {AT_TOP, "robot", open_robot, IN_ROBOT},
    {IN_ROBOT, "link", open_link, IN_LINK},
    {IN_ROBOT, "joint", open_joint, IN_JOINT},
    {IN_ROBOT, "drake:joint", open_joint, IN_JOINT},
    {IN_LINK, "inertial", open_inertial, IN_INERTIAL},
    {IN_INERTIAL, "origin", read_inertial_origin, LEAF},
    {IN_INERTIAL, "mass", read_mass, LEAF},
    {IN_INERTIAL, "inertia", read_inertia, LEAF},
    {IN_JOINT, "parent", read_parent, LEAF},
    {IN_JOINT, "child", read_child, LEAF},
    {IN_JOINT, "origin", read_joint_origin, LEAF},
    {IN_JOINT, "axis", read_axis, LEAF},
    {IN_JOINT, "limit", read_limit, LEAF},
    {IN_JOINT, "dynamics", read_dynamics, LEAF},
    {IN_JOINT, "mimic", read_mimic, LEAF},
    {IN_JOINT, "screw_thread_pitch", read_pitch, LEAF},
    {IN_JOINT, "drake:screw_thread_pitch", read_pitch, LEAF},
};
enum { RULES = sizeof rules / sizeof *rules };

static const struct {
    level outside;
    bool (*close)(reader *r);
} levels[LEVELS] = {
    [IN_ROBOT] = {AT_TOP, NULL},
    [IN_LINK] = {IN_ROBOT, close_link},
    [IN_INERTIAL] = {IN_LINK, close_inertial},
    [IN_JOINT] = {IN_ROBOT, close_joint},
};

static int find_rule(level in, const char *name)
{
    for (int i = 0; i < RULES; i++)
        if (rules[i].in == in && !strcmp(rules[i].name, name)) return i;
    return -1;
}

static xml_step pass_over(reader *r, const xml_tag *tag)
{
    if (r->level == AT_TOP)
        return diag_error(r->d, tag->at, "<%.80s> found, <robot> expected: not a URDF file", tag->name), STEP_FAILED;
    if (!strncmp(tag->name, "xacro:", 6))
        return diag_error(r->d, tag->at, "<%.80s> found: this file is not expanded, run xacro on it first", tag->name),
               STEP_FAILED;
    return STEP_OVER;
}

static xml_step open_element(void *user, const xml_tag *tag)
{
    reader *r = user;
    int k = find_rule(r->level, tag->name);
    if (k < 0) return pass_over(r, tag);
    if (r->level > IN_ROBOT && r->seen & 1u << k) {
        const char *name = r->level == IN_JOINT ? r->joint.joint.name : r->link.name;
        diag_each(r->d, DIAG_WARNING, tag->at, "elements are ignored, being the second of their kind, in", name,
                  "a second <%s> is ignored", tag->name);
        return STEP_OVER;
    }
    if (!rules[k].read(r, tag)) return STEP_FAILED;
    if (rules[k].inside == LEAF) {
        r->seen |= 1u << k;
        return STEP_OVER;
    }
    r->level = rules[k].inside;
    r->seen |= (unsigned)(r->level == IN_INERTIAL) << k;
    return STEP_INTO;
}

static bool close_element(void *user)
{
    reader *r = user;
    bool (*close)(reader *) = levels[r->level].close;
    r->level = levels[r->level].outside;
    return !close || close(r);
}

static void summarise(reader *r)
{
    place file = {.file = r->draft.file};
    if (r->has_commas) diag_note(r->d, file, "commas between numbers read as blanks");
    if (r->cleanings > DETAILED_NOTES)
        diag_note(r->d, file, "%d numbers and rotations made exact, the largest change is %.2g", r->cleanings,
                  r->largest_change);
}

robot *robot_read_urdf(arena *memory, const char *path, const char *text, size_t length, const read_options *options,
                       diag *d)
{
    reader r = {.memory = memory, .d = d, .clean = options->clean};
    r.draft = (draft){.file = path, .gravity = {0, 0, -9.81}};
    xml_handlers handlers = {&r, open_element, close_element};
    robot *result = NULL;
    if (xml_read(path, text, length, &handlers, d)) {
        summarise(&r);
        result = robot_assemble(memory, &r.draft, options, d);
    }
    draft_free(&r.draft);
    return result;
}
