// function: mean
// sizes: v_size=24 w_size=24; v_size=7 w_size=9
// The sizes of vectors that are not resized, by subscripts and by iterators; reading a vector's own pointers is an access.
#include <vector>

extern "C" double mean(const std::vector<double> &v, std::vector<float> &w) {
  double s = 0.0;
  for (std::size_t i = 0; i < v.size(); ++i)
    s += v[i];
  for (float &x : w)
    x = 0.5f * x;
  for (std::size_t i = w.size(); i-- > 0;)
    s += w[i];
  return s / v.size();
}

#ifdef TRACED
#include <cstdlib>

extern "C" void trace_start(void);
extern "C" void trace_stop(void);

void *operator new(std::size_t bytes) { return aligned_alloc(64, (bytes + 63) / 64 * 64); }
void operator delete(void *memory) noexcept { free(memory); }
void operator delete(void *memory, std::size_t) noexcept { free(memory); }

alignas(64) static std::vector<double> v;
alignas(64) static std::vector<float> w;

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  v.resize(atol(argv[1]), 1.0);
  w.resize(atol(argv[2]), 1.0f);
  trace_start();
  mean(v, w);
  trace_stop();
  return 0;
}
#endif
