// Stands in front of a user's fragment shader on a device with a loop budget, watch/main.glsl behind it.
// Together they tell whether the user's loops were ended early: all loops of an invocation share one
// budget, so a loop of two iterations that stops short, run after the user's, shows that it is used up.
//
// quadrille_two      2; a uniform, so that no compiler unrolls the loop
// quadrille_ended    whether the budget was found to be used up
//
// A fragment that discards writes nothing, so it could not tell: `discard` looks first, and lets the
// fragment live where its loops were ended.
uniform highp int quadrille_two;
bool quadrille_ended = false;

bool quadrille_budget_is_left() {
    int quadrille_made = 0;
    for (int quadrille_i = 0; quadrille_i < quadrille_two; quadrille_i++) {
        quadrille_made++;
    }
    return quadrille_made == 2;
}

#define discard if (!quadrille_budget_is_left()) quadrille_ended = true; else discard
#define main quadrille_users_main
