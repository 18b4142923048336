/* The robot for the generic library: its model as constant data of C, and as the text that sva_model_load reads. */
#ifndef MODEL_TEXT_H
#define MODEL_TEXT_H

#include "folder.h"
#include "model/model.h"

/* Adds ROBOT_model.h, ROBOT_model.c and ROBOT.sva, where `id` is their ROBOT, a C name; false after an error. */
bool emit_model(folder *f, const model *m, const char *id, diag *d);

#endif
