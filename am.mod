!mod$ v1 sum:96aea45f480f79ff
module am
type::grid
real(8),allocatable::u(:)
end type
contains
subroutine g1(n,g)
integer(4),intent(in)::n
type(grid),intent(inout)::g
end
end
