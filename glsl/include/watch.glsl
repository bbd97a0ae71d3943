// Stands in front of a user's fragment shader on a device with a loop budget, include/loop_budget.glsl in
// front of it and watch/main.frag behind the user's text. Together they tell whether the user's loops
// were ended early.
//
// quadrille_ended    whether the budget was found to be used up
//
// A fragment that discards writes nothing, so it could not tell: `discard` looks first, and lets the
// fragment live where its loops were ended.
bool quadrille_ended = false;

#define discard if (!quadrille_budget_is_left()) quadrille_ended = true; else discard
#define main quadrille_users_main
