#include "urdf_xml.h"

#include <ctype.h>
#include <expat.h>
#include <string.h>

enum { LONGEST_FILE = 256 << 20, LONGEST_ATTRIBUTE = 1 << 20, DEEPEST = 256 };

typedef struct stream {
    XML_Parser parser;
    const xml_handlers *h;
    diag *d;
    const char *path, *text;
    size_t length;
    int depth, skip; /* how deep, and how many of those levels are being skipped */
    bool failed;
} stream;

static place here(const stream *s)
{
    return (place){s->path, (int)XML_GetCurrentLineNumber(s->parser), (int)XML_GetCurrentColumnNumber(s->parser) + 1};
}

static void stop(stream *s)
{
    s->failed = true;
    XML_StopParser(s->parser, XML_FALSE);
}

static bool attributes_fit(stream *s, const xml_tag *tag)
{
    for (const char **a = tag->attributes; *a; a += 2)
        if (strlen(a[0]) > LONGEST_ATTRIBUTE || strlen(a[1]) > LONGEST_ATTRIBUTE)
            return diag_error(s->d, tag->at, "an attribute of <%.80s> has more than %d characters", tag->name,
                              LONGEST_ATTRIBUTE);
    return true;
}

static xml_step open_tag(stream *s, const char *name, const char **attributes)
{
    long index = (long)XML_GetCurrentByteIndex(s->parser);
    xml_tag tag = {name, attributes, here(s), s->text + index, s->text + s->length};
    return attributes_fit(s, &tag) ? s->h->open(s->h->user, &tag) : STEP_FAILED;
}

/* After XML_StopParser expat may still call a handler or two: those must do nothing. */
static void XMLCALL on_start(void *user, const char *name, const char **attributes)
{
    stream *s = user;
    if (s->failed) return;
    if (++s->depth > DEEPEST) {
        diag_error(s->d, here(s), "elements nested more than %d deep", DEEPEST);
        stop(s);
        return;
    }
    xml_step step = s->skip ? STEP_OVER : open_tag(s, name, attributes);
    if (step == STEP_FAILED) stop(s);
    s->skip += step == STEP_OVER;
}

static void XMLCALL on_end(void *user, const char *name)
{
    stream *s = user;
    (void)name;
    if (s->failed) return;
    s->depth--;
    if (s->skip)
        s->skip--;
    else if (!s->h->close(s->h->user))
        stop(s);
}

/* Entities, attribute defaults and files elsewhere all need an internal subset or a system identifier. */
static void XMLCALL on_doctype(void *user, const char *name, const char *system_id, const char *public_id, int internal)
{
    stream *s = user;
    (void)name;
    if (s->failed || !(system_id || public_id || internal)) return;
    diag_error(s->d, here(s),
               "document type with declarations found: entities are not read; remove the <!DOCTYPE ...>");
    stop(s);
}

static void explain(const stream *s, enum XML_Error code)
{
    const char *hint = "";
    long index = (long)XML_GetCurrentByteIndex(s->parser);
    bool inside = index >= 0 && (size_t)index < s->length;
    if (code == XML_ERROR_INVALID_TOKEN && inside && (unsigned char)s->text[index] >= 128)
        hint = "; the text is not UTF-8: declare its encoding in <?xml ... encoding=\"...\"?>";
    else if (code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN)
        hint = s->depth ? "; the file ends too early: </robot> expected" : "; <robot> expected";
    else if (!s->depth)
        hint = "; is this a URDF file? <robot> expected";
    diag_error(s->d, here(s), "not well-formed XML: %s%s", XML_ErrorString(code), hint);
}

/* The whole text in one call: expat before 2.6 reads a long token again with every chunk it grows by. */
bool xml_read(const char *path, const char *text, size_t length, const xml_handlers *h, diag *d)
{
    if (length > LONGEST_FILE)
        return diag_error(d, (place){.file = path}, "larger than %d MB, the most that is read", LONGEST_FILE >> 20);
    stream s = {.parser = XML_ParserCreate(NULL), .h = h, .d = d, .path = path, .text = text, .length = length};
    if (!s.parser) return diag_error(d, (place){.file = path}, "out of memory");
    XML_SetUserData(s.parser, &s);
    XML_SetElementHandler(s.parser, on_start, on_end);
    XML_SetStartDoctypeDeclHandler(s.parser, on_doctype);
    if (XML_Parse(s.parser, text, (int)length, 1) != XML_STATUS_OK && !s.failed) {
        explain(&s, XML_GetErrorCode(s.parser));
        s.failed = true;
    }
    XML_ParserFree(s.parser);
    return !s.failed;
}

const char *xml_attribute(const xml_tag *tag, const char *name)
{
    for (const char **a = tag->attributes; *a; a += 2)
        if (!strcmp(a[0], name)) return a[1];
    return NULL;
}

/* Behind the `name = "value"` that begins at c. */
static const char *behind_attribute(const char *c, const char *end)
{
    while (c < end && *c != '"' && *c != '\'') c++;
    const char *close = c < end ? memchr(c + 1, *c, (size_t)(end - c - 1)) : NULL;
    return close ? close + 1 : end;
}

static bool is_name_end(char c) { return c == '=' || isspace((unsigned char)c); }

/* Where in the tag's text the attribute begins; NULL in encodings that are not a superset of ASCII. */
static const char *find_attribute(const xml_tag *tag, const char *name)
{
    size_t length = strlen(name);
    if (tag->text >= tag->end || *tag->text != '<') return NULL;
    for (const char *c = tag->text; c < tag->end && *c != '>' && *c;) {
        if (!isspace((unsigned char)*c)) {
            c++;
            continue;
        }
        while (c < tag->end && isspace((unsigned char)*c)) c++;
        if ((size_t)(tag->end - c) <= length || *c == '>' || *c == '/') return NULL;
        if (!strncmp(c, name, length) && is_name_end(c[length])) return c;
        c = behind_attribute(c, tag->end);
    }
    return NULL;
}

place xml_attribute_place(const xml_tag *tag, const char *name)
{
    place at = tag->at;
    const char *found = find_attribute(tag, name);
    for (const char *c = tag->text; found && c < found; c++) {
        bool newline = *c == '\n';
        at.line += newline;
        at.column = newline ? 1 : at.column + ((*c & 0xC0) != 0x80); /* a code point is one column */
    }
    return at;
}
