//! Numbers the quantities that are counted in a stretch.

use super::window::Seen;

/// The numbering of quantities: of each level, of each access, array and group of accesses, and one more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quantities {
    pub(super) levels: usize,
    pub(super) accesses: usize,
    pub(super) arrays: usize,
    /// The number of groups of accesses.
    pub(super) groups: usize,
}

impl Quantities {
    pub(super) fn misses(self, level: usize) -> usize {
        level
    }

    pub(super) fn fills(self, level: usize) -> usize {
        self.levels + level
    }

    pub(super) fn write_backs(self, level: usize) -> usize {
        2 * self.levels + level
    }

    pub(super) fn writes_through(self, level: usize) -> usize {
        3 * self.levels + level
    }

    /// Returns the number of the quantity of blocks that go back, or perhaps do.
    pub(super) fn most_write_backs(self, level: usize) -> usize {
        4 * self.levels + level
    }

    pub(super) fn misses_of(self, access: usize, level: usize) -> usize {
        (5 + access) * self.levels + level
    }

    pub(super) fn write_backs_of(self, array: usize, level: usize) -> usize {
        (5 + self.accesses + array) * self.levels + level
    }

    /// Returns the number of the quantity of an array's blocks that go back, or perhaps do.
    pub(super) fn most_write_backs_of(self, array: usize, level: usize) -> usize {
        self.write_backs_of(self.arrays + array, level)
    }

    pub(super) fn misses_of_group(self, group: usize, level: usize) -> usize {
        (5 + self.accesses + 2 * self.arrays + group) * self.levels + level
    }

    /// Returns the number of the quantity of misses that may be hits.
    pub(super) fn undecided(self) -> usize {
        (5 + self.accesses + 2 * self.arrays + self.groups) * self.levels
    }

    pub(super) fn count(self) -> usize {
        self.undecided() + 1
    }

    /// Returns the quantities that are not zero, scaled.
    pub(super) fn of(self, seen: &Seen, groups: &[usize], scale: f64) -> Vec<(usize, f64)> {
        let mut found = Vec::new();
        let mut add = |quantity: usize, count: u64| {
            if count > 0 {
                found.push((quantity, count as f64 * scale));
            }
        };
        let mut misses = vec![0; self.levels];
        let mut by_group = vec![0; self.groups * self.levels];
        for (access, held) in seen.held.chunks(self.levels + 1).enumerate() {
            for (level, misses) in misses.iter_mut().enumerate() {
                let missed = held[level + 1..].iter().sum();
                *misses += missed;
                if let Some(group) = groups.get(access) {
                    by_group[group * self.levels + level] += missed;
                }
                add(self.misses_of(access, level), missed);
            }
        }
        for (group, missed) in by_group.chunks(self.levels).enumerate() {
            missed.iter().enumerate().for_each(|(level, count)| add(self.misses_of_group(group, level), *count));
        }
        for (index, (written, perhaps)) in seen.written.iter().zip(&seen.perhaps).enumerate() {
            let (array, level) = (index / self.levels, index % self.levels);
            add(self.write_backs_of(array, level), *written);
            add(self.most_write_backs_of(array, level), written + perhaps);
        }
        for (level, (traffic, misses)) in seen.traffic.iter().zip(misses).enumerate() {
            add(self.misses(level), misses);
            add(self.fills(level), traffic.fills);
            add(self.write_backs(level), traffic.write_backs);
            add(self.most_write_backs(level), traffic.write_backs + traffic.perhaps_written);
            add(self.writes_through(level), traffic.writes_through);
        }
        add(self.undecided(), seen.undecided);
        found
    }
}
