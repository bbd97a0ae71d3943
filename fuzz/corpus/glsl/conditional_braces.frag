#ifdef A
struct S {
#else
struct T {
#endif
 float x; };
uniform S s;
out vec4 o;
