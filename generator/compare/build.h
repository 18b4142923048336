/* A generated folder as code of this process: written to a temporary place, compiled by the system's compiler, loaded.
   No shell is involved; names come from emit_identifier. */
#ifndef BUILD_H
#define BUILD_H

#include "base/embedded.h"
#include "emit/folder.h"
#include "sva_kernel.h"

typedef struct build_options {
    const char *cc;             /* NULL: $CC, or cc */
    const char *flags;          /* separated by blanks; NULL: BUILD_FLAGS */
    bool progress;              /* on the terminal, if standard error is one */
    const embedded_file *extra; /* C to be compiled and loaded along; NULL: none */
} build_options;
#define BUILD_FLAGS "-O3 -march=native"

typedef struct build_object {
    const char *name; /* of the source, without .c */
    long bytes;       /* of instructions: the sizes of the executable sections of the object file */
    double seconds;   /* of processor time that compiling it took */
} build_object;

typedef struct built {
    arena *memory;
    const char *identifier;
    void *library;
    const sva_robot *robot;
    int n_objects;
    build_object *objects;
} built;

/* False after an error, and then there is nothing to free. The temporary folder is gone in either case. */
bool build_load(arena *memory, folder *f, const char *identifier, const build_options *o, built *b, diag *d);
void build_free(built *b);

/* A function of the library by its whole name; NULL: none. */
typedef void (*build_function)(void);
build_function build_symbol(const built *b, const char *name);
build_object build_kernel(const built *b, const char *kernel); /* all zero: none */

/* Runs a program and waits; what it prints goes to the file `log`. Its exit code, or -1 with errno if it cannot be run.
 */
int build_run(char *const argv[], const char *log);

/* A folder of one's own under $TMPDIR or /tmp, and its removal with the files in it. */
char *build_temporary(arena *memory, diag *d);
void build_remove(const char *path);

#endif
