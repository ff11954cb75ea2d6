// Nothing is recovered where there is no function to keep.
module {
  affine.for %i = 0 to {
  }
}
