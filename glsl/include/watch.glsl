// Precedes a user's fragment shader on a device with a loop budget; include/loop_budget.glsl comes before it, and
// watch/main.frag after the user's text. Together they detect whether the user's loops were ended early.
//
// quadrille_ended    whether the budget was found to be used up
//
// A fragment that discards writes nothing and could not report, so `discard` checks first, and keeps the fragment if
// its loops were ended.
bool quadrille_ended = false;

#define discard if (!quadrille_budget_is_left()) quadrille_ended = true; else discard
#define main quadrille_users_main
