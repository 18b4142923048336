#include "draft.h"
#include "yaml_tree.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/names.h"
#include "base/number.h"
#include "base/rotation.h"

typedef struct reader {
    arena *memory, *scratch; /* of the robot; of the texts until it is made */
    diag *d;
    draft draft;
} reader;

/* A key of a mapping: how its value is read into the object, and where. Fields are read in the table's order. */
typedef struct field {
    const char *key;
    bool required;
    bool (*read)(reader *r, const struct field *f, const yaml_tree *value, void *object);
    size_t offset;
    int count;
} field;

enum { MOST_FIELDS = 16 };
#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

/* What a link of the file says: itself and the joint to its parent. */
typedef struct link_text {
    robot_link link;
    draft_joint joint;
    bool turned; /* has a rotation */
} link_text;

static void *member(void *object, const field *f) { return (char *)object + f->offset; }

static const char *describe(const reader *r, const yaml_tree *value)
{
    static const char *const kinds[] = {[YAML_LIST] = "a list", [YAML_MAP] = "a mapping"};
    if (value->kind != YAML_TEXT) return kinds[value->kind];
    size_t n = strlen(value->text), shown = n > 60 ? 60 : n;
    while (shown < n && (value->text[shown] & 0xc0) == 0x80) shown--; /* whole characters of UTF-8 */
    return n ? arena_printf(r->scratch, "'%.*s'%s", (int)shown, value->text, shown < n ? "..." : "") : "nothing";
}

static const char *did_you_mean(const reader *r, const char *text, const char *const *words, int n)
{
    const char *best = names_closest(text, words, n);
    if (best) return arena_printf(r->scratch, "did you mean '%s'?", best);
    const char *list = "";
    for (int i = 0; i < n; i++)
        list = arena_printf(r->scratch, "%s%s%s", list, i ? ", " : "expected one of ", words[i]);
    return list;
}

/* The value of each field, NULL where it is not given. */
static bool match_keys(reader *r, const yaml_tree *map, const char *what, const field *fields, int n,
                       const yaml_tree **values)
{
    const char *keys[MOST_FIELDS];
    const yaml_tree *first[MOST_FIELDS] = {NULL};
    for (int i = 0; i < n; i++) keys[i] = fields[i].key;
    for (const yaml_tree *key = map->first; key; key = key->next->next) {
        if (key->kind != YAML_TEXT)
            return diag_error(r->d, key->at, "%s: a key is %s; expected a word", what, describe(r, key));
        int i = 0;
        while (i < n && strcmp(key->text, keys[i]) != 0) i++;
        if (i == n)
            return diag_error(r->d, key->at, "%s: unknown key '%s', %s", what, key->text,
                              did_you_mean(r, key->text, keys, n));
        if (first[i])
            return diag_error(r->d, key->at, "%s: key '%s' twice (the first is in line %d)", what, key->text,
                              first[i]->at.line);
        first[i] = key;
        values[i] = key->next;
    }
    return true;
}

static bool read_map(reader *r, const yaml_tree *map, const char *what, const field *fields, int n, void *object)
{
    const yaml_tree *values[MOST_FIELDS] = {NULL};
    if (map->kind != YAML_MAP)
        return diag_error(r->d, map->at, "%s is %s; expected a mapping with %s", what, describe(r, map), fields[0].key);
    if (!match_keys(r, map, what, fields, n, values)) return false;
    for (int i = 0; i < n; i++) {
        if (!values[i] && fields[i].required)
            return diag_error(r->d, map->at, "%s: '%s' is missing", what, fields[i].key);
        if (values[i] && !fields[i].read(r, &fields[i], values[i], object)) return false;
    }
    return true;
}

static bool number(reader *r, const char *what, const yaml_tree *value, double *into)
{
    if (value->kind == YAML_TEXT && value->plain && number_parse(value->text, strlen(value->text), into)) return true;
    return diag_error(r->d, value->at, "%s is %s; expected a finite number", what, describe(r, value));
}

static bool numbers(reader *r, const char *what, const yaml_tree *value, int count, double *into)
{
    if (value->kind != YAML_LIST)
        return diag_error(r->d, value->at, "%s is %s; expected a list of %d numbers", what, describe(r, value), count);
    if (value->n != count)
        return diag_error(r->d, value->at, "%s has %d entries; expected a list of %d numbers", what, value->n, count);
    for (const yaml_tree *item = value->first; item; item = item->next)
        if (!number(r, what, item, into++)) return false;
    return true;
}

static bool matrix(reader *r, const char *what, const yaml_tree *value, double into[9])
{
    if (value->kind != YAML_LIST || value->n != 3)
        return diag_error(r->d, value->at, "%s: expected 3 rows of 3 numbers", what);
    for (const yaml_tree *row = value->first; row; row = row->next, into += 3)
        if (!numbers(r, what, row, 3, into)) return false;
    return true;
}

static bool read_number(reader *r, const field *f, const yaml_tree *value, void *object)
{
    return number(r, f->key, value, member(object, f));
}

static bool read_numbers(reader *r, const field *f, const yaml_tree *value, void *object)
{
    return numbers(r, f->key, value, f->count, member(object, f));
}

static bool read_text(reader *r, const field *f, const yaml_tree *value, void *object)
{
    if (value->kind != YAML_TEXT || !*value->text)
        return diag_error(r->d, value->at, "%s is %s; expected a name", f->key, describe(r, value));
    *(const char **)member(object, f) = arena_copy(r->memory, value->text, strlen(value->text));
    return true;
}

/* One of some words: its index, -1 after an error. */
static int choose(reader *r, const char *what, const yaml_tree *value, const char *const *words, int n)
{
    for (int i = 0; value->kind == YAML_TEXT && i < n; i++)
        if (!strcmp(value->text, words[i])) return i;
    diag_error(r->d, value->at, "%s is %s; %s", what, describe(r, value),
               did_you_mean(r, value->kind == YAML_TEXT ? value->text : "", words, n));
    return -1;
}

static bool read_type(reader *r, const field *f, const yaml_tree *value, void *object)
{
    const char *words[SVA_JOINT_TYPES];
    for (int t = 0; t < SVA_JOINT_TYPES; t++) words[t] = sva_joint_table[t].name;
    int type = choose(r, f->key, value, words, SVA_JOINT_TYPES);
    if (type >= 0) ((link_text *)object)->joint.joint.type = (sva_joint_type)type;
    return type >= 0;
}

static bool read_rotation(reader *r, const field *f, const yaml_tree *value, void *object)
{
    link_text *t = object;
    t->turned = true;
    if (!matrix(r, f->key, value, t->joint.joint.R)) return false;
    double error = rotation_error(t->joint.joint.R);
    return error <= 1e-9 ||
           diag_error(r->d, value->at,
                      "rotation is no rotation matrix (off by %.2g); expected orthonormal rows to 1e-9 and "
                      "determinant 1",
                      error);
}

static bool read_rpy(reader *r, const field *f, const yaml_tree *value, void *object)
{
    link_text *t = object;
    double rpy[3];
    if (t->turned) return diag_error(r->d, value->at, "joint has both rotation and rpy; expected one of them");
    if (!numbers(r, f->key, value, 3, rpy)) return false;
    rotation_from_rpy(rpy, 1e-15, t->joint.joint.R); /* right angles, as near as a double comes to them, are exact */
    return true;
}

static const sva_joint_info *info_of(const link_text *t) { return &sva_joint_table[t->joint.joint.type]; }

static bool read_axis(reader *r, const field *f, const yaml_tree *value, void *object)
{
    link_text *t = object;
    double *axis = t->joint.joint.axis, given[3];
    if (!info_of(t)->has_axis) return diag_error(r->d, value->at, "a %s joint has no axis", info_of(t)->name);
    if (!numbers(r, f->key, value, 3, axis)) return false;
    memcpy(given, axis, sizeof given);
    double norm = axis_normalise(axis);
    if (norm == 0) return diag_error(r->d, value->at, "axis is zero; expected a direction");
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): both are finite, and any other bit is worth the note */
    if (memcmp(given, axis, sizeof given) != 0)
        diag_each(r->d, DIAG_NOTE, value->at, "axes made unit vectors, of joints", t->joint.joint.name,
                  "axis of length %.10g made a unit vector", norm);
    return true;
}

static bool read_pitch(reader *r, const field *f, const yaml_tree *value, void *object)
{
    link_text *t = object;
    if (t->joint.joint.type != SVA_HELICAL)
        return diag_error(r->d, value->at, "a %s joint has no pitch; only a helical one has", info_of(t)->name);
    return read_number(r, f, value, object);
}

/* One number for all degrees of freedom, or a list with one for each. */
static bool read_dofs(reader *r, const field *f, const yaml_tree *value, void *object)
{
    int nv = info_of(object)->nv;
    double *into = member(object, f);
    if (nv == 0) return diag_error(r->d, value->at, "a fixed joint has no %s", f->key);
    if (value->kind == YAML_LIST) return numbers(r, f->key, value, nv, into);
    if (!number(r, f->key, value, into)) return false;
    for (int i = 1; i < nv; i++) into[i] = into[0];
    return true;
}

static bool read_limits(reader *r, const field *f, const yaml_tree *value, void *object)
{
    static const field fields[] = {
        {"lower", false, read_number, offsetof(link_text, joint.joint.lower), 1},
        {"upper", false, read_number, offsetof(link_text, joint.joint.upper), 1},
        {"effort", false, read_number, offsetof(link_text, joint.joint.effort), 1},
        {"velocity", false, read_number, offsetof(link_text, joint.joint.velocity), 1},
    };
    link_text *t = object;
    if (info_of(t)->nv != 1)
        return diag_error(r->d, value->at, "limits of a %s joint; expected a joint of one degree of freedom",
                          info_of(t)->name);
    t->joint.joint.has_limits = true;
    return read_map(r, value, f->key, fields, COUNT(fields), object);
}

static bool read_followed(reader *r, const field *f, const yaml_tree *value, void *object)
{
    ((link_text *)object)->joint.mimics_at = value->at;
    return read_text(r, f, value, object);
}

static bool read_mimic(reader *r, const field *f, const yaml_tree *value, void *object)
{
    static const field fields[] = {
        {"joint", true, read_followed, offsetof(link_text, joint.mimics), 1},
        {"multiplier", false, read_number, offsetof(link_text, joint.joint.multiplier), 1},
        {"offset", false, read_number, offsetof(link_text, joint.joint.offset), 1},
    };
    return read_map(r, value, f->key, fields, COUNT(fields), object);
}

static bool read_joint_name(reader *r, const field *f, const yaml_tree *value, void *object)
{
    ((link_text *)object)->joint.joint.at = value->at;
    return read_text(r, f, value, object);
}

static bool read_joint(reader *r, const field *f, const yaml_tree *value, void *object)
{
#define JOINT(member) offsetof(link_text, joint.joint.member)
    static const field fields[] = {
        {"name", true, read_joint_name, JOINT(name), 1},
        {"type", true, read_type, JOINT(type), 1},
        {"xyz", false, read_numbers, JOINT(p), 3},
        {"rotation", false, read_rotation, JOINT(R), 9},
        {"rpy", false, read_rpy, JOINT(R), 3},
        {"axis", false, read_axis, JOINT(axis), 3},
        {"pitch", false, read_pitch, JOINT(pitch), 1},
        {"armature", false, read_dofs, JOINT(armature), 6},
        {"damping", false, read_dofs, JOINT(damping), 6},
        {"friction", false, read_dofs, JOINT(friction), 6},
        {"limits", false, read_limits, 0, 0},
        {"mimic", false, read_mimic, 0, 0},
    };
#undef JOINT
    link_text *t = object;
    robot_joint *j = &t->joint.joint;
    *j = (robot_joint){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .pitch = NAN, .mimics = -1, .multiplier = 1};
    if (!read_map(r, value, f->key, fields, COUNT(fields), object)) return false;
    if (info_of(t)->has_axis && j->axis[0] == 0 && j->axis[1] == 0 && j->axis[2] == 0)
        return diag_error(r->d, value->at, "joint: 'axis' is missing; a %s joint needs one", info_of(t)->name);
    if (j->type == SVA_HELICAL && isnan(j->pitch))
        return diag_error(r->d, value->at, "joint: 'pitch' is missing; a helical joint needs one (metres a radian)");
    return true;
}

static bool read_mass(reader *r, const field *f, const yaml_tree *value, void *object)
{
    ((link_text *)object)->link.mass_at = value->at;
    return read_number(r, f, value, object);
}

static bool read_inertia_rows(reader *r, const field *f, const yaml_tree *value, double I[6])
{
    static const struct {
        int upper, lower;
    } entries[] = {{0, 0}, {1, 3}, {2, 6}, {4, 4}, {5, 7}, {8, 8}};
    double rows[9] = {0};
    if (!matrix(r, f->key, value, rows)) return false;
    for (int i = 0; i < 6; i++) {
        I[i] = rows[entries[i].upper];
        if (I[i] != rows[entries[i].lower])
            return diag_error(r->d, value->at, "inertia is not symmetric (%g and %g); expected a symmetric matrix",
                              I[i], rows[entries[i].lower]);
    }
    return true;
}

static bool read_inertia(reader *r, const field *f, const yaml_tree *value, void *object)
{
#define ENTRY(i) offsetof(link_text, link.inertia) + (i) * sizeof(double), 1
    static const field fields[] = {
        {"xx", true, read_number, ENTRY(0)}, {"xy", false, read_number, ENTRY(1)}, {"xz", false, read_number, ENTRY(2)},
        {"yy", true, read_number, ENTRY(3)}, {"yz", false, read_number, ENTRY(4)}, {"zz", true, read_number, ENTRY(5)},
    };
#undef ENTRY
    link_text *t = object;
    t->link.inertia_at = value->at;
    if (value->kind == YAML_LIST) return read_inertia_rows(r, f, value, t->link.inertia);
    return read_map(r, value, f->key, fields, COUNT(fields), object);
}

static bool read_link_name(reader *r, const field *f, const yaml_tree *value, void *object)
{
    link_text *t = object;
    t->link.at = t->joint.child_at = value->at;
    return read_text(r, f, value, object);
}

static bool read_parent(reader *r, const field *f, const yaml_tree *value, void *object)
{
    ((link_text *)object)->joint.parent_at = value->at;
    return read_text(r, f, value, object);
}

static bool read_link(reader *r, const yaml_tree *value)
{
    static const field fields[] = {
        {"name", true, read_link_name, offsetof(link_text, link.name), 1},
        {"parent", false, read_parent, offsetof(link_text, joint.parent), 1},
        {"joint", false, read_joint, 0, 0},
        {"mass", false, read_mass, offsetof(link_text, link.mass), 1},
        {"com", false, read_numbers, offsetof(link_text, link.com), 3},
        {"inertia", false, read_inertia, 0, 0},
    };
    link_text t = {.joint = {.parent = NULL}};
    if (!read_map(r, value, "link", fields, COUNT(fields), &t)) return false;
    const char *joint = t.joint.joint.name, *parent = t.joint.parent;
    if (parent && !joint)
        return diag_error(r->d, value->at, "link '%s' has a parent; its joint is missing", t.link.name);
    if (joint && !parent)
        return diag_error(r->d, value->at, "link '%s' has a joint; its parent is missing", t.link.name);
    t.joint.child = t.link.name;
    VEC_PUSH(&r->draft.links, t.link);
    if (joint) VEC_PUSH(&r->draft.joints, t.joint);
    return true;
}

static bool read_links(reader *r, const field *f, const yaml_tree *value, void *object)
{
    (void)object;
    if (value->kind != YAML_LIST)
        return diag_error(r->d, value->at, "%s is %s; expected a list of links", f->key, describe(r, value));
    for (const yaml_tree *item = value->first; item; item = item->next)
        if (!read_link(r, item)) return false;
    return true;
}

static bool read_version(reader *r, const field *f, const yaml_tree *value, void *object)
{
    double version = 0;
    (void)object;
    if (!number(r, f->key, value, &version)) return false;
    return version == 1 ||
           diag_error(r->d, value->at, "version %s of the format; expected 1, the one this program reads", value->text);
}

static bool read_base(reader *r, const field *f, const yaml_tree *value, void *object)
{
    static const char *const words[] = {"fixed", "floating"};
    int base = choose(r, f->key, value, words, 2);
    ((draft *)object)->floating = base == 1;
    return base >= 0;
}

static bool read_robot(reader *r, const yaml_tree *root)
{
    static const field fields[] = {
        {"svagen", true, read_version, 0, 0}, {"name", true, read_text, offsetof(draft, name), 1},
        {"base", false, read_base, 0, 0},     {"gravity", false, read_numbers, offsetof(draft, gravity), 3},
        {"links", true, read_links, 0, 0},
    };
    return read_map(r, root, "robot", fields, COUNT(fields), &r->draft);
}

robot *robot_read_yaml(arena *memory, const char *path, const char *text, size_t length, const read_options *options,
                       diag *d)
{
    reader r = {.memory = memory, .scratch = arena_new(), .d = d, .draft = {.file = path, .gravity = {0, 0, -9.81}}};
    const yaml_tree *root = yaml_tree_read(r.scratch, path, text, length, d);
    robot *result = root && read_robot(&r, root) ? robot_assemble(memory, &r.draft, options, d) : NULL;
    draft_free(&r.draft);
    arena_free(r.scratch);
    return result;
}
