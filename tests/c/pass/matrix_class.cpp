// function: multiply
// sizes: n=16; n=32
// A small class over memory of the caller, with operator() for an element; the function's name is a C++ name.
class Matrix {
public:
  Matrix(double *data, int cols) : data_(data), cols_(cols) {}
  double &operator()(int i, int j) { return data_[i * cols_ + j]; }
  const double &operator()(int i, int j) const { return data_[i * cols_ + j]; }

private:
  double *data_;
  int cols_;
};

void multiply(int n, double *a, double *b, double *c) {
  const Matrix A(a, n), B(b, n);
  Matrix C(c, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0.0;
      for (int k = 0; k < n; ++k)
        sum += A(i, k) * B(k, j);
      C(i, j) = sum;
    }
}

#ifdef TRACED
#include <stdlib.h>

extern "C" void trace_start(void);
extern "C" void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *a = (double *)aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) a[i] = (i * 7 + 3) % 11 + 1;
  double *b = (double *)aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) b[i] = (i * 7 + 3) % 11 + 1;
  double *c = (double *)aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) c[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  multiply(n, a, b, c);
  trace_stop();
  free(a);
  free(b);
  free(c);
  return 0;
}
#endif
