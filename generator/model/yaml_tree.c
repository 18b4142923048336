#include "yaml_tree.h"
#include <string.h>
#include <yaml.h>

enum { DEEPEST = 8 }; /* the format needs 6 */

typedef struct builder {
    yaml_parser_t parser;
    arena *memory;
    const char *path, *text;
    size_t length;
    diag *d;
    yaml_tree *open[DEEPEST], *last[DEEPEST]; /* the collections around, and the last item of each */
    int depth;
    yaml_tree *root;
} builder;

static place place_of(const builder *b, yaml_mark_t mark)
{
    return (place){b->path, (int)mark.line + 1, (int)mark.column + 1};
}

/* Reader errors come with an offset in bytes only. */
static place place_at(const builder *b, size_t offset)
{
    place at = {b->path, 1, 1};
    for (size_t i = 0; i < offset && i < b->length; i++) {
        unsigned char c = (unsigned char)b->text[i];
        if (c == '\n') {
            at.line++;
            at.column = 1;
        } else if ((c & 0xc0) != 0x80) {
            at.column++;
        }
    }
    return at;
}

static bool syntax_error(builder *b)
{
    const yaml_parser_t *p = &b->parser;
    if (p->error == YAML_READER_ERROR)
        return diag_error(b->d, place_at(b, p->problem_offset), "not valid YAML: %s; expected text in UTF-8",
                          p->problem);
    place at = place_of(b, p->problem_mark);
    return diag_error(b->d, at, "not valid YAML: %s%s%s", p->context ? p->context : "", p->context ? ", " : "",
                      p->problem ? p->problem : "unknown problem");
}

static bool append(builder *b, yaml_tree *node)
{
    if (b->depth == 0) {
        b->root = node;
        return true;
    }
    int top = b->depth - 1;
    if (b->last[top])
        b->last[top]->next = node;
    else
        b->open[top]->first = node;
    b->last[top] = node;
    b->open[top]->n++;
    return true;
}

static bool start(builder *b, const yaml_event_t *e, yaml_kind kind)
{
    place at = place_of(b, e->start_mark);
    if (b->depth == DEEPEST)
        return diag_error(b->d, at, "nested too deeply; a robot needs fewer than %d levels", DEEPEST);
    yaml_tree *node = ARENA_ARRAY(b->memory, yaml_tree, 1);
    *node = (yaml_tree){.kind = kind, .at = at};
    append(b, node);
    b->open[b->depth] = node;
    b->last[b->depth++] = NULL;
    return true;
}

static bool scalar(builder *b, const yaml_event_t *e)
{
    place at = place_of(b, e->start_mark);
    const char *text = (const char *)e->data.scalar.value;
    size_t length = e->data.scalar.length;
    if (memchr(text, 0, length)) return diag_error(b->d, at, "a NUL character in a text; expected none");
    yaml_tree *node = ARENA_ARRAY(b->memory, yaml_tree, 1);
    *node = (yaml_tree){.kind = YAML_TEXT, .at = at, .plain = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE};
    node->text = arena_copy(b->memory, text, length);
    return append(b, node);
}

/* Anchors and tags of the events that may have them. */
static bool refuse_decoration(builder *b, const yaml_event_t *e)
{
    const yaml_char_t *anchor = NULL, *tag = NULL;
    switch (e->type) {
    case YAML_SCALAR_EVENT:
        anchor = e->data.scalar.anchor;
        tag = e->data.scalar.tag;
        break;
    case YAML_SEQUENCE_START_EVENT:
        anchor = e->data.sequence_start.anchor;
        tag = e->data.sequence_start.tag;
        break;
    case YAML_MAPPING_START_EVENT:
        anchor = e->data.mapping_start.anchor;
        tag = e->data.mapping_start.tag;
        break;
    case YAML_ALIAS_EVENT: anchor = e->data.alias.anchor; break;
    default: break;
    }
    place at = place_of(b, e->start_mark);
    if (e->type == YAML_ALIAS_EVENT)
        return diag_error(b->d, at, "an alias (*%s); expected the value itself", (const char *)anchor);
    if (anchor) return diag_error(b->d, at, "an anchor (&%s); expected values without anchors", (const char *)anchor);
    return !tag || diag_error(b->d, at, "a tag (%s); expected values without tags", (const char *)tag);
}

static bool take(builder *b, const yaml_event_t *e)
{
    if (!refuse_decoration(b, e)) return false;
    switch (e->type) {
    case YAML_SCALAR_EVENT: return scalar(b, e);
    case YAML_SEQUENCE_START_EVENT: return start(b, e, YAML_LIST);
    case YAML_MAPPING_START_EVENT: return start(b, e, YAML_MAP);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: b->depth--; return true;
    case YAML_DOCUMENT_START_EVENT:
        return !b->root ||
               diag_error(b->d, place_of(b, e->start_mark), "a second document; expected one robot in a file");
    default: return true;
    }
}

static bool build(builder *b)
{
    for (bool more = true; more;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&b->parser, &event)) return syntax_error(b);
        more = event.type != YAML_STREAM_END_EVENT;
        bool ok = take(b, &event);
        yaml_event_delete(&event);
        if (!ok) return false;
    }
    return b->root ||
           diag_error(b->d, (place){b->path, 1, 1}, "nothing in the file; expected a robot (svagen: 1, name, links)");
}

const yaml_tree *yaml_tree_read(arena *memory, const char *path, const char *text, size_t length, diag *d)
{
    size_t mark = length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0; /* a byte order mark says nothing in UTF-8 */
    builder b = {.memory = memory, .path = path, .text = text + mark, .length = length - mark, .d = d};
    if (!yaml_parser_initialize(&b.parser)) {
        diag_error(d, (place){path, 0, 0}, "out of memory");
        return NULL;
    }
    yaml_parser_set_encoding(&b.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&b.parser, (const unsigned char *)b.text, b.length);
    bool ok = build(&b);
    yaml_parser_delete(&b.parser);
    return ok ? b.root : NULL;
}
