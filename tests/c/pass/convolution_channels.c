// function: conv_layer
// sizes:
// Seven nested loops of a network's layer, with a stride of two, all extents constant.
enum { OUT = 4, IN = 3, SIZE = 16, HALF = 7 };

_Alignas(64) static float input[IN][SIZE][SIZE];
_Alignas(64) static float weights[OUT][IN][3][16];
_Alignas(64) static float bias[OUT];
_Alignas(64) static float output[OUT][HALF][16];

void conv_layer(void) {
  for (int o = 0; o < OUT; o++)
    for (int y = 0; y < HALF; y++)
      for (int x = 0; x < HALF; x++) {
        float acc = bias[o];
        for (int c = 0; c < IN; c++)
          for (int ky = 0; ky < 3; ky++)
            for (int kx = 0; kx < 3; kx++)
              acc += weights[o][c][ky][kx] * input[c][2 * y + ky][2 * x + kx];
        output[o][y][x] = acc > 0.0f ? acc : 0.0f;
      }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(void) {
  trace_start();
  conv_layer();
  trace_stop();
  return 0;
}
#endif
