//! A progress bar on standard error, for work that takes longer than a person notices.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::index::Progress;

/// Shorter work needs no bar: it ends before anybody looks.
const UNNOTICED: Duration = Duration::from_millis(300);

/// A bar that appears late.
pub(crate) struct Bar {
    drawn: ProgressBar,
    start: Instant,
    /// It may still appear.
    is_waiting: AtomicBool,
}

impl Bar {
    /// A bar; one that never appears unless `can_draw`.
    pub(crate) fn new(can_draw: bool) -> Self {
        let style = ProgressStyle::with_template("{msg:>12} [{bar:40}] {human_pos}/{human_len}");
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_style(style.expect("the template names what indicatif has").progress_chars("=> "));
        Self { drawn: bar, start: Instant::now(), is_waiting: AtomicBool::new(can_draw) }
    }

    fn appear(&self) {
        let is_late = self.is_waiting.load(Ordering::Relaxed) && self.start.elapsed() > UNNOTICED;
        if is_late && self.is_waiting.swap(false, Ordering::Relaxed) {
            self.drawn.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
        }
    }
}

impl Progress for Bar {
    fn stage(&self, name: &str, total: u64) {
        self.drawn.set_message(name.to_owned());
        self.drawn.set_length(total);
        self.drawn.set_position(0);
        self.appear();
    }

    fn advance(&self, by: u64) {
        self.drawn.inc(by);
        self.appear();
    }

    fn done(&self) {
        self.drawn.finish_and_clear();
    }
}
