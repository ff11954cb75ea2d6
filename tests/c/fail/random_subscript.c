// function: random_updates
// The subscript comes from a generator of random numbers.
void random_updates(int n, unsigned seed, double *table) {
  for (int i = 0; i < n; i++) {
    seed = seed * 1664525u + 1013904223u;
    table[seed >> 22] += 1.0;
  }
}
