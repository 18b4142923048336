# cmake -DIN=runtime/sva.h -DOUT=sva.h -P Expand.cmake: the header with every `#include "sva_api.h"` written out for its
# number type, so that editors and grep find sva_rnea( and its kin.
get_filename_component(folder "${IN}" DIRECTORY)
file(READ "${IN}" text)
file(READ "${folder}/sva_api.h" api)
string(FIND "${api}" "\n" first_line) # a comment on how it is included
string(SUBSTRING "${api}" ${first_line} -1 api)
foreach(type "double=sva_" "float=svaf_" "double _Complex=svac_" "__float128=svaq_")
    string(REGEX REPLACE "=.*" "" real "${type}")
    string(REGEX REPLACE ".*=" "" prefix "${type}")
    string(REGEX REPLACE "SVA_NAME\\(([a-z_0-9]+)\\) \\* ?" "${prefix}\\1 *" expanded "${api}")
    string(REGEX REPLACE "SVA_NAME\\(([a-z_0-9]+)\\)" "${prefix}\\1" expanded "${expanded}")
    string(REPLACE "SVA_REAL" "${real}" expanded "${expanded}")
    string(REGEX REPLACE "\n          +" "\n        " expanded "${expanded}") # parameters on a line of their own
    string(REGEX MATCH "#define SVA_REAL +${real}\n#define SVA_NAME.x. ${prefix}##x\n#include \"sva_api.h\"\n#undef SVA_REAL\n#undef SVA_NAME\n"
           inclusion "${text}")
    string(REPLACE "${inclusion}" "/* ---- ${prefix}: numbers are ${real} */\n${expanded}" text "${text}")
endforeach()
if(text MATCHES "SVA_NAME|sva_api")
    message(FATAL_ERROR "${IN}: a number type that this script does not know")
endif()
file(WRITE "${OUT}" "${text}")
