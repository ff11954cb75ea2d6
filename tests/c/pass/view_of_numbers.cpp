// function: reversed
// sizes: n=24; n=1
// flags: -- -std=gnu++20
// The two ends of a range of the standard library are halves of one register, of which each is set by itself.
#include <ranges>

void reversed(int n, double *__restrict a, const double *__restrict b) {
  for (int i : std::views::iota(0, n))
    a[i] = b[n - 1 - i];
}

#ifdef TRACED
#include <cstdlib>
#include <cstring>

extern "C" void trace_start(void);
extern "C" void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  int n = std::atoi(argv[1]);
  void *a = std::aligned_alloc(64, 256), *b = std::aligned_alloc(64, 256);
  std::memset(a, 0, 256);
  std::memset(b, 0, 256);
  trace_start();
  reversed(n, static_cast<double *>(a), static_cast<double *>(b));
  trace_stop();
  return 0;
}
#endif
