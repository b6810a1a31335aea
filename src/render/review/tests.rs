//! Reviews of hostile and of huge changes.

use super::{github, markdown, sarif, text};
use crate::{
    model::{EntityKind, Evidence, RelationshipKind},
    query::impact::{Via, completeness::Completeness, verdict::Verdict},
    render::{
        screen::Screen,
        sheet::{Budget, Closing},
    },
    review::{ChangedEntity, Edit, Finding, RankedTest, ReviewReport, VerdictCounts},
};

/// A path and a name that would draw on a terminal or end a table.
const HOSTILE: &str = "a\x1b[2J|`b`\n::error::.py";

fn report(findings: usize) -> ReviewReport {
    let finding = |number: usize| Finding {
        verdict: Verdict::Breaks,
        reason: format!("passes no `x|y`, <img> which @you {HOSTILE} requires"),
        entity: format!("pkg.{HOSTILE}"),
        name: format!("pkg.mod.use_{number}"),
        kind: EntityKind::Function,
        path: HOSTILE.to_owned(),
        line: u32::try_from(number).expect("few findings") + 1,
        column: 0,
        evidence: Evidence::Exact,
        probability: 0.98,
        is_test: false,
        via: vec![Via {
            name: "pkg.f".into(),
            path: HOSTILE.into(),
            line: 1,
            column: 0,
            target: crate::model::EntityId(1),
            kind: RelationshipKind::Calls,
            evidence: Evidence::Exact,
            basis: "bound by an import",
        }],
        source: crate::model::EntityId(1),
        is_missing: false,
    };
    let edit = Edit::ParameterAdded { name: HOSTILE.to_owned(), is_required: true };
    ReviewReport {
        schema: "repoidx.review",
        schema_version: 1,
        base: HOSTILE.to_owned(),
        base_commit: String::new(),
        head: "HEAD".to_owned(),
        head_commit: None,
        files: 1,
        files_only_formatted: 0,
        counts: VerdictCounts { breaks: findings, ..VerdictCounts::default() },
        completeness: Completeness::Exact,
        boundaries: Vec::new(),
        changed: vec![
            ChangedEntity {
                name: format!("pkg.{HOSTILE}"),
                kind: EntityKind::Function,
                path: HOSTILE.to_owned(),
                line: 1,
                edits: vec![edit],
                is_test: false,
            };
            findings
        ],
        findings: (0..findings).map(finding).collect(),
        expected: Vec::new(),
        unmet: Vec::new(),
        known: 0,
        impacted: 0,
        tests: (0..findings)
            .map(|number| RankedTest { id: format!("tests/t.py::test_{number}"), probability: 1.0, distance: 0 })
            .collect(),
        untraced_tests: Vec::new(),
        untested: vec![format!("pkg.{HOSTILE}"); findings],
        chains: None,
    }
}

fn written(write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).expect("writing to memory");
    String::from_utf8(out).expect("text")
}

#[test]
fn nothing_of_a_repository_steers_the_reader() {
    let report = report(2);
    let sarif = serde_json::to_string(&sarif::log(&report)).expect("plain data");
    let texts = [
        written(|out| {
            text(
                out,
                &report,
                Closing { command: "repoidx review".to_owned(), ..Closing::default() },
                &Screen::default(),
            )
        }),
        written(|out| super::screenful(out, &report, "repoidx review", 20)),
        written(|out| markdown::comment(out, &report)),
        written(|out| github::annotations(out, &report)),
        sarif,
    ];
    for text in &texts {
        assert!(!text.contains('\x1b'), "{text}");
    }
    let commands = texts[3].lines().filter(|line| !line.starts_with("::error file=") && !line.starts_with("::notice "));
    assert_eq!(commands.count(), 0, "{}", texts[3]);
    assert!(texts[2].contains("\\<img\\>") && texts[2].contains("\\@you"), "{}", texts[2]);
}

#[test]
fn places_of_one_reason_share_it_where_the_room_is_small() {
    let mut report = report(30);
    for (at, finding) in report.findings.iter_mut().enumerate() {
        finding.path = format!("src/file_{}.py", at % 2);
        finding.reason = "uses `f`, which is gone".to_owned();
    }
    report.findings[29].reason = "passes no `x`, which `f` requires now".to_owned();
    report.findings.sort_by_key(|finding| (finding.path.clone(), finding.line));
    let screen = Screen { budget: Budget::Tokens(150), ..Screen::default() };
    let text = written(|out| text(out, &report, Closing::default(), &screen));
    let section: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("breaks")).take(8).collect();
    assert_eq!(
        section,
        [
            "breaks (30)",
            "  src/file_0.py:1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23",
            "  src/file_0.py:25, 27, 29",
            "  src/file_1.py:2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24",
            "  src/file_1.py:26, 28",
            "      uses `f`, which is gone  98%",
            "  src/file_1.py:30  mod.use_29  passes no `x`, which `f` requires now  98%",
            "",
        ],
        "{text}"
    );
}

#[test]
fn a_comment_is_never_longer_than_code_hosts_take() {
    let text = written(|out| markdown::comment(out, &report(5000)));
    assert!(text.chars().count() <= 65_536, "{}", text.chars().count());
    assert!(text.starts_with("<!-- repoidx:review -->\n") && text.contains("more are left out here"));
    assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
}

#[test]
fn a_push_prints_a_screenful() {
    let text = written(|out| super::screenful(out, &report(5000), "repoidx review", 20));
    assert_eq!(text.lines().count(), 20);
    assert_eq!(written(|out| super::screenful(out, &report(0), "repoidx review", 20)), "");
}
