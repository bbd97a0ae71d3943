// The inputs of an invocation as vertex attributes: attribute r holds what belongs in v[r].
//
// vector_take_attributes()   puts them there
// Defines: QUADS: with 1 there are at most three of them.
// Source: Thompson, Hahn, Oskin, Using Modern Graphics Architectures for General-Purpose Computing, sections 3.2 and 4.2.3.
layout(location = 1) in vec4 vector_input_1;
layout(location = 2) in vec4 vector_input_2;
layout(location = 3) in vec4 vector_input_3;
#if QUADS > 1
layout(location = 4) in vec4 vector_input_4;
layout(location = 5) in vec4 vector_input_5;
layout(location = 6) in vec4 vector_input_6;
layout(location = 7) in vec4 vector_input_7;
layout(location = 8) in vec4 vector_input_8;
layout(location = 9) in vec4 vector_input_9;
layout(location = 10) in vec4 vector_input_10;
layout(location = 11) in vec4 vector_input_11;
layout(location = 12) in vec4 vector_input_12;
layout(location = 13) in vec4 vector_input_13;
layout(location = 14) in vec4 vector_input_14;
layout(location = 15) in vec4 vector_input_15;
#endif

void vector_take_attributes() {
    v[1] = vector_input_1;
    v[2] = vector_input_2;
    v[3] = vector_input_3;
#if QUADS > 1
    v[4] = vector_input_4;
    v[5] = vector_input_5;
    v[6] = vector_input_6;
    v[7] = vector_input_7;
    v[8] = vector_input_8;
    v[9] = vector_input_9;
    v[10] = vector_input_10;
    v[11] = vector_input_11;
    v[12] = vector_input_12;
    v[13] = vector_input_13;
    v[14] = vector_input_14;
    v[15] = vector_input_15;
#endif
}
