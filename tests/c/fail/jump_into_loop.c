// function: two_entries
// A jump leads into the middle of a loop, which so has two entries.
void two_entries(int n, int start, double *a) {
  int i = 0;
  if (start > 3) goto middle;
top:
  a[i] = 1.0;
middle:
  a[i] += 2.0;
  i++;
  if (i < n) goto top;
}
