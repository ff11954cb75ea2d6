// function: failure
// Both conditions that end the inner loop depend on data, so neither can be told away.
void failure(int n, const char *restrict pattern, int *restrict next) {
  int k = 0;
  for (int q = 1; q < n; q++) {
    while (k > 0 && pattern[k] != pattern[q]) k = next[k];
    next[q] = k;
  }
}
