// Every thread counts in an element of its own: neighbours in one line of the cache.
void count(int threads, int n, long counts[threads], long data[threads][n]) {
#pragma omp parallel for
  for (int t = 0; t < threads; t++)
    for (int k = 0; k < n; k++)
      counts[t] += data[t][k];
}

// Every thread counts in a line of its own.
void count_padded(int threads, int n, long counts[threads][8], long data[threads][n]) {
#pragma omp parallel for
  for (int t = 0; t < threads; t++)
    for (int k = 0; k < n; k++)
      counts[t][0] += data[t][k];
}
