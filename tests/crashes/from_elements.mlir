func.func @f(%n: index) {
  %z = vector.from_elements %n : vector<9223372036854775807xindex>
  return
}
