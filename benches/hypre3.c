// hypre's structured multigrid in three dimensions, as a preconditioner of conjugate gradients, beside `quadrille solve`.
//
//   apt-get install libhypre-dev && mpicc -O3 -I/usr/include/hypre benches/hypre3.c -o target/hypre3 -lHYPRE -lm
//   mpirun -n 2 target/hypre3 pfmg poisson7 127 3     # or smg; poisson7, weak (z = 0.01), fe27, jump7; points along a side; runs
//
// Prints a line: the method, the system, milliseconds of setup and of solving (medians), iterations, the relative residual of
// its own x by plain loops, from the same right-hand side in each run. Tolerance 1e-8.
#include <HYPRE_struct_ls.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int n, z0, z1;
static double along[3] = {1, 1, 1};
static int fe, jump;

static double k_of(int x, int y, int z) { return (x / 8 + y / 8 + z / 8) % 2 ? 1000 : 1; }

static double coupling(int x, int y, int z, int i, int j, int l) {
  if (fe) {
    double k[3] = {-1, 2, -1}, m[3] = {1 / 6., 4 / 6., 1 / 6.};
    int a = i + 1, b = j + 1, c = l + 1;
    double v = k[a] * m[b] * m[c] + m[a] * k[b] * m[c] + m[a] * m[b] * k[c];
    return fabs(v) < 1e-14 ? 0 : v;
  }
  if (abs(i) + abs(j) + abs(l) > 1) return 0;
  if (i || j || l) {
    int X = x + i, Y = y + j, Z = z + l, axis = i ? 0 : j ? 1 : 2, in = X >= 0 && X < n && Y >= 0 && Y < n && Z >= 0 && Z < n;
    double a = jump ? k_of(x, y, z) : 1, b = jump && in ? k_of(X, Y, Z) : a;
    return -along[axis] * 2 * a * b / (a + b);
  }
  double sum = 0;
  for (int s = -1; s <= 1; s += 2)
    sum -= coupling(x, y, z, s, 0, 0) + coupling(x, y, z, 0, s, 0) + coupling(x, y, z, 0, 0, s);
  return sum;
}

static int later(const void *a, const void *b) { return *(double *)a < *(double *)b ? -1 : 1; }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 5) return 2;
  int smg = !strcmp(argv[1], "smg"), runs = atoi(argv[4]);
  n = atoi(argv[3]), z0 = n * rank / ranks, z1 = n * (rank + 1) / ranks;
  fe = !strcmp(argv[2], "fe27"), jump = !strcmp(argv[2], "jump7");
  if (!strcmp(argv[2], "weak")) along[2] = 0.01;
  long mine = (long)n * n * (z1 - z0);
  HYPRE_Init();
  HYPRE_StructGrid grid;
  int lo[3] = {0, 0, z0}, hi[3] = {n - 1, n - 1, z1 - 1};
  HYPRE_StructGridCreate(MPI_COMM_WORLD, 3, &grid);
  HYPRE_StructGridSetExtents(grid, lo, hi);
  HYPRE_StructGridAssemble(grid);
  int used[14][3], m = 0, entries[14];
  for (int l = 0; l <= 1; l++) // symmetric: the middle and the later half
    for (int j = -1; j <= 1; j++)
      for (int i = -1; i <= 1; i++)
        if (9 * l + 3 * j + i >= 0 && (fe || abs(i) + abs(j) + abs(l) < 2)) used[m][0] = i, used[m][1] = j, used[m][2] = l, entries[m] = m, m++;
  HYPRE_StructStencil stencil;
  HYPRE_StructStencilCreate(3, m, &stencil);
  for (int e = 0; e < m; e++) HYPRE_StructStencilSetElement(stencil, e, used[e]);
  HYPRE_StructMatrix A;
  HYPRE_StructMatrixCreate(MPI_COMM_WORLD, grid, stencil, &A);
  HYPRE_StructMatrixSetSymmetric(A, 1);
  HYPRE_StructMatrixInitialize(A);
  double *values = malloc(mine * m * sizeof *values), *b = malloc(mine * sizeof *b), *x = calloc(mine, sizeof *x);
  long at = 0;
  for (int z = z0; z < z1; z++)
    for (int y = 0; y < n; y++)
      for (int X = 0; X < n; X++, at++) {
        for (int e = 0; e < m; e++) {
          int *o = used[e], in = X + o[0] >= 0 && X + o[0] < n && y + o[1] >= 0 && y + o[1] < n && z + o[2] < n;
          values[at * m + e] = in ? coupling(X, y, z, o[0], o[1], o[2]) : 0;
        }
        unsigned long s = (((unsigned long)z * n + y) * n + X) * 0x9E3779B97F4A7C15ul;
        s = (s ^ s >> 30) * 0xBF58476D1CE4E5B9ul, s ^= s >> 27;
        b[at] = (s >> 11) * (2.0 / (1ul << 53)) - 1;
      }
  HYPRE_StructMatrixSetBoxValues(A, lo, hi, m, entries, values);
  HYPRE_StructMatrixAssemble(A);
  HYPRE_StructVector vb, vx, vr;
  HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &vb), HYPRE_StructVectorInitialize(vb);
  HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &vx), HYPRE_StructVectorInitialize(vx);
  HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &vr), HYPRE_StructVectorInitialize(vr);
  HYPRE_StructVectorSetBoxValues(vb, lo, hi, b), HYPRE_StructVectorAssemble(vb);
  double setup[99], solve[99], residual = 0;
  int iterations = 0;
  for (int run = 0; run < runs && run < 99; run++) {
    HYPRE_StructSolver mg, cg;
    HYPRE_StructVectorSetConstantValues(vx, 0), HYPRE_StructVectorAssemble(vx);
    MPI_Barrier(MPI_COMM_WORLD);
    double t = MPI_Wtime();
    if (smg) {
      HYPRE_StructSMGCreate(MPI_COMM_WORLD, &mg), HYPRE_StructSMGSetTol(mg, 0), HYPRE_StructSMGSetMaxIter(mg, 1), HYPRE_StructSMGSetZeroGuess(mg);
    } else {
      HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &mg), HYPRE_StructPFMGSetTol(mg, 0), HYPRE_StructPFMGSetMaxIter(mg, 1);
      HYPRE_StructPFMGSetRelaxType(mg, getenv("RED_BLACK") ? 2 : 1), HYPRE_StructPFMGSetZeroGuess(mg);
    }
    HYPRE_StructPCGCreate(MPI_COMM_WORLD, &cg);
    HYPRE_StructPCGSetTol(cg, 1e-8), HYPRE_StructPCGSetMaxIter(cg, 200), HYPRE_StructPCGSetTwoNorm(cg, 1);
    HYPRE_StructPCGSetPrecond(cg, smg ? HYPRE_StructSMGSolve : HYPRE_StructPFMGSolve, smg ? HYPRE_StructSMGSetup : HYPRE_StructPFMGSetup, mg);
    HYPRE_StructPCGSetup(cg, A, vb, vx);
    MPI_Barrier(MPI_COMM_WORLD);
    double u = MPI_Wtime();
    HYPRE_StructPCGSolve(cg, A, vb, vx);
    MPI_Barrier(MPI_COMM_WORLD);
    solve[run] = (MPI_Wtime() - u) * 1e3, setup[run] = (u - t) * 1e3;
    HYPRE_StructPCGGetNumIterations(cg, &iterations);
    HYPRE_StructPCGDestroy(cg);
    if (smg) HYPRE_StructSMGDestroy(mg);
    else HYPRE_StructPFMGDestroy(mg);
  }
  // b - A x by hypre's product of the given matrix.
  HYPRE_StructVectorSetBoxValues(vr, lo, hi, b), HYPRE_StructVectorAssemble(vr);
  HYPRE_StructMatrixMatvec(-1, A, vx, 1, vr);
  HYPRE_StructVectorGetBoxValues(vr, lo, hi, x);
  double sums[2] = {0, 0}, all[2];
  for (long i = 0; i < mine; i++) sums[0] += x[i] * x[i], sums[1] += b[i] * b[i];
  MPI_Reduce(sums, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  residual = sqrt(all[0] / all[1]);
  qsort(setup, runs, sizeof *setup, later), qsort(solve, runs, sizeof *solve, later);
  if (!rank) printf("hypre-%s-cg %s %d setup %.1f solve %.1f iterations %d residual %.1e\n", argv[1], argv[2], n, setup[runs / 2], solve[runs / 2], iterations, residual);
  MPI_Finalize();
  return 0;
}
