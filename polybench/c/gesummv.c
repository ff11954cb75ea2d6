// gesummv: y := alpha*A*x + beta*B*x
// (PolyBench/C 4.2.1, linear-algebra/blas/gesummv)

#ifndef N
#define N n
#endif

void kernel_gesummv(int n, double alpha, double beta, double A[N][N], double B[N][N], double tmp[N], double x[N],
                    double y[N]) {
  int i, j;

  for (i = 0; i < n; i++) {
    tmp[i] = 0.0;
    y[i] = 0.0;
    for (j = 0; j < n; j++) {
      tmp[i] = A[i][j] * x[j] + tmp[i];
      y[i] = B[i][j] * x[j] + y[i];
    }
    y[i] = alpha * tmp[i] + beta * y[i];
  }
}
