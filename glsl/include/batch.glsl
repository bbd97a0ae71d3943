// A batch of products as one: the A's lie below each other, the B's beside each other, and only the blocks on the diagonal
// of their product are computed, which lie below each other in C.
//
// Define    BATCH                there are several products
// Input     batch                the rows of C and the columns of B of one product, in the units of the calls below
// Provides  COLUMN_OF_B(row, column)   the column of B for this row and column of C
//           COLUMNS_OF_C(columns)      the columns of C, given those of B

#ifdef BATCH
uniform ivec2 batch;
#define COLUMN_OF_B(row, column) ((column) + (row) / batch.x * batch.y)
#define COLUMNS_OF_C(columns) batch.y
#else
#define COLUMN_OF_B(row, column) (column)
#define COLUMNS_OF_C(columns) (columns)
#endif
