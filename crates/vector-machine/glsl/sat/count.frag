// The number of clauses, of SHARE, that one assignment satisfies.
//
// Inputs: clauses (lists of literals), values (of variable v, 0 or 1, at v - 1). Defines: CLAUSES,
// COUNT_ROWS, SHARE; LINKED where a clause has more than three literals. Source: Thompson, Hahn,
// Oskin, "Using Modern Graphics Architectures for General-Purpose Computing" (2002), 5.4, whose
// vertex program takes 15 clauses.
#include "include/masks.glsl"

uniform highp isampler2D clauses;
uniform highp usampler2D values;
out uint satisfied;

bool holds(int literal) {
    if (literal == 0) {
        return false;
    }
    return READ(values, LISTED(abs(literal) - 1)).r == (literal > 0 ? 1u : 0u);
}

bool clause_holds(int next) {
    bool some = false;
#ifdef LINKED
    do {
#endif
        ivec4 part = READ(clauses, LISTED(next));
        some = some || holds(part.x) || holds(part.y) || holds(part.z);
#ifdef LINKED
        next = part.w;
    } while (next != 0);
#endif
    return some;
}

void main() {
    int first = INDEX(COUNT_ROWS) * SHARE;
    int end = min(first + SHARE, CLAUSES);
    satisfied = 0u;
    for (int clause = first; clause < end; clause++) {
        satisfied += clause_holds(clause) ? 1u : 0u;
    }
}
