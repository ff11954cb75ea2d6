/* A box filter on bytes: tabs, a variable of its own for each pixel, counters in front of the loops. */
#include <stdint.h>
void box(int w, int h, const uint8_t *src, uint8_t *dst)
{
	int x, y;
	for (x = 1; x < w - 1; x++) {
		for (y = 1; y < h - 1; y++) {
			const int id = y * w + x;
			int s = 0;	// of nine pixels
			s += src[id - w - 1] + src[id - w] + src[id - w + 1];
			s += src[id - 1] + src[id] + src[id + 1];
			s += src[id + w - 1] + src[id + w] + src[id + w + 1];
			dst[id] = (uint8_t)(s / 9);
		}
	}
}
