// flags: --parallel marked
// function: others
// Variables in front of a loop that each iteration assigns to: an element, a member, by a pointer, a reference, in brackets, by what a
// lambda captures, beside a variable of the same name, and in a region.
struct Pair {
  double a, b;
};

static void set(double *to, double value) { *to = value; }
static void put(double &to, double value) { to = value; }

void others(int n, const double *__restrict x, double *__restrict y) {
  double element[3], by_pointer, by_reference, brackets, captured, twice, of_region;
  Pair member;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    element[0] = x[i];
    y[i] = element[0];
  }
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    member.b = x[i];
    y[i] = member.b;
  }
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    set(&by_pointer, x[i]);
    y[i] = by_pointer;
  }
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    put(by_reference, x[i]);
    y[i] = by_reference;
  }
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    (brackets) = x[i];
    y[i] = brackets;
  }
  auto capture = [&](double value) { captured = value; };
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    capture(x[i]);
    y[i] = captured;
  }
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    twice = x[i];
    {
      double twice = 2.0;
      y[i] = twice;
    }
    y[i] += twice;
  }
#pragma omp parallel
  {
    of_region = 3.0;
#pragma omp for
    for (int i = 0; i < n; i++)
      y[i] = of_region;
  }
}
