/* XML as a stream of start and end tags with their places, bounded; no entities, nothing from outside the text. */
#ifndef URDF_XML_H
#define URDF_XML_H

#include "base/diag.h"

/* A start tag; it lives until the handler returns. */
typedef struct xml_tag {
    const char *name;
    const char **attributes; /* name, value, ..., NULL */
    place at;
    const char *text, *end; /* from the tag's first character to the end of the file, as it is written there */
} xml_tag;

typedef enum xml_step { STEP_FAILED, STEP_OVER, STEP_INTO } xml_step;

/* `open` says whether to go into the element or over it; `close` is called for those it went into. */
typedef struct xml_handlers {
    void *user;
    xml_step (*open)(void *user, const xml_tag *tag);
    bool (*close)(void *user);
} xml_handlers;

/* False after an error, which is the only one: the first ends the reading. */
bool xml_read(const char *path, const char *text, size_t length, const xml_handlers *h, diag *d);

const char *xml_attribute(const xml_tag *tag, const char *name); /* NULL: it has none of that name */
place xml_attribute_place(const xml_tag *tag, const char *name); /* the tag's own if it has none */

#endif
