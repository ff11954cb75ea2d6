//! `symloc.toml` and its errors.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests stop at the first surprise")]

mod config;
