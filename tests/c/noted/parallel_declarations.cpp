// flags: --parallel marked
// function: declarations
// Counters of types with a scope, and variables that are declared in the loop in other ways than by a plain type.
namespace sizes {
typedef unsigned long length;
}

struct Four {
  double at[4];
  const double *begin() const { return at; }
  const double *end() const { return at + 4; }
};

void declarations(sizes::length n, const double *__restrict x, double *__restrict y) {
#pragma omp parallel for
  for (sizes::length i = 0; i < n; i++) {
    enum { twice = 2 };
    decltype(x[0] + 1) sum = 0;
    __typeof__(y[0]) last = x[i];
    for (sizes::length k = 0; k < twice; k++)
      sum += last;
    Four four = {{sum, sum, sum, sum}};
    sum = 0;
    for (auto &value : four)
      sum += value;
    y[i] = sum;
  }
}
