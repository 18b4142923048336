#include "draft.h"
#include "inertia.h"
#include <stdlib.h>
#include <string.h>
#include "base/names.h"
#include "base/utf8.h"

enum { MOST_LINKS = 1000000 };

/* The work in progress. Links have the draft's numbers, `world` (if it is implied) the last; joints likewise. */
typedef struct assembly {
    const draft *draft;
    const read_options *options;
    diag *d;
    arena *memory, *scratch;
    names *link_names, *joint_names;
    int n_links;
    int root;
    robot_link world;        /* implied */
    int *parent_of;          /* a joint's parent link */
    int *joint_of;           /* the joint that carries a link; -1: none */
    int *first_child, *next; /* joints: the first one that leaves a link, the next that leaves the same link */
    int *order, *place_of;   /* links depth first, and the inverse */
} assembly;

void draft_free(draft *f)
{
    free(f->links.at);
    free(f->joints.at);
    *f = (draft){0};
}

static const robot_link *link_at(const assembly *a, int i)
{
    return i < a->draft->links.n ? &a->draft->links.at[i] : &a->world;
}

static const draft_joint *joint_at(const assembly *a, int j) { return &a->draft->joints.at[j]; }

static bool check_name(assembly *a, const char *kind, const char *name, place at)
{
    if (!*name) return diag_error(a->d, at, "a %s has an empty name", kind);
    if (!utf8_valid(name)) return diag_error(a->d, at, "the name of a %s is not valid UTF-8: '%s'", kind, name);
    return true;
}

static bool collect_links(assembly *a)
{
    const draft *f = a->draft;
    place top = {f->file, 0, 0};
    if (f->links.n == 0) return diag_error(a->d, top, "the robot has no links; expected at least one");
    if (f->links.n > MOST_LINKS)
        return diag_error(a->d, top, "the robot has %d links; expected at most %d", f->links.n, MOST_LINKS);
    for (int i = 0; i < f->links.n; i++) {
        const robot_link *link = &f->links.at[i];
        if (!check_name(a, "link", link->name, link->at)) return false;
        int first = names_add(a->link_names, link->name, i);
        if (first >= 0)
            return diag_error(a->d, link->at, "two links are named '%s' (the first is in line %d); names must differ",
                              link->name, f->links.at[first].at.line);
    }
    a->n_links = f->links.n;
    return true;
}

static bool collect_joints(assembly *a)
{
    const draft *f = a->draft;
    for (int j = 0; j < f->joints.n; j++) {
        const robot_joint *joint = &f->joints.at[j].joint;
        if (!check_name(a, "joint", joint->name, joint->at)) return false;
        int first = names_add(a->joint_names, joint->name, j);
        if (first >= 0)
            return diag_error(a->d, joint->at, "two joints are named '%s' (the first is in line %d); names must differ",
                              joint->name, f->joints.at[first].joint.at.line);
    }
    return true;
}

/* Readers of URDF take a parent `world` that is not declared for the ground. */
static int add_world(assembly *a, const draft_joint *j)
{
    a->world = (robot_link){.name = j->parent, .at = j->parent_at};
    names_add(a->link_names, j->parent, a->n_links);
    diag_note(a->d, j->parent_at, "link 'world' is not declared; it is taken as the root");
    return a->n_links++;
}

/* ", did you mean 'x'?" or nothing, for a name that no link (or joint) has. */
static const char *suggestion(assembly *a, const char *name, bool joints)
{
    int n = joints ? a->draft->joints.n : a->draft->links.n;
    const char **all = ARENA_ARRAY(a->scratch, const char *, n);
    for (int i = 0; i < n; i++) all[i] = joints ? joint_at(a, i)->joint.name : link_at(a, i)->name;
    const char *best = names_closest(name, all, n);
    return best ? arena_printf(a->scratch, ", did you mean '%s'?", best) : "";
}

static bool connect(assembly *a, int j)
{
    const draft_joint *joint = joint_at(a, j);
    int parent = names_find(a->link_names, joint->parent), child = names_find(a->link_names, joint->child);
    if (parent < 0 && !strcmp(joint->parent, "world")) parent = add_world(a, joint);
    if (parent < 0)
        return diag_error(a->d, joint->parent_at, "joint '%s': there is no parent link '%s'%s", joint->joint.name,
                          joint->parent, suggestion(a, joint->parent, false));
    if (child < 0)
        return diag_error(a->d, joint->child_at, "joint '%s': there is no child link '%s'%s", joint->joint.name,
                          joint->child, suggestion(a, joint->child, false));
    if (parent == child)
        return diag_error(a->d, joint->parent_at, "joint '%s': link '%s' is its own parent", joint->joint.name,
                          joint->child);
    if (a->joint_of[child] >= 0)
        return diag_error(a->d, joint->child_at,
                          "link '%s' has two parents: joints '%s' and '%s' lead to it; expected a tree", joint->child,
                          joint_at(a, a->joint_of[child])->joint.name, joint->joint.name);
    a->parent_of[j] = parent;
    a->joint_of[child] = j;
    return true;
}

static int *array_of(assembly *a, int n, int value)
{
    int *array = ARENA_ARRAY(a->scratch, int, n);
    for (int i = 0; i < n; i++) array[i] = value;
    return array;
}

static bool connect_all(assembly *a)
{
    int n = a->n_links + 1; /* and perhaps the world */
    a->joint_of = array_of(a, n, -1);
    a->first_child = array_of(a, n, -1);
    a->parent_of = array_of(a, a->draft->joints.n, -1);
    a->next = array_of(a, a->draft->joints.n, -1);
    for (int j = 0; j < a->draft->joints.n; j++)
        if (!connect(a, j)) return false;
    for (int j = a->draft->joints.n - 1; j >= 0; j--) {
        a->next[j] = a->first_child[a->parent_of[j]];
        a->first_child[a->parent_of[j]] = j;
    }
    return true;
}

/* From a link that hangs from no root, parent after parent leads into a cycle. */
static bool report_cycle(assembly *a, int start)
{
    int *seen = array_of(a, a->n_links, 0), link = start;
    for (; !seen[link]; link = a->parent_of[a->joint_of[link]]) seen[link] = 1;
    const draft_joint *j = joint_at(a, a->joint_of[link]);
    return diag_error(a->d, j->joint.at,
                      "link '%s' is its own ancestor (through joint '%s' from '%s'); expected a tree", j->child,
                      j->joint.name, j->parent);
}

static bool find_root(assembly *a)
{
    a->root = -1;
    for (int i = 0; i < a->n_links; i++) {
        if (a->joint_of[i] >= 0) continue;
        if (a->root >= 0)
            return diag_error(a->d, link_at(a, i)->at,
                              "two roots: neither '%s' nor '%s' has a parent; expected one tree",
                              link_at(a, a->root)->name, link_at(a, i)->name);
        a->root = i;
    }
    return a->root >= 0 || report_cycle(a, 0);
}

/* Fills order and place_of without recursion: down to the first child, else along or up to the next joint. */
static bool sort_depth_first(assembly *a)
{
    int count = 0, link = a->root;
    a->order = array_of(a, a->n_links, -1);
    a->place_of = array_of(a, a->n_links, -1);
    while (link >= 0) {
        a->place_of[link] = count;
        a->order[count++] = link;
        int joint = a->first_child[link];
        for (; joint < 0 && link != a->root; link = a->parent_of[a->joint_of[link]]) joint = a->next[a->joint_of[link]];
        link = joint < 0 ? -1 : names_find(a->link_names, joint_at(a, joint)->child);
    }
    for (int i = 0; i < a->n_links; i++)
        if (a->place_of[i] < 0) return report_cycle(a, i);
    return true;
}

static int nv_of(const robot_joint *j) { return sva_joint_table[j->type].nv; }

/* The joint that j follows, -1 if none, -2 after an error. */
static int followed(assembly *a, int j)
{
    const draft_joint *joint = joint_at(a, j);
    if (!joint->mimics) return -1;
    int other = names_find(a->joint_names, joint->mimics);
    if (other < 0)
        diag_error(a->d, joint->mimics_at, "joint '%s' follows '%s', which is no joint%s", joint->joint.name,
                   joint->mimics, suggestion(a, joint->mimics, true));
    else if (nv_of(&joint->joint) != 1 || nv_of(&joint_at(a, other)->joint) != 1)
        diag_error(a->d, joint->mimics_at,
                   "joint '%s' (%s) follows '%s' (%s); expected two joints of one degree of freedom", joint->joint.name,
                   sva_joint_table[joint->joint.type].name, joint->mimics,
                   sva_joint_table[joint_at(a, other)->joint.type].name);
    else
        return other;
    return -2;
}

/* Fills follows[] and finds cycles: a walk that meets its own mark. */
static bool resolve_mimics(assembly *a, int *follows)
{
    int n = a->draft->joints.n, *mark = array_of(a, n, -1);
    for (int j = 0; j < n; j++)
        if ((follows[j] = followed(a, j)) == -2) return false;
    for (int j = 0; j < n; j++) {
        int k = j;
        for (; k >= 0 && mark[k] < 0; k = follows[k]) mark[k] = j;
        if (k >= 0 && mark[k] == j)
            return diag_error(a->d, joint_at(a, k)->mimics_at, "joint '%s' follows itself%s",
                              joint_at(a, k)->joint.name, follows[k] == k ? "" : ", through other joints");
    }
    return true;
}

/* What has no meaning for the joint's type gets one value, so that equal robots have equal bits. */
static void canonicalise(robot_joint *j)
{
    int nv = nv_of(j);
    if (!sva_joint_table[j->type].has_axis) memcpy(j->axis, (double[]){0, 0, 1}, sizeof j->axis);
    if (j->type != SVA_HELICAL) j->pitch = 0;
    for (int i = nv; i < 6; i++) j->armature[i] = j->damping[i] = j->friction[i] = 0;
    j->has_limits = j->has_limits && nv == 1;
    if (!j->has_limits) j->lower = j->upper = j->effort = j->velocity = 0;
    if (j->mimics < 0) {
        j->multiplier = 1;
        j->offset = 0;
    }
}

static bool check_joint(assembly *a, const robot_joint *j)
{
    for (int i = 0; i < nv_of(j); i++) {
        if (j->armature[i] < 0 && !a->options->allow_unphysical)
            return diag_error(a->d, j->at, "joint '%s': the armature is negative (%g); expected 0 or more", j->name,
                              j->armature[i]);
        if (j->damping[i] < 0 || j->friction[i] < 0 || j->armature[i] < 0) {
            diag_each(a->d, DIAG_WARNING, j->at, "joints have negative armature, damping or friction", j->name,
                      "joint '%s': negative armature, damping or friction", j->name);
            break;
        }
    }
    if (j->has_limits && j->lower > j->upper)
        diag_each(a->d, DIAG_WARNING, j->at, "joints have a lower limit above the upper limit", j->name,
                  "joint '%s': the lower limit %g is above the upper limit %g", j->name, j->lower, j->upper);
    return true;
}

static bool fill_links(assembly *a, robot_link *links)
{
    int *follows = array_of(a, a->draft->joints.n, -1);
    if (!resolve_mimics(a, follows)) return false;
    for (int i = 0; i < a->n_links; i++) {
        int j = a->joint_of[a->order[i]];
        robot_link *link = &links[i];
        *link = *link_at(a, a->order[i]);
        link->parent = j < 0 ? -1 : a->place_of[a->parent_of[j]];
        link->joint =
            j < 0 ? (robot_joint){.name = "", .at = link->at, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}} : joint_at(a, j)->joint;
        int other = j < 0 ? -1 : follows[j];
        link->joint.mimics = other < 0 ? -1 : a->place_of[names_find(a->link_names, joint_at(a, other)->child)];
        canonicalise(&link->joint);
        if (!check_joint(a, &link->joint)) return false;
    }
    return inertia_check(links, a->n_links, a->options, a->d);
}

static robot *assemble(assembly *a)
{
    if (!collect_links(a) || !collect_joints(a) || !connect_all(a) || !find_root(a) || !sort_depth_first(a))
        return NULL;
    robot *r = ARENA_ARRAY(a->memory, robot, 1);
    *r = (robot){.name = a->draft->name, .file = a->draft->file, .floating = a->draft->floating, .n_links = a->n_links};
    memcpy(r->gravity, a->draft->gravity, sizeof r->gravity);
    r->links = ARENA_ARRAY(a->memory, robot_link, a->n_links);
    if (!fill_links(a, r->links)) return NULL;
    if (r->name && *r->name) return check_name(a, "robot", r->name, (place){r->file, 0, 0}) ? r : NULL;
    diag_warning(a->d, (place){r->file, 0, 0}, "the robot has no name; it is called 'robot'");
    r->name = "robot";
    return r;
}

robot *robot_assemble(arena *memory, const draft *f, const read_options *options, diag *d)
{
    arena *scratch = arena_new();
    assembly a = {.draft = f, .options = options, .d = d, .memory = memory, .scratch = scratch};
    a.link_names = names_new(scratch);
    a.joint_names = names_new(scratch);
    robot *r = assemble(&a);
    arena_free(scratch);
    return r;
}
