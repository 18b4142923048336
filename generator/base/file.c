#include "file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool failed(const char *path, diag *d)
{
    return diag_error(d, (place){.file = path}, "cannot write: %s", strerror(errno));
}

static bool write_to(const char *path, const char *text, size_t length)
{
    FILE *f = fopen(path, "wb");
    if (!f) return false;
    bool written = fwrite(text, 1, length, f) == length;
    return fclose(f) == 0 && written;
}

static bool is_special(const char *path)
{
    struct stat s;
    return lstat(path, &s) == 0 && !S_ISREG(s.st_mode);
}

bool file_write(const char *path, const char *text, size_t length, diag *d)
{
    if (!path || !strcmp(path, "-")) return fwrite(text, 1, length, stdout) == length || failed("stdout", d);
    if (is_special(path)) return write_to(path, text, length) || failed(path, d);
    const char *temporary = arena_printf(d->memory, "%s.%ld.tmp", path, (long)getpid());
    if (write_to(temporary, text, length) && rename(temporary, path) == 0) return true;
    failed(path, d);
    unlink(temporary);
    return false;
}
