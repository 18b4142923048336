#include "utf8.h"

int utf8_decode(const char *text, uint32_t *code)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least; /* smaller codes have a shorter form */
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    const unsigned char *s = (const unsigned char *)text;
    for (int extra = 0; extra < 4; extra++) {
        if ((s[0] & forms[extra].mask) != forms[extra].lead) continue;
        uint32_t c = s[0] & (unsigned char)~forms[extra].mask;
        for (int i = 1; i <= extra; i++) {
            if ((s[i] & 0xc0) != 0x80) return 0; /* the ending NUL too */
            c = c << 6 | (s[i] & 0x3f);
        }
        *code = c;
        bool surrogate = c >= 0xd800 && c <= 0xdfff;
        return c < forms[extra].least || c > 0x10ffff || surrogate ? 0 : extra + 1;
    }
    return 0;
}

bool utf8_valid(const char *text)
{
    uint32_t code;
    while (*text) {
        int n = utf8_decode(text, &code);
        if (n == 0) return false;
        text += n;
    }
    return true;
}
