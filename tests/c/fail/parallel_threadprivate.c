// flags: --parallel marked
// function: scale
// An array outside the function of which each thread has its own; a function that asks for the thread's number.
static double table[64];
#pragma omp threadprivate(table)
int omp_get_thread_num(void);

static int self(void) { return omp_get_thread_num() & 1; }

void scale(int n, double *restrict x) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    x[i] = table[0];
  x[0] = self();
}
