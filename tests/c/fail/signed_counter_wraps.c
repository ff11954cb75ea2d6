// function: wrapped
// The counter of 8 bits is compared as a signed number, which never is 128, although the subscript reads it as an unsigned one.
void wrapped(int *a) {
  signed char i = 1;
  int k = 0, end = 128;
  do {
    a[(unsigned char)i] += 1;
    i++;
    k++;
  } while (i != end && k < 1000);
}
