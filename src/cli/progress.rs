//! A progress bar on standard error, for work that takes longer than a person notices.

use std::{
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::index::Progress;

/// Shorter work needs no bar: it ends before anybody looks.
const UNNOTICED: Duration = Duration::from_millis(300);

/// The stages of a build with their usual shares of its time, measured on sphinx and sympy.
const STAGES: [(&str, f64); 3] = [("reading", 0.55), ("resolving", 0.40), ("writing", 0.05)];

/// A smaller part of the work says too little about the rest.
const LEAST_PART: f64 = 0.03;

/// A bar that appears late.
pub(crate) struct Bar {
    drawn: ProgressBar,
    start: Instant,
    /// It may still appear.
    is_waiting: AtomicBool,
    work: Arc<Mutex<Workload>>,
}

/// The share of the present stage in the whole work.
#[derive(Clone, Copy, Debug)]
struct Workload {
    start: Instant,
    /// The part of the work before this stage, and in it; from 0 to 1.
    before: f64,
    share: f64,
}

impl Bar {
    /// A bar; one that never appears unless `can_draw`.
    pub(crate) fn new(can_draw: bool) -> Self {
        let start = Instant::now();
        let work = Arc::new(Mutex::new(Workload { start, before: 0.0, share: 1.0 }));
        let seen = Arc::clone(&work);
        let left = move |state: &ProgressState, out: &mut dyn fmt::Write| {
            let work = *seen.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(seconds) = work.seconds_left(state.fraction(), Instant::now()) {
                // A terminal that is gone is no reason to fail.
                write!(out, "{seconds} s left").ok();
            }
        };
        let style = ProgressStyle::with_template("{msg:>12} [{bar:30}] {human_pos} of {human_len} {prefix}  {left}");
        let style = style.expect("the template names keys that exist").progress_chars("=> ").with_key("left", left);
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_style(style);
        Self { drawn: bar, start, is_waiting: AtomicBool::new(can_draw), work }
    }

    fn appear(&self) {
        let is_late = self.is_waiting.load(Ordering::Relaxed) && self.start.elapsed() > UNNOTICED;
        if is_late && self.is_waiting.swap(false, Ordering::Relaxed) {
            self.drawn.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
            // A stage without steps is seen too.
            self.drawn.tick();
        }
    }
}

impl Progress for Bar {
    fn stage(&self, name: &str, total: u64) {
        let place = STAGES.iter().position(|(stage, _)| *stage == name);
        *self.work.lock().unwrap_or_else(PoisonError::into_inner) = match place {
            Some(place) => Workload {
                start: self.start,
                before: STAGES[..place].iter().map(|(_, share)| share).sum(),
                share: STAGES[place].1,
            },
            None => Workload { start: Instant::now(), before: 0.0, share: 1.0 },
        };
        // The end of an earlier stage has hidden the bar.
        self.drawn.reset();
        self.drawn.set_prefix(if place.is_some() { "files" } else { "texts" });
        self.drawn.set_message(name.to_owned());
        self.drawn.set_length(total);
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

impl Workload {
    /// The rest of the work in seconds, if `fraction` of this stage is done; `None` where it is too early to tell.
    fn seconds_left(self, fraction: f32, now: Instant) -> Option<u64> {
        let done = self.before + self.share * f64::from(fraction.clamp(0.0, 1.0));
        let left = now.duration_since(self.start).as_secs_f64() * (1.0 - done) / done;
        let left = Duration::try_from_secs_f64(left.ceil().max(1.0)).ok()?;
        (done >= LEAST_PART).then_some(left.as_secs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_follows_from_the_part_that_is_done() {
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let alone = Workload { start, before: 0.0, share: 1.0 };
        assert_eq!(alone.seconds_left(0.0, after(5)), None, "too early");
        assert_eq!(alone.seconds_left(0.25, after(5)), Some(15));
        assert_eq!(alone.seconds_left(1.0, after(5)), Some(1), "the last moment is not the end");
        let second = Workload { start, before: 0.5, share: 0.25 };
        assert_eq!(second.seconds_left(0.0, after(10)), Some(10));
        assert_eq!(second.seconds_left(1.0, after(15)), Some(5));
        assert_eq!(second.seconds_left(f32::NAN, after(15)), None);
        assert!((STAGES.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-9);
    }
}
