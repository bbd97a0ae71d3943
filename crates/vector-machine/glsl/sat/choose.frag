// The variable that each candidate flips, counted from 1; 0 where the candidate is a model.
//
// WalkSAT/SKC: from a random unsatisfied clause, a variable that breaks no other clause; if there is none, with the
// probability noise / 2^32 a random variable of the clause, else one that breaks fewest. Source: Selman, Kautz, Cohen,
// "Noise Strategies for Improving Local Search" (AAAI 1994).
//
// Inputs: tops, blocks, unsatisfied (masks; tops are folded from blocks, and blocks from unsatisfied), critical, clauses
// (lists of literals), occurrences (for each literal the list of its clauses, from 1; first those of variable v, then
// those of its negation), key, noise.
// Defines: TOPS, BLOCKS, CLAUSES and their _ROWS, BLOCK.
#include "include/masks.glsl"
#include "include/random.glsl"

uniform highp usampler2D tops;
uniform highp usampler2D blocks;
uniform highp usampler2D unsatisfied;
uniform highp usampler2D critical;
uniform highp isampler2D clauses;
uniform highp isampler2D occurrences;
uniform uint key;
uniform uint noise;
out uint choice;

// The first of `count` masks from `first` on that has the candidate, searched cyclically from a random one; -1 if none
// has. `who` is group, candidate, and rows of the masks.
int find(highp usampler2D masks, int first, int count, ivec3 who, uint state) {
    int start = below(state, count);
    for (int i = 0; i < count; i++) {
        int turned = start + i < count ? start + i : start + i - count;
        if (SET(READ(masks, PLACE(first + turned, who.x, who.z)), who.y)) {
            return first + turned;
        }
    }
    return -1;
}

int is_critical(int clause, int group, int candidate) {
    uvec4 mask = READ(critical, PLACE(clause - 1, group, CLAUSE_ROWS));
    return SET(mask, candidate) ? 1 : 0;
}

// The number of clauses that only this literal satisfies.
int breaks(int literal, int group, int candidate) {
    int next = literal > 0 ? 2 * literal - 2 : -2 * literal - 1;
    int sum = 0;
    do {
        ivec4 part = READ(occurrences, LISTED(next));
        sum += part.x != 0 ? is_critical(part.x, group, candidate) : 0;
        sum += part.y != 0 ? is_critical(part.y, group, candidate) : 0;
        sum += part.z != 0 ? is_critical(part.z, group, candidate) : 0;
        next = part.w;
    } while (next != 0);
    return sum;
}

int of_clause(int clause, int group, int candidate, uint state) {
    bool noisy = state < noise;
    int literals = 0;
    int any = 0;
    int least = 0;
    int ties = 0;
    int best = 0;
    int next = clause;
    do {
        ivec4 part = READ(clauses, LISTED(next));
        for (int k = 0; k < 3; k++) {
            int literal = k == 0 ? part.x : k == 1 ? part.y : part.z;
            if (literal != 0) {
                int broken = breaks(-literal, group, candidate);
                bool better = ties == 0 || broken < least;
                least = better ? broken : least;
                ties = better ? 1 : broken == least ? ties + 1 : ties;
                literals++;
                state = scrambled(state);
                any = below(state, literals) == 0 ? literal : any;
                state = scrambled(state);
                best = better || broken == least && below(state, ties) == 0 ? literal : best;
            }
        }
        next = part.w;
    } while (next != 0);
    return abs(noisy && least > 0 ? any : best);
}

void main() {
    int group = TEXEL.y;
    int candidate = TEXEL.x;
    uint state = scrambled(key ^ scrambled(uint(128 * group + candidate)));
    choice = 0u;
    int top = find(tops, 0, TOPS, ivec3(group, candidate, TOP_ROWS), state);
    if (top >= 0) {
        state = scrambled(state);
        int first = top * BLOCK;
        int count = min(BLOCK, BLOCKS - first);
        int block = find(blocks, first, count, ivec3(group, candidate, BLOCK_ROWS), state);
        state = scrambled(state);
        first = block * BLOCK;
        count = min(BLOCK, CLAUSES - first);
        int clause = find(unsatisfied, first, count, ivec3(group, candidate, CLAUSE_ROWS), state);
        choice = uint(of_clause(clause, group, candidate, scrambled(state)));
    }
}
