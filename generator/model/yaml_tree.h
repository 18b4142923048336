/* The part of YAML that the robot format uses: one document of mappings, sequences and scalars. Anchors, aliases and
   tags are refused, and so is deep nesting. */
#ifndef YAML_TREE_H
#define YAML_TREE_H

#include "base/arena.h"
#include "base/diag.h"

typedef enum yaml_kind { YAML_TEXT, YAML_LIST, YAML_MAP } yaml_kind;

typedef struct yaml_tree {
    yaml_kind kind;
    place at;
    bool plain;       /* a text without quotes: may be a number */
    const char *text; /* of a text; has no NUL inside */
    int n;            /* of a list: its items; of a map: keys and values by turns */
    struct yaml_tree *first, *next;
} yaml_tree;

/* NULL after an error. */
const yaml_tree *yaml_tree_read(arena *memory, const char *path, const char *text, size_t length, diag *d);

#endif
