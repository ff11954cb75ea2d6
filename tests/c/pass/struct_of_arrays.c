// function: push
// sizes:
// One global structure that holds several arrays, each of whole lines.
enum { COUNT = 1024 };

static struct {
  _Alignas(64) float x[COUNT];
  _Alignas(64) float v[COUNT];
  _Alignas(64) float a[COUNT];
} particles;

void push(float dt) {
  for (int i = 0; i < COUNT; i++) {
    particles.v[i] += dt * particles.a[i];
    particles.x[i] += dt * particles.v[i];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(void) {
  trace_start();
  push(0.1);
  trace_stop();
  return 0;
}
#endif
