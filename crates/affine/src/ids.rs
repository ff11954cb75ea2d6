//! The indices into the tables of a program.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// Returns the position in the program's table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A parameter: an input size.
    ParamId
);
id!(
    /// A loop iterator; each loop has its own.
    IterId
);
id!(
    /// An array.
    ArrayId
);
id!(
    /// A static access: one load or store in the text of the program. Ascending in the order of the text.
    AccessId
);
id!(
    /// Something whose executions are counted; see [`Mark`](crate::Mark).
    MarkId
);
