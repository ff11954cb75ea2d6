// function: clear_parts
// Structures in memory that are passed by value, two members in one register.
struct range {
  int first, end;
};

static const struct range parts[2] = {{0, 8}, {8, 20}};

static void clear(struct range range, double *x) {
  for (int i = range.first; i < range.end; i++)
    x[i] = 0;
}

void clear_parts(const struct range *range, double *x) {
  clear(*range, x);
  clear(parts[1], x);
}
