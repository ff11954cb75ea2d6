//! A comparison of two traces: the program as read and interpreted, and the compiled program.
//!
//! They agree if each access is of the same kind and to the same array, and if any two accesses are to the same block
//! in one trace exactly if they are in the other. Then they have the same histograms of reuse intervals and distances,
//! and the same misses in every cache.

use std::collections::HashMap;

use symloc_affine::{AccessId, AccessKind, Program};
use symloc_sim::{SimError, Trace};

use super::records::{ProgramEnd, Records, TracedAccess};

/// The accesses and blocks in which both traces agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Agreement {
    pub reads: u64,
    pub writes: u64,
    pub blocks: u64,
}

/// The texts of the first difference: a heading, the access as read by symloc, and that of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    pub what: String,
    pub symloc: String,
    pub compiled: String,
}

/// The names of sites and addresses of the compiled program.
pub(super) trait SiteNames {
    /// Returns the place of an access in the source.
    fn place(&self, site: usize) -> String;
    /// Returns an address as text, relative to the array that contains it or is next to it.
    fn address(&self, memories: &[u64], address: u64) -> String;
    /// Returns the name of the array that contains an address or is next to it, if it has one.
    fn array(&self, memories: &[u64], address: u64) -> Option<&str>;
    /// Returns true if the program has memory with this name.
    fn is_array(&self, name: &str) -> bool;
}

/// Compares the traces in blocks of `bytes` bytes; with 1, each address is a block.
pub(super) fn compare(
    trace: &Trace<'_>,
    records: &mut Records,
    bytes: u64,
    names: &dyn SiteNames,
) -> Result<Result<Agreement, Difference>, SimError> {
    let program = trace.program();
    let mut sides = Sides {
        program,
        names,
        bytes,
        seen: HashMap::new(),
        blocks: Vec::new(),
        agreed: Agreement::default(),
        difference: None,
    };
    trace.for_each(|id, block| {
        if sides.difference.is_none() {
            let element = program.array(program.access(id).array).element_bytes;
            let access = records.next(element);
            sides.difference = sides.step(id, block.index(), access, records);
        }
    })?;
    if let Some(difference) = sides.difference {
        return Ok(Err(difference));
    }
    if let Some(more) = records.next(1) {
        let compiled = format!("goes on with {}", sides.told(more, records));
        let total = sides.agreed.reads + sides.agreed.writes;
        let symloc = format!("there are {total} accesses");
        return Ok(Err(Difference { what: "number of accesses".to_owned(), symloc, compiled }));
    }
    Ok(Ok(Agreement { blocks: sides.blocks.len() as u64, ..sides.agreed }))
}

struct Sides<'s> {
    program: &'s Program,
    names: &'s dyn SiteNames,
    bytes: u64,
    /// The number of each of the program's blocks in the interpreted trace.
    seen: HashMap<u64, usize>,
    /// For each number, the program's block and the time of its latest access.
    blocks: Vec<(u64, u64)>,
    agreed: Agreement,
    difference: Option<Difference>,
}

impl Sides<'_> {
    fn step(
        &mut self,
        id: AccessId,
        block: usize,
        access: Option<TracedAccess>,
        records: &mut Records,
    ) -> Option<Difference> {
        let time = self.agreed.reads + self.agreed.writes;
        let Some(access) = access else {
            let symloc = format!("goes on with {}", self.said(id));
            let compiled = format!("{} after {time} accesses", ending(records.end()));
            return Some(Difference { what: "number of accesses".to_owned(), symloc, compiled });
        };
        let is_write = self.program.access(id).kind == AccessKind::Write;
        if is_write != access.is_write {
            let (symloc, compiled) = (self.said(id), self.told(access, records));
            return Some(Difference { what: format!("kind of access {}", time + 1), symloc, compiled });
        }
        let address = access.address / self.bytes;
        let (expected, known) = (self.blocks.get(block).map(|(address, _)| *address), self.seen.get(&address));
        if expected.is_some_and(|expected| expected != address) || (expected.is_none() && known.is_some()) {
            let since = |number: Option<usize>| match number.and_then(|number| self.blocks.get(number)) {
                Some((_, latest)) => format!("last accessed {} accesses before", time - latest),
                None => "accessed for the first time".to_owned(),
            };
            let what = if self.bytes == 1 { "element".to_owned() } else { format!("line of {} bytes", self.bytes) };
            let symloc = format!("{}: its {what} is {}", self.said(id), since(Some(block)));
            let compiled = format!("{}: its {what} is {}", self.told(access, records), since(known.copied()));
            return Some(Difference { what: format!("reuse of access {}", time + 1), symloc, compiled });
        }
        if expected.is_none() {
            if self.is_elsewhere(id, access, records) {
                let (symloc, compiled) = (self.said(id), self.told(access, records));
                return Some(Difference { what: format!("array of access {}", time + 1), symloc, compiled });
            }
            self.seen.insert(address, block);
            self.blocks.push((address, time));
        }
        self.blocks[block].1 = time;
        if is_write {
            self.agreed.writes += 1
        } else {
            self.agreed.reads += 1
        }
        None
    }

    /// Returns true if the program accesses another array than the one read. Only arrays with the same names on both
    /// sides are compared.
    fn is_elsewhere(&self, id: AccessId, access: TracedAccess, records: &Records) -> bool {
        let read = self.program.array(self.program.access(id).array).name.as_str();
        let found = self.names.array(&records.memories, access.address);
        let is_read = |name: &str| self.program.arrays.iter().any(|array| array.name == name);
        found.is_some_and(|found| found != read && is_read(found)) && self.names.is_array(read)
    }

    /// Describes an access as symloc has read it.
    fn said(&self, id: AccessId) -> String {
        let access = self.program.access(id);
        let kind = if access.kind == AccessKind::Write { "write to" } else { "read of" };
        let subscripts = access.subscripts.iter().map(|subscript| format!("[{}]", self.program.show(subscript)));
        let subscripts: String = subscripts.collect();
        format!("{kind} `{}{subscripts}` at {}", self.program.array(access.array).name, access.location)
    }

    /// Describes an access that the program reported.
    fn told(&self, access: TracedAccess, records: &Records) -> String {
        let kind = if access.is_write { "write to" } else { "read of" };
        let address = self.names.address(&records.memories, access.address);
        format!("{kind} {address} at {}", self.names.place(access.site))
    }
}

/// Describes the end of the program, which made no further access.
fn ending(end: ProgramEnd) -> &'static str {
    match end {
        ProgramEnd::Returned => "returns",
        ProgramEnd::TooLong => "reaches the limit",
        ProgramEnd::NoMemory => "gets no memory",
        ProgramEnd::Outside => "accesses memory far from all arrays",
        ProgramEnd::Trapped => "is stopped by an error of arithmetic",
        ProgramEnd::Stopped => "calls a function that does not return",
        ProgramEnd::Killed(_) => "is killed",
        ProgramEnd::Failed => "fails",
    }
}
