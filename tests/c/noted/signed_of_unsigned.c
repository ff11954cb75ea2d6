// function: clear
// A size of eight unsigned bits that is read as a signed number.
void clear(unsigned char n, double *u) {
  signed char last = n;
  for (int i = 0; i < last; i++)
    u[i] = 0;
}
