//! Tables: sequences with many rows that are containers too, such as the cases of a test.

use super::Lowerer;
use crate::facts::bodies::{ExprId, ExprKind};

/// Most rows that stay containers of their own. Points-to sets drop the contents of more containers than they hold
/// (`MAX_OF_A_KIND` of `resolve::values`).
const MOST_ROWS: usize = 6;

impl Lowerer<'_> {
    /// Gives many rows one container in common, so that a loop over them keeps what stands in each column:
    /// `for value, text in [(A(), "a"), (B(), "b"), …]`.
    pub(super) fn share_rows(&mut self, items: &[ExprId]) {
        for is_dict in [false, true] {
            let rows = items.iter().copied().filter(|&item| match self.bodies.kind(item) {
                Some(ExprKind::Sequence { .. }) => !is_dict,
                Some(ExprKind::Dict { .. }) => is_dict,
                _ => false,
            });
            let rows: Vec<ExprId> = rows.collect();
            if rows.len() <= MOST_ROWS {
                continue;
            }
            let shared = self.site();
            for row in rows {
                if let ExprKind::Sequence { site, .. } | ExprKind::Dict { site, .. } =
                    &mut self.bodies.expressions[row as usize].kind
                {
                    *site = shared;
                }
            }
        }
    }
}
