// function: decode
// The members of a packed structure are not aligned: one access may touch two lines.
struct __attribute__((packed)) record {
  char tag;
  double value;
};

double decode(int n, const struct record *r) {
  double s = 0.0;
  for (int i = 0; i < n; i++)
    s += r[i].value;
  return s;
}
