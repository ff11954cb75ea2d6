// function: scatter
// A multiplicative hash of the counter, whose upper bits choose a bucket.
void scatter(unsigned n, double *buckets) {
  for (unsigned i = 0; i < n; i++)
    buckets[(i * 2654435761u) >> 24] += 1.0;
}
