! Loops that threads share, each between two subroutines that mark none.
subroutine product(n, a, b, c)
  integer, intent(in) :: n
  real(8), intent(in) :: a(n, n), b(n)
  real(8), intent(inout) :: c(n)
  integer :: i, j
  real(8) :: t
  !$omp parallel do private(t) &
  !$omp& schedule(static, 4)
  do i = 1, n
    t = 0
    do j = 1, n
      t = t + a(j, i) * b(j)
    end do
    c(i) = t
  end do
  !$omp end parallel do
end subroutine

subroutine region(n, a, b)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n), b(n)
  integer :: i, k
  !$OMP PARALLEL
  do k = 1, 3
    !$omp do
    do i = 2, n
      a(i) = b(i - 1)
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, n
      b(i) = 2 * b(i)
    end do
  end do
  !$OMP END PARALLEL
end subroutine

! Each iteration assigns to t, which threads share.
subroutine shared(n, a, b)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n), b(n)
  integer :: i
  real(8) :: t
  !$omp parallel do
  do i = 1, n
    t = a(i)
    b(i) = t
  end do
end subroutine

! Each thread has its own w; the counter of the loop around steps on the line of the last statement in it.
subroutine own(n, a, b)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n), b(n)
  real(8) :: w(n)
  integer :: i, j, t
  do t = 1, 3
    !$omp parallel do private(w)
    do i = 1, n
      do j = 1, n
        w(j) = a(j) * i
      end do
      b(i) = b(i) + w(i)
    end do
  end do
end subroutine

! What a clause copies of an argument is not in the source.
subroutine sum_of(n, a, s)
  integer, intent(in) :: n
  real(8), intent(in) :: a(n)
  real(8), intent(inout) :: s
  integer :: i
  !$omp parallel do reduction(+: s)
  do i = 1, n
    s = s + a(i)
  end do
end subroutine
