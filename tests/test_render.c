#include "suite.h"

#include <string.h>
#include "template/render.h"

static arena *memory;
static diag messages;
static value *root;

/* ur5 with two joints; each joint has a name, only the last has `last` on. */
static void make_values(void)
{
    memory = arena_new();
    messages = diag_new(memory);
    root = value_object(memory);
    value_set(root, "robot", "ur5<&\">");
    value_set(root, "empty", "");
    value_flag(root, "floating", false);
    value_list(root, "frames");
    static const char *const names[] = {"a", "b"};
    for (int i = 0; i < 2; i++) {
        value *joint = value_append(root, "joints");
        value_set(joint, "name", names[i]);
        value_flag(joint, "last", i == 1);
    }
}

static char *rendered(const char *text)
{
    char *result;
    size_t size;
    FILE *out = open_memstream(&result, &size);
    bool done = render_text("here.mustache", text, strlen(text), root, out, &messages);
    fclose(out);
    ck_assert_int_eq(done, messages.errors == 0);
    return result;
}

static const struct {
    const char *text, *result;
} cases[] = {
    {"{{robot}};", "ur5<&\">;"},
    {"{{#joints}}{{name}}{{^last}}, {{/last}}{{/joints}}", "a, b"},
    {"{{#joints}}\n{{robot}}.{{name}}\n{{/joints}}\n", "ur5<&\">.a\nur5<&\">.b\n"},
    {"{{#floating}}x{{/floating}}{{^floating}}y{{/floating}}", "y"},
    {"{{#empty}}x{{/empty}}{{#robot}}{{robot}}{{/robot}}", "ur5<&\">"},
    {"{{#frames}}{{nothing}}{{/frames}}{{^frames}}none{{/frames}}", "none"},
    {"{{=<% %>=}}double x[] = {{<%robot%>}};", "double x[] = {{ur5<&\">}};"},
    {"", ""},
};

START_TEST(values_are_printed)
{
    make_values();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *result = rendered(cases[i].text);
        ck_assert_str_eq(result, cases[i].result);
        free(result);
    }
    arena_free(memory);
}
END_TEST

static const struct {
    const char *text, *message;
} faults[] = {
    {"{{robt}}", "no value for tag 'robt'"},
    {"{{#nothing}}{{/nothing}}", "no value for tag 'nothing'"},
    {"{{^nothing}}{{/nothing}}", "no value for tag 'nothing'"},
    {"{{name}}", "no value for tag 'name'"},
    {"{{joints}}", "a text expected, not a list or flag, for tag 'joints'"},
    {"{{floating}}", "a text expected, not a list or flag, for tag 'floating'"},
    {"{{>nowhere}}", "no template for the partial 'nowhere'"},
    {"{{#joints}}", "in this template or a partial of it: the text ends inside a tag or a section"},
    {"{{/joints}}", "in this template or a partial of it: a closing tag does not match the open section"},
};

START_TEST(faults_name_template_and_tag)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        make_values();
        free(rendered(faults[i].text));
        ck_assert_int_eq(messages.errors, 1);
        ck_assert_str_eq(messages.first->text, faults[i].message);
        ck_assert_str_eq(messages.first->at.file, "here.mustache");
        arena_free(memory);
    }
}
END_TEST

START_TEST(a_key_set_again_hides)
{
    make_values();
    value_set(root, "robot", "other");
    char *result = rendered("{{robot}}");
    ck_assert_str_eq(result, "other");
    free(result);
    arena_free(memory);
}
END_TEST

SUITE("render", values_are_printed, faults_name_template_and_tag, a_key_set_again_hides)
