//! The tasks that nobody has got yet, and who gets which.
//!
//! Tasks come in groups: what a worker prepares for one of them serves the others. So it stays with its group, and then
//! begins another. Once all are begun it helps where most is left, and prepares that a second time.

use std::ops::Range;

pub(crate) struct Queue {
    /// The tasks that are left, group by group.
    groups: Vec<Range<usize>>,
    /// The number of tasks in a group.
    size: usize,
    /// The groups from this one on have not been begun.
    begun: usize,
}

impl Queue {
    /// Creates a queue of `groups` groups of `size` tasks.
    pub(crate) fn new(groups: usize, size: usize) -> Self {
        Self { groups: (0..groups).map(|group| group * size..(group + 1) * size).collect(), size, begun: 0 }
    }

    /// Returns a task for a worker that has done another one last.
    pub(crate) fn next(&mut self, last: Option<usize>) -> Option<usize> {
        let own = last.map(|task| task / self.size).filter(|group| self.has(*group));
        let group = own.or_else(|| self.begin()).or_else(|| self.largest())?;
        self.groups[group].next()
    }

    /// Leaves nothing of the group of a task that comes after it.
    pub(crate) fn end_group(&mut self, task: usize) {
        let group = &mut self.groups[task / self.size];
        group.end = group.end.min(task);
    }

    /// Leaves nothing that comes after a task: after one that has failed.
    pub(crate) fn end(&mut self, task: usize) {
        for group in &mut self.groups {
            group.end = group.end.min(task);
        }
    }

    fn has(&self, group: usize) -> bool {
        !self.groups[group].is_empty()
    }

    fn begin(&mut self) -> Option<usize> {
        let group = (self.begun..self.groups.len()).find(|group| self.has(*group))?;
        self.begun = group + 1;
        Some(group)
    }

    /// Returns the first of those with most tasks.
    fn largest(&self) -> Option<usize> {
        let groups = (0..self.groups.len()).rev().filter(|group| self.has(*group));
        groups.max_by_key(|group| self.groups[*group].len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_stay_with_their_groups_and_then_help() {
        let mut queue = Queue::new(3, 3);
        assert_eq!((queue.next(None), queue.next(None)), (Some(0), Some(3)));
        assert_eq!((queue.next(Some(0)), queue.next(Some(1))), (Some(1), Some(2)));
        // The first group is done: the third one begins.
        assert_eq!((queue.next(Some(2)), queue.next(Some(6)), queue.next(Some(7))), (Some(6), Some(7), Some(8)));
        // All have been begun: the second one has most left.
        assert_eq!((queue.next(Some(8)), queue.next(Some(3)), queue.next(Some(4))), (Some(4), Some(5), None));
    }

    #[test]
    fn a_group_ends_without_the_others() {
        let mut queue = Queue::new(2, 3);
        assert_eq!((queue.next(None), queue.next(None)), (Some(0), Some(3)));
        queue.end_group(0);
        assert_eq!((queue.next(Some(0)), queue.next(Some(3)), queue.next(Some(4))), (Some(4), Some(5), None));
    }

    #[test]
    fn nothing_is_left_after_a_failure() {
        let mut queue = Queue::new(2, 3);
        assert_eq!((queue.next(None), queue.next(None)), (Some(0), Some(3)));
        queue.end(2);
        assert_eq!((queue.next(Some(3)), queue.next(Some(1))), (Some(1), None));
    }
}
