/* Pixels of three bytes to pixels of one, from the top to the bottom of each column; rows are `pitch` bytes apart. */
void grey(int height, int width, int pitch, const unsigned char *restrict rgb, unsigned char *restrict out)
{
    for (int x = 0; x < width; x++)
        for (int y = 0; y < height; y++) {
            int red = rgb[y * pitch + 3 * x], green = rgb[y * pitch + 3 * x + 1], blue = rgb[y * pitch + 3 * x + 2];
            out[y * width + x] = (77 * red + 150 * green + 29 * blue) >> 8;
        }
}
