//! The proposition that a yes to a question affirms.
//!
//! An answer begins with `yes` or `no` only through [`Proposition::word`]: the answerer says there which proposition it
//! decided. A list beside another question stands without such a word.

/// A proposition about a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proposition {
    /// The question asks for no yes.
    Nothing,
    Broken,
    Safe,
    Tested,
    Untested,
    /// There is a change: `are there unpushed commits?`
    Exists,
    /// There is none: `is my working tree clean?`
    Clean,
    /// The change has what is asked for: `did I add a function?`
    Changed,
    /// The change leaves it as it is: `is cart.py committed?`
    Committed,
    /// Something here uses what is changed.
    Used,
    /// The change reaches something of the kind that is asked for.
    Affected,
    /// Tests have to be run.
    Run,
    /// All tests have to be run.
    RunAll,
    /// Tests fail because of the change.
    Fails,
    /// Tests still pass.
    Passes,
    /// Tests have to be changed: `do any tests need an update?`
    Adapted,
    /// Tests have to be written: `does my change need tests?`
    NeedsTests,
    /// No answer about a change decides it.
    Another,
}

impl Proposition {
    /// The beginning of an answer that decided whether `decided` holds, `None` standing for perhaps. It is empty where
    /// the question asks for no yes, or for one about something else.
    pub fn word(self, decided: Self, holds: Option<bool>) -> &'static str {
        let holds = match () {
            () if self == Self::Another => return "not known whether that is so: ",
            () if self == decided => holds,
            () if self.opposite() == Some(decided) => holds.map(|holds| !holds),
            () => return "",
        };
        match holds {
            Some(true) => "yes: ",
            Some(false) => "no: ",
            None => "perhaps: ",
        }
    }

    fn opposite(self) -> Option<Self> {
        Some(match self {
            Self::Broken => Self::Safe,
            Self::Safe => Self::Broken,
            Self::Tested => Self::Untested,
            Self::Untested => Self::Tested,
            Self::Exists => Self::Clean,
            Self::Clean => Self::Exists,
            Self::Changed => Self::Committed,
            Self::Committed => Self::Changed,
            Self::Fails => Self::Passes,
            Self::Passes => Self::Fails,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Proposition as P;

    #[test]
    fn only_the_decided_proposition_gets_a_word() {
        assert_eq!(P::Broken.word(P::Broken, Some(true)), "yes: ");
        assert_eq!(P::Safe.word(P::Broken, Some(true)), "no: ");
        assert_eq!(P::Passes.word(P::Fails, None), "perhaps: ");
        assert_eq!(P::Adapted.word(P::Run, Some(true)), "");
        assert_eq!(P::Nothing.word(P::Broken, Some(true)), "");
        assert_eq!(P::Another.word(P::Run, Some(true)), "not known whether that is so: ");
    }
}
