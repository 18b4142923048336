/* Which folders of generator/ include which: what the table in CONTRIBUTING.md says, and nothing else. */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "suite.h"

enum { FOLDERS = 32, NAME = 64 };

typedef struct folder_row {
    char name[NAME], may[1024]; /* the folders that it includes, each between blanks */
    bool found;
} folder_row;

static folder_row rows[FOLDERS];
static int n_rows;

static folder_row *row_of(const char *name)
{
    for (int i = 0; i < n_rows; i++)
        if (!strcmp(rows[i].name, name)) return &rows[i];
    return NULL;
}

/* "| `trace/` | what it is | graph, model |": rows from the heading of the table to the first line that is none. */
static void read_table(void)
{
    char line[2048];
    bool inside = false;
    FILE *f = fopen("CONTRIBUTING.md", "r");
    ck_assert_ptr_nonnull(f);
    for (n_rows = 0; fgets(line, sizeof line, f) && (!inside || *line == '|');) {
        folder_row r = {0};
        if (!strncmp(line, "| folder | holds | includes |", 29)) inside = true;
        if (inside && sscanf(line, "| `%63[^/`]/` | %*[^|] | %1000[^|\n]", r.name, r.may) < 1) continue;
        if (!inside || !*r.name) continue;
        ck_assert_int_lt(n_rows, FOLDERS);
        for (char *c = r.may; *c; c++)
            if (*c == ',') *c = ' ';
        memmove(r.may + 1, r.may, strlen(r.may) + 1);
        *r.may = ' ';
        strcat(r.may, " ");
        rows[n_rows++] = r;
    }
    fclose(f);
    ck_assert_int_gt(n_rows, 8);
}

static void check_include(const char *folder, const char *file, const char *line)
{
    char path[NAME + 64], other[NAME];
    if (sscanf(line, "#include \"%120[^\"]\"", path) != 1 || !strchr(path, '/')) return;
    snprintf(other, sizeof other, "%.*s", (int)strcspn(path, "/"), path);
    if (!strcmp(other, folder)) return;
    char spaced[NAME + 2], whole[NAME + 66];
    snprintf(spaced, sizeof spaced, " %s ", other);
    snprintf(whole, sizeof whole, " %s ", path);
    const char *may = row_of(folder)->may;
    ck_assert_msg(strstr(may, spaced) || strstr(may, whole),
                  "%s/%s includes %s, which CONTRIBUTING.md does not allow it", folder, file, path);
}

static void check_file(const char *folder, const char *name)
{
    char path[512], line[2048];
    snprintf(path, sizeof path, "generator/%s/%s", folder, name);
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    while (fgets(line, sizeof line, f)) check_include(folder, name, line);
    fclose(f);
}

static bool is_source(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && (!strcmp(dot, ".c") || !strcmp(dot, ".h"));
}

static void check_folder(const char *folder)
{
    char path[512];
    snprintf(path, sizeof path, "generator/%s", folder);
    DIR *d = opendir(path);
    ck_assert_msg(d != NULL, "%s", path);
    ck_assert_msg(row_of(folder) != NULL, "CONTRIBUTING.md says nothing of generator/%s", folder);
    row_of(folder)->found = true;
    for (const struct dirent *e; (e = readdir(d));)
        if (is_source(e->d_name)) check_file(folder, e->d_name);
    closedir(d);
}

START_TEST(folders_include_what_the_table_says)
{
    read_table();
    DIR *d = opendir("generator");
    ck_assert_ptr_nonnull(d);
    for (const struct dirent *e; (e = readdir(d));)
        if (*e->d_name != '.' && !strchr(e->d_name, '.')) check_folder(e->d_name);
    closedir(d);
    for (int i = 0; i < n_rows; i++) ck_assert_msg(rows[i].found, "there is no generator/%s", rows[i].name);
}
END_TEST

/* Rows in the order of the table: each includes only folders above it, so there is no cycle. */
START_TEST(the_table_has_no_cycle)
{
    read_table();
    for (int i = 0; i < n_rows; i++)
        for (int k = i; k < n_rows; k++) {
            char spaced[NAME + 2];
            snprintf(spaced, sizeof spaced, " %s ", rows[k].name);
            ck_assert_msg(!strstr(rows[i].may, spaced), "%s/ includes %s/, which is not above it", rows[i].name,
                          rows[k].name);
        }
}
END_TEST

SUITE("layers", folders_include_what_the_table_says, the_table_has_no_cycle)
