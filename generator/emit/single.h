/* A generated folder as two files: ROBOT.h with the runtime's header inside, ROBOT.c with everything that is compiled.
   That works because sources of a folder may be one file anyway; includes of what is inside are replaced by its text.
 */
#ifndef SINGLE_H
#define SINGLE_H

#include "folder.h"

/* Files that are neither the robot's sources and headers nor CMake's stay as they are. */
void single_merge(folder *f, const char *robot);

#endif
