//! The window of `quadrille run --view`: an iteration as it goes, with a few keys.

mod controls;
mod live;
mod window;

pub(super) use live::{Live, Viewed};

/// What `--help` says of the keys.
pub(super) const KEYS: &str = "\
Keys of --view:
  space       pause, go on        s, right    one step
  up, down    twice, half as many steps a frame
  c           the next colours    a           hold the range, or follow it again
  o           the next output     r           restart        q, escape   end";
