// Follows a user's compute shader, with include/watch.glsl before it: runs it, and counts the invocations whose loops the
// device ended early, in this dispatch or an earlier one.
//
// Output: quadrille_count, of a storage block that is declared before this at a binding that the user's blocks leave free:
// the number of invocations whose loops were ended early.
#undef main
#undef discard

void main() {
    quadrille_users_main();
    if (quadrille_ended || !quadrille_budget_is_left()) {
        atomicAdd(quadrille_count, 1u);
    }
}
