// function: clear
// The counter is a variable outside the function: its uses are accesses, and a note says what would spare them.
int k;

void clear(int n, double *a) {
  for (k = 0; k < n; k++)
    a[k] = 0.0;
}
