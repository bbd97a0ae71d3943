// One clause under 128 candidates: the candidates that do not satisfy it, and those that satisfy it by one literal
// alone, so that flipping its variable would break the clause.
//
// Inputs: clauses (lists of literals), assignments. Defines: CLAUSES, CLAUSE_ROWS, VARIABLE_ROWS;
// LINKED where a clause has more than three literals.
#include "include/masks.glsl"

uniform highp isampler2D clauses;
uniform highp usampler2D assignments;
layout(location = 0) out uvec4 unsatisfied;
layout(location = 1) out uvec4 critical;

uvec4 truth(int literal, int group) {
    if (literal == 0) {
        return uvec4(0u);
    }
    uvec4 value = READ(assignments, PLACE(abs(literal) - 1, group, VARIABLE_ROWS));
    return literal > 0 ? value : ~value;
}

void main() {
    int group = GROUP(CLAUSE_ROWS);
    int next = min(INDEX(CLAUSE_ROWS), CLAUSES - 1);
    uvec4 once = uvec4(0u);
    uvec4 more = uvec4(0u);
#ifdef LINKED
    do {
#endif
        ivec4 part = READ(clauses, LISTED(next));
        uvec4 x = truth(part.x, group);
        uvec4 y = truth(part.y, group);
        uvec4 z = truth(part.z, group);
        more |= once & x;
        once |= x;
        more |= once & y;
        once |= y;
        more |= once & z;
        once |= z;
#ifdef LINKED
        next = part.w;
    } while (next != 0);
#endif
    unsatisfied = ~once;
    critical = once & ~more;
}
