! What Fortran programs do with arrays. tests/c/fortran/main.c calls each with n and m, and arrays of n by m in a and b.

! Assumed shapes: the shape is in a descriptor.
subroutine assumed(n, m, a, b)
  integer, intent(in) :: n, m
  real(8), intent(in) :: a(:,:)
  real(8), intent(inout) :: b(:,:)
  integer :: i, j
  do j = 2, size(b, 2) - 1
    do i = 2, size(b, 1) - 1
      b(i, j) = a(i - 1, j) + a(i + 1, j) + a(i, j - 1)
    end do
  end do
end subroutine

! The same, said to lie side by side; only one column is touched.
subroutine attribute(n, m, a, b)
  integer, intent(in) :: n, m
  real(8), contiguous, intent(in) :: a(:,:)
  real(8), contiguous, intent(inout) :: b(:,:)
  integer :: i
  do i = 1, n
    b(i, 2) = b(i, 2) * a(i, 1)
  end do
end subroutine

! Array assignments and sections are loops.
subroutine sections(n, m, a, b)
  integer, intent(in) :: n, m
  real(8), intent(in) :: a(:,:)
  real(8), intent(inout) :: b(:,:)
  b(:, 1) = 0.0d0
  b(2:n - 1, 2:m - 1) = a(1:n - 2, 2:m - 1) + a(3:n, 2:m - 1)
end subroutine

! A local array of a size that is known when it is allocated.
subroutine local(n, m, a, b)
  integer, intent(in) :: n, m
  real(8), intent(in) :: a(:,:)
  real(8), intent(inout) :: b(:,:)
  real(8), allocatable :: work(:,:)
  integer :: i, j
  allocate(work(n, m))
  do j = 1, m
    do i = 1, n
      work(i, j) = a(i, j)
    end do
  end do
  do i = 1, n
    do j = 1, m
      b(i, j) = work(i, j)
    end do
  end do
  deallocate(work)
end subroutine
