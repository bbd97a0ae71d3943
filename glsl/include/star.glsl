// Which couplings of a point of a three-dimensional grid are stored, and in which order. Number 9 l + 3 j + i + 13 is that of the
// neighbour (i, j, l), with steps from -1 to 1; number 13 is the sum of the row.
//
// Defines   STAR                  points are coupled along the axes alone: seven of the 27 numbers are stored
// Provides  IS_COUPLED(i, j, l)   whether the coupling to a neighbour is stored; without, it is zero
//           SLOT(k)               the place of number k among those that are stored
#ifdef STAR
#define IS_COUPLED(i, j, l) (abs(i) + abs(j) + abs(l) < 2)
#define SLOT(k) ((k) < 13 ? ((k) == 4 ? 0 : (k) == 10 ? 1 : 2) : (k) == 13 ? 3 : ((k) == 14 ? 4 : (k) == 16 ? 5 : 6))
#else
#define IS_COUPLED(i, j, l) true
#define SLOT(k) (k)
#endif
