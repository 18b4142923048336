/* The command line: one table of verbs, each with tables of options. A verb returns a status and leaves what it has to
   say in the diagnostics; main prints them. */
#ifndef CLI_H
#define CLI_H

#include "base/arena.h"
#include "base/diag.h"
#include "model/model.h"

enum { CLI_OK, CLI_FAILED, CLI_USAGE }; /* exit codes: done; input error or mismatch; wrong command line */

/* How an option's value is read, and what its target is. */
typedef enum cli_kind {
    CLI_FLAG,    /* bool; takes no value */
    CLI_TEXT,    /* const char * */
    CLI_INT,     /* int, not negative */
    CLI_REAL,    /* double, not negative */
    CLI_CHOICE,  /* int: 1, 2... for the words of `value`, which are separated by |; 0 if not given */
    CLI_GRAVITY, /* cli_gravity */
    CLI_KINDS
} cli_kind;

typedef struct cli_option {
    const char *name; /* with its dashes */
    cli_kind kind;
    size_t target;       /* offset in the verb's struct of options */
    const char *value;   /* what follows, for the help; a choice's words */
    const char *initial; /* read before the command line; NULL: all zero */
    const char *help;
} cli_option; /* a table ends with {0} */

typedef struct cli {
    arena *memory;
    diag diag;
    diag_level least;            /* what main prints: warnings and errors unless the verb changes it */
    const struct cli_verb *verb; /* being run */
    void *options;               /* the verb's struct, filled */
    int n_given;                 /* options on the command line */
    const struct cli_option **given;
    int n_args; /* arguments that are no options */
    const char **args;
} cli;

typedef struct cli_verb {
    const char *name, *summary;
    const char *arguments; /* for the usage line, e.g. "ROBOT [-o FILE]" */
    const char *help;      /* a paragraph or two; NULL: none */
    int min_args, max_args;
    size_t size;                  /* of the struct of options */
    const cli_option *options[4]; /* tables */
    int (*run)(cli *c);
} cli_verb;

extern const cli_verb cli_generate, cli_compare, cli_import, cli_inspect, cli_chain, cli_bench;

/* Does what the arguments (argv without the program's name) say; `verbs` ends with NULL. Returns the exit code. */
int cli_run(cli *c, const cli_verb *const *verbs, int n, char **args);

/* Whether the option is on the command line. */
bool cli_given(const cli *c, const char *name);

/* Notes a wrong command line and returns CLI_USAGE. */
int cli_usage_error(cli *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef struct cli_gravity {
    bool given, runtime;
    double value[3];
} cli_gravity;

/* The options of every verb that takes a robot; they are the first member of the verb's struct of options. */
typedef struct cli_robot {
    int base, mimic; /* choices: base_choice; 2: independent */
    cli_gravity gravity;
    const char *name;
    bool allow_unphysical;
    double clean, armature;
} cli_robot;

extern const cli_option cli_robot_options[];

/* The robot in the file and its model, as the options want them; false after an error. `r` may be NULL. */
bool cli_load(cli *c, const char *path, robot **r, model **m);

/* Says so where a file had no way to say whether its root is free, and the choice (0: none) was not made either. */
void cli_warn_base(cli *c, const robot *r, int base);

/* The robot as YAML to a file; NULL: to the standard output. */
bool cli_write_robot(cli *c, const robot *r, const char *path);

#endif
