#include "cli.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/invariant.h"
#include "base/text.h"
#include "dump.h"
#include "generate.h"
#include "model/inverse.h"
#include "words.h"

const cli_option cli_generate_options[] = {
    {"--kernels", CLI_TEXT, offsetof(cli_generate_values, kernels), "LIST", NULL,
     "kernels to make, separated by commas"},
    {"--real", CLI_CHOICE, offsetof(cli_generate_values, real), "double|float", "double", "number type"},
    {"--layout", CLI_CHOICE, offsetof(cli_generate_values, layout), "row|col", "row", "matrices by rows or by columns"},
    {"--lanes", CLI_TEXT, offsetof(cli_generate_values, lanes), "LIST", NULL,
     "also kernels for 2, 4, 8 states side by side"},
    {"--friction", CLI_CHOICE, offsetof(cli_generate_values, friction), "none|viscous|full", "none",
     "joint losses: damping v, and with full also friction tanh(v / width)"},
    {"--friction-width", CLI_REAL, offsetof(cli_generate_values, width), "V", "0.01",
     "speed at which friction saturates"},
    {"--fext", CLI_TEXT, offsetof(cli_generate_values, fext), "LINKS", NULL,
     "links that the external forces of *_fext act on, separated by commas; all that move unless given"},
    {"--frames", CLI_TEXT, offsetof(cli_generate_values, frames), "FRAMES", NULL, "frames that jac gives Jacobians of"},
    {"--loops", CLI_CHOICE, offsetof(cli_generate_values, loops), "auto|always|never", "auto",
     "loops over joints instead of straight text; auto: for large trees"},
    {"--vectors", CLI_CHOICE, offsetof(cli_generate_values, vectors), "auto|never", "auto",
     "vectors inside one state: limbs side by side, columns side by side"},
    {"--solver", CLI_CHOICE, offsetof(cli_generate_values, solver), "auto|ltl|branches|aza|dmm", "auto",
     "M x = b: sparse L'DL, the same by branches, articulated bodies, product with M^-1"},
    {0},
};

static const char *kernel_names(cli *c)
{
    const char *s = "";
    for (int i = 0; i < kernel_count; i++)
        s = arena_printf(c->memory, "%s%s%s", s, i ? ", " : "", kernel_table[i].name);
    return s;
}

/* Those that need M^-1 are made where there is one. */
static void choose_default(cli *c, const model *m, const kernel_info **list)
{
    const char *denied = inverse_denied(c->memory, m), *missing = "";
    int n = 0;
    for (int i = 0; i < kernel_count; i++) {
        if (!kernel_table[i].by_default) continue;
        if (denied && kernel_table[i].inverse)
            missing = arena_printf(c->memory, "%s%s%s", missing, *missing ? ", " : "", kernel_table[i].name);
        else
            list[n++] = &kernel_table[i];
    }
    if (denied)
        diag_warning(&c->diag, inverse_place(m), "%s: kernels %s are left out; %s", denied, missing, inverse_remedy(m));
}

static bool choose_kernels(cli *c, const model *m, const cli_generate_values *v, const kernel_info **list)
{
    int n = 0;
    INVARIANT(kernel_count < CLI_KERNELS);
    if (!v->kernels) return choose_default(c, m, list), true;
    char *rest = arena_printf(c->memory, "%s", v->kernels);
    for (char *item; (item = words_item(&rest));) {
        const kernel_info *k = kernel_find(item);
        if (!k)
            return cli_usage_error(c, "--kernels: there is no kernel '%s'; there are %s", item, kernel_names(c)), false;
        for (int i = 0; i < n; i++)
            if (list[i] == k) return cli_usage_error(c, "--kernels: '%s' is named twice", item), false;
        list[n++] = k;
    }
    return true;
}

static bool choose_lanes(cli *c, const cli_generate_values *v, emit_options *o)
{
    bool wanted[9] = {false};
    char *rest = v->lanes ? arena_printf(c->memory, "%s", v->lanes) : NULL;
    for (char *item; (item = words_item(&rest));) {
        int w = item[0] && !item[1] ? item[0] - '0' : 0;
        if (w != 2 && w != 4 && w != 8) return cli_usage_error(c, "--lanes: '%s' is not one of 2, 4, 8", item), false;
        wanted[w] = true;
    }
    for (int w = 2; w <= 8; w *= 2)
        if (wanted[w]) o->lanes[o->n_lanes++] = w;
    return true;
}

static int frame_of(const model *m, const char *name)
{
    for (int i = 0; i < m->n_frames; i++)
        if (!strcmp(m->frames[i].name, name)) return i;
    return -1;
}

/* Frames by name, each once. */
static bool choose_frames(cli *c, const model *m, const char *option, const char *names, const int **list, int *n)
{
    char *rest = names ? arena_printf(c->memory, "%s", names) : NULL;
    int *at = ARENA_ARRAY(c->memory, int, m->n_frames + 1);
    for (char *item; (item = words_item(&rest));) {
        int f = frame_of(m, item);
        if (f < 0)
            return cli_usage_error(c, "%s: the robot has no link '%s'; svagen inspect --frames lists them", option,
                                   item),
                   false;
        for (int i = 0; i < *n; i++)
            if (at[i] == f) return cli_usage_error(c, "%s: '%s' is named twice", option, item), false;
        at[(*n)++] = f;
    }
    *list = at;
    return true;
}

/* Links by name, and the bodies they are fixed to; all that move unless some are named. */
static bool choose_fext(cli *c, const model *m, const cli_generate_values *v, trace_options *o)
{
    int *bodies = ARENA_ARRAY(c->memory, int, m->n_bodies + m->n_frames + 1);
    o->fext = bodies;
    if (!v->fext) {
        for (; o->n_fext < m->n_bodies; o->n_fext++) bodies[o->n_fext] = o->n_fext;
        return true;
    }
    if (!choose_frames(c, m, "--fext", v->fext, &o->fext_frames, &o->n_fext)) return false;
    for (int i = 0; i < o->n_fext; i++) {
        const model_frame *f = &m->frames[o->fext_frames[i]];
        bodies[i] = f->body;
        if (f->body < 0)
            return cli_usage_error(c, "--fext: link '%s' is a part of the ground: a force on it moves nothing",
                                   f->name),
                   false;
    }
    return true;
}

static bool takes_forces(const kernel_info *k) { return kernel_takes(k, ARG_FEXT); }
static bool takes_frames(const kernel_info *k) { return kernel_gives(k, ARG_J); }
static bool needs_inverse(const kernel_info *k) { return k->inverse; }

static bool any(const kernel_info *const *list, bool (*is)(const kernel_info *k))
{
    while (*list && !is(*list)) list++;
    return *list != NULL;
}

/* An option that would do nothing is a mistake. */
static bool check_use(cli *c, const generate_choice *choice)
{
    static const struct {
        const char *option, *kernels;
        bool (*is)(const kernel_info *k);
    } rows[] = {
        {"--fext", "rnea_fext, idsva_fext and fdsva_fext take external forces", takes_forces},
        {"--frames", "jac takes frames", takes_frames},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (cli_given(c, rows[i].option) && !any(choice->kernels, rows[i].is))
            return cli_usage_error(c, "%s does nothing for these kernels: %s, if --kernels names them", rows[i].option,
                                   rows[i].kernels),
                   false;
    if (cli_given(c, "--friction-width") && choice->options.trace.friction != FRICTION_FULL)
        return cli_usage_error(c, "--friction-width does nothing without --friction full"), false;
    return true;
}

bool cli_generate_choose(cli *c, const model *m, const cli_generate_values *v, generate_choice *out)
{
    *out = (generate_choice){0};
    if (!emit_check_name(m->name, &c->diag)) return false;
    emit_options *o = &out->options;
    o->single = v->real == 2;
    o->column_major = v->layout == 2;
    o->trace.gravity_input = v->robot.gravity.runtime;
    o->trace.friction = v->friction ? (friction_kind)(v->friction - 1) : FRICTION_NONE;
    o->trace.friction_width = v->width;
    o->trace.loops = v->loops ? (loop_choice)(v->loops - 1) : LOOPS_AUTO;
    o->trace.solver = v->solver ? v->solver - 1 : 0;
    o->plain = v->vectors == 2;
    o->single_file = v->single_file;
    if (o->trace.friction == FRICTION_FULL && !(v->width > 0))
        return cli_usage_error(c, "--friction-width must be greater than zero"), false;
    if (!choose_kernels(c, m, v, out->kernels) || !choose_lanes(c, v, o) || !choose_fext(c, m, v, &o->trace) ||
        !choose_frames(c, m, "--frames", v->frames, &o->trace.jac_frames, &o->trace.n_jac_frames) || !check_use(c, out))
        return false;
    if (any(out->kernels, takes_frames) && !o->trace.n_jac_frames)
        return cli_usage_error(c, "kernel jac needs --frames, the frames that it gives Jacobians of"), false;
    if (any(out->kernels, needs_inverse)) inverse_warn(m, o->single, &c->diag);
    o->words = words_of(c, m, v, out);
    return true;
}

typedef struct generate_values {
    cli_generate_values common;
    const char *out;
    int dump;
    bool model;
} generate_values;

static const cli_option own_options[] = {
    {"-o", CLI_TEXT, offsetof(generate_values, out), "DIR", NULL, "folder to fill; made if it is not there"},
    {"--single-file", CLI_FLAG, offsetof(generate_values, common.single_file), NULL, NULL,
     "two files and nothing else: ROBOT.h and ROBOT.c"},
    {"--model", CLI_FLAG, offsetof(generate_values, model), NULL, NULL,
     "also the robot for the generic library sva: ROBOT_model.c, and ROBOT.sva to load"},
    {"--dump", CLI_CHOICE, offsetof(generate_values, dump), "model|trace|graph|passes|schedule|emit", NULL,
     "instead of filling a folder, print what this stage makes"},
    {0},
};

/* What was written, for people who look. */
static void say(folder *f, const char *path, const generate_choice *choice)
{
    size_t bytes = 0, one;
    int kernels = 0, others = folder_others(f, path);
    if (!isatty(STDERR_FILENO)) return;
    for (int i = 0; i < folder_count(f); i++) folder_text(f, i, &one), bytes += one;
    while (choice->kernels[kernels]) kernels++;
    text_print(path, false, stderr);
    fprintf(stderr, ": %d files, %zu bytes, %d kernels%s", folder_count(f), bytes, kernels,
            choice->options.n_lanes ? ", each for one state and in lanes" : "");
    if (others) fprintf(stderr, "; %d other file%s stay%s", others, others == 1 ? "" : "s", others == 1 ? "s" : "");
    fputc('\n', stderr);
}

static int generate(cli *c)
{
    const generate_values *v = c->options;
    model *m;
    generate_choice choice;
    if (!v->out && !v->dump) return cli_usage_error(c, "generate needs -o DIR, the folder to fill");
    if (!cli_load(c, c->args[0], NULL, &m)) return CLI_FAILED;
    if (!cli_generate_choose(c, m, &v->common, &choice)) return CLI_USAGE;
    choice.options.model = v->model;
    if (v->model) choice.options.words = arena_printf(c->memory, "%s --model", choice.options.words);
    if (v->dump)
        return dump(stdout, (dump_stage)(v->dump - 1), c->memory, m, choice.kernels, &choice.options, &c->diag)
                   ? CLI_OK
                   : CLI_FAILED;
    folder *f = folder_new(c->memory);
    bool ok = pipeline_generate(c->memory, m, choice.kernels, &choice.options, f, &c->diag) &&
              folder_commit(f, v->out, &c->diag);
    if (ok) say(f, v->out, &choice);
    folder_free(f);
    return ok ? CLI_OK : CLI_FAILED;
}

const cli_verb cli_generate = {
    "generate",
    "write C for one robot",
    "ROBOT -o DIR",
    "Fills DIR with self-contained C99 for the robot in a .yaml or .urdf file: a header, one file a kernel, a "
    "description.\n"
    "Without --kernels: rnea, aba, crba, minv, bias, gravity, idsva, fdsva, id_all, fk; "
    "aba, minv and\nfdsva only where the mass matrix has an inverse.",
    1,
    1,
    sizeof(generate_values),
    {cli_robot_options, cli_generate_options, own_options},
    generate,
};
