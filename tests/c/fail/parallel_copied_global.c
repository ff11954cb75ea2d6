// flags: --parallel marked
// function: sum
// A sum in a variable outside of functions, of which each thread has a copy; and loops that are not shared by a static schedule alone.
double total;

void sum(int n, double *restrict x) {
#pragma omp parallel for reduction(+ : total)
  for (int i = 0; i < n; i++)
    total += x[i];
#pragma omp parallel loop
  for (int i = 0; i < n; i++)
    x[i] = 0;
}
