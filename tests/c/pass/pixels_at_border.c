// function: neighbours
// sizes: h=3 w=8; h=2 w=16
// Parts of pixels next to each other, where there are such: the condition counts once for each byte of a pixel.
struct pixel {
  unsigned char r, g, b;
};

void neighbours(int h, int w, struct pixel in[restrict h][w], int out[restrict h][w]) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      if (x >= 1 && x + 1 < w)
        out[y][x] = in[y][x - 1].b + in[y][x + 1].b;
}
