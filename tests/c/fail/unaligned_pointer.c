// function: read_header
// Numbers of four bytes are read from any byte of a buffer, so one access may touch two lines.
typedef unsigned __attribute__((aligned(1))) loose;

unsigned read_header(int n, const unsigned char *bytes) {
  unsigned s = 0;
  for (int i = 0; i < n; i++)
    s ^= *(const loose *)(bytes + 5 * i + 1);
  return s;
}
