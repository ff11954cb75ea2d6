// function: mass
// How large the elements are the type's name does not tell, and nothing is divided by it, so how many there are is not known.
#include <vector>

struct Particle {
  double x, y, mass;
};

double mass(const std::vector<Particle> &v) {
  double s = 0.0;
  for (const Particle &particle : v)
    s += particle.mass;
  return s;
}
