#include "robot.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { LARGEST = 256 << 20, CHUNK = 1 << 16 };

typedef struct bytes {
    char *at;
    size_t n;
} bytes;

/* Whole stream, also of pipes whose size nobody knows; stops early above LARGEST. */
static bool slurp(FILE *in, bytes *b)
{
    size_t room = 0, got = 1;
    while (got > 0 && b->n <= LARGEST) {
        if (room - b->n < CHUNK) {
            room = room ? 2 * room : CHUNK;
            char *grown = realloc(b->at, room);
            if (!grown) return false;
            b->at = grown;
        }
        got = fread(b->at + b->n, 1, CHUNK, in);
        b->n += got;
    }
    return !ferror(in);
}

static bool load(const char *path, bytes *b, diag *d)
{
    place at = {path, 0, 0};
    struct stat info;
    FILE *in = fopen(path, "rb");
    if (!in) return diag_error(d, at, "cannot open: %s", strerror(errno));
    bool ok;
    if (fstat(fileno(in), &info) == 0 && S_ISDIR(info.st_mode))
        ok = diag_error(d, at, "is a directory; expected a robot file (YAML or URDF)");
    else if (!slurp(in, b))
        ok = diag_error(d, at, "cannot read: %s", strerror(errno));
    else if (b->n > LARGEST)
        ok = diag_error(d, at, "larger than %d MB; expected a robot file (YAML or URDF)", LARGEST >> 20);
    else
        ok = b->n > 0 || diag_error(d, at, "is empty; expected a robot file (YAML or URDF)");
    fclose(in);
    return ok;
}

static bool starts_with(const bytes *b, size_t from, const char *start)
{
    size_t n = strlen(start);
    return b->n - from >= n && !memcmp(b->at + from, start, n);
}

static bool is_utf16(const bytes *b) { return starts_with(b, 0, "\xff\xfe") || starts_with(b, 0, "\xfe\xff"); }

/* By the first character, then by the name. YAML here is never UTF-16, XML may be. */
static bool is_xml(const char *path, const bytes *b)
{
    if (is_utf16(b)) return true;
    size_t i = starts_with(b, 0, "\xef\xbb\xbf") ? 3 : 0;
    while (i < b->n && strchr(" \t\r\n", b->at[i]) && b->at[i]) i++;
    if (i < b->n && b->at[i] == '<') return true;
    const char *dot = strrchr(path, '.');
    return dot && (!strcasecmp(dot, ".urdf") || !strcasecmp(dot, ".xml"));
}

static robot *parse(arena *memory, const char *path, const bytes *b, const read_options *options, diag *d)
{
    if (!is_utf16(b) && b->n > 0 && memchr(b->at, 0, b->n)) {
        diag_error(d, (place){path, 0, 0}, "is a binary file; expected a robot file (YAML or URDF)");
        return NULL;
    }
    bool xml = is_xml(path, b);
    robot *r = (xml ? robot_read_urdf : robot_read_yaml)(memory, path, b->at, b->n, options, d);
    if (r) r->base_unsaid = xml;
    return r;
}

robot *robot_read(arena *memory, const char *path, const read_options *options, diag *d)
{
    bytes b = {0};
    path = arena_copy(memory, path, strlen(path));
    robot *r = load(path, &b, d) ? parse(memory, path, &b, options, d) : NULL;
    free(b.at);
    return r;
}
