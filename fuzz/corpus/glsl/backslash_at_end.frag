#define A \
1
out float y;
// comment \