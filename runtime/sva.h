#ifndef SVA_H
#define SVA_H
#include "sva_joint.h"
#endif
