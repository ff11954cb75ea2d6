// flags: --parallel marked
// function: scale
// An access that every thread makes, by an operator of a class.
struct Row {
  double *first;
  double &operator[](int i) { return first[i]; }
};

void scale(int n, double *__restrict a, double *__restrict b) {
  Row row{a};
#pragma omp parallel
  {
    row[0] = 2.0;
#pragma omp for
    for (int i = 0; i < n; i++)
      b[i] *= 2.0;
  }
}
