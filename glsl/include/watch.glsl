// Precedes a user's fragment shader on a device with a loop budget; include/loop_budget.glsl comes before it, and
// watch/main.frag after the user's text. Together they detect whether the user's loops were ended early.
//
// quadrille_ended    whether the budget was found to be used up
//
// A fragment that discards writes nothing and could not report, so `discard` checks first, and keeps the fragment if
// its loops were ended, or it read beyond its panel.
bool quadrille_ended = false;

bool quadrille_has_to_report() {
    quadrille_ended = quadrille_ended || !quadrille_budget_is_left();
#ifdef QUADRILLE_PANELS
    return quadrille_ended || quadrille_farthest > 0;
#else
    return quadrille_ended;
#endif
}

#define discard if (quadrille_has_to_report()) ; else discard
#define main quadrille_users_main
