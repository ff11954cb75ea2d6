// function: missed
// From m + 1 in steps of 3 the counter meets 100, or it wraps around before.
void missed(unsigned char m, int *a) {
  unsigned char i = m + 1;
  if (i != 100)
    do {
      a[i] += 1;
      i += 3;
    } while (i != 100);
}
