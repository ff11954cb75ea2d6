// function: wrapped
// The counter of 8 bits is compared as a signed number, which never is 128, though the subscript reads it as an unsigned one.
void wrapped(int *a) {
  signed char i = 1;
  int k = 0;
  do {
    a[(unsigned char)i] += 1;
    i++;
    k++;
  } while (i != 128 && k < 1000);
}
