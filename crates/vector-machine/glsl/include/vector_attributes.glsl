// The inputs of an invocation as vertex attributes: attribute r holds what belongs in v[r].
//
// vector_take_attributes()   puts them there. Those of registers that nobody reads are not fed: a compiler may keep them.
// Defines: QUADS: with 1 there are at most three of them.
// Source: Thompson, Hahn, Oskin, Using Modern Graphics Architectures for General-Purpose Computing, sections 3.2 and 4.2.3.
layout(location = 1) in vec4 quadrille_vector_1;
layout(location = 2) in vec4 quadrille_vector_2;
layout(location = 3) in vec4 quadrille_vector_3;
#if QUADS > 1
layout(location = 4) in vec4 quadrille_vector_4;
layout(location = 5) in vec4 quadrille_vector_5;
layout(location = 6) in vec4 quadrille_vector_6;
layout(location = 7) in vec4 quadrille_vector_7;
layout(location = 8) in vec4 quadrille_vector_8;
layout(location = 9) in vec4 quadrille_vector_9;
layout(location = 10) in vec4 quadrille_vector_10;
layout(location = 11) in vec4 quadrille_vector_11;
layout(location = 12) in vec4 quadrille_vector_12;
layout(location = 13) in vec4 quadrille_vector_13;
layout(location = 14) in vec4 quadrille_vector_14;
layout(location = 15) in vec4 quadrille_vector_15;
#endif

void vector_take_attributes() {
    v[1] = quadrille_vector_1;
    v[2] = quadrille_vector_2;
    v[3] = quadrille_vector_3;
#if QUADS > 1
    v[4] = quadrille_vector_4;
    v[5] = quadrille_vector_5;
    v[6] = quadrille_vector_6;
    v[7] = quadrille_vector_7;
    v[8] = quadrille_vector_8;
    v[9] = quadrille_vector_9;
    v[10] = quadrille_vector_10;
    v[11] = quadrille_vector_11;
    v[12] = quadrille_vector_12;
    v[13] = quadrille_vector_13;
    v[14] = quadrille_vector_14;
    v[15] = quadrille_vector_15;
#endif
}
