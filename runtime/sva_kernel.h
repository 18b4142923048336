/* What a generated robot says of itself to programs that do not know it. */
#ifndef SVA_KERNEL_H
#define SVA_KERNEL_H
#endif
