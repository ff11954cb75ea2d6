// OPTIONS: --passes 'func.func(affine-loop-tile{tile-size=0}, symbol-dce)'
func.func @f() {
  return
}
