// OPTIONS: --passes 'func.func(no-such-pass)'
func.func @f() {
  return
}
