# cmake -DOUT=file.c -DFILES=a;b -P Embed.cmake: each file as bytes, for `embedded_find` (generator/base/embedded.h).
# Bytes, not string literals: C99 promises literals of 4095 characters only, and no text needs escaping this way.
set(arrays "")
set(table "")
set(i 0)
foreach(file IN LISTS FILES)
    get_filename_component(name "${file}" NAME)
    file(READ "${file}" hex HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
    string(APPEND arrays "static const unsigned char file_${i}[] = {${bytes}0};\n")
    string(APPEND table "    {\"${name}\", (const char *)file_${i}, sizeof file_${i} - 1},\n")
    math(EXPR i "${i} + 1")
endforeach()
file(WRITE "${OUT}" "#include \"base/embedded.h\"\n\n${arrays}\nconst embedded_file embedded_files[] = {\n${table}    {0, 0, 0},\n};\n")
