// Whether the device's loop budget, which all loops of an invocation share, still lasts: once it is used up, a
// loop of two iterations ends early.
//
// quadrille_two      2; a uniform, so that no compiler unrolls the loop
// QUADRILLE_NO_BUDGET  if defined, the device has none
uniform highp int quadrille_two;

#ifdef QUADRILLE_NO_BUDGET
bool quadrille_budget_is_left() {
    return true;
}
#else
bool quadrille_budget_is_left() {
    int quadrille_made = 0;
    for (int quadrille_i = 0; quadrille_i < quadrille_two; quadrille_i++) {
        quadrille_made++;
    }
    return quadrille_made == 2;
}
#endif
