/* The options that choose what is generated: shared by generate, compare and report. */
#ifndef GENERATE_H
#define GENERATE_H

#include "cli.h"
#include "pipeline.h"

typedef struct cli_generate_values {
    cli_robot robot;
    const char *kernels, *lanes, *fext, *frames;
    int real, layout, friction, loops, vectors, solver;
    bool single_file;
    double width;
} cli_generate_values;

extern const cli_option cli_generate_options[];

enum { CLI_KERNELS = 64 }; /* more than there are */

typedef struct generate_choice {
    emit_options options;
    const kernel_info *kernels[CLI_KERNELS]; /* ends with NULL */
} generate_choice;

bool cli_generate_choose(cli *c, const model *m, const cli_generate_values *v, generate_choice *out);

#endif
