// function: clear
// The counter is a variable outside the function, and what is called may change it.
int k;

void tick(void);

void clear(int n, double *a) {
  for (k = 0; k < n; k++) {
    tick();
    a[k] = 0.0;
  }
}
