//! The bases and metaclasses of classes, as `show` and `tree` tell them.

use serde_json::{Value, json};

use crate::harness::TestRepo;

/// A metaclass is no base, and neither is a function or a variable.
#[test]
fn only_classes_are_bases() {
    let repo = TestRepo::new()
        .file("pkg.py", "import abc\n\n\nclass Meta(type): ...\n\n\nclass Base: ...\n")
        .file(
            "m3.py",
            "import abc\nimport pkg as q\nfrom lib import make\n\n\ndef mk(b):\n    return b\n\n\nclass G3(q.Base, metaclass=q.Meta): ...\n\n\n\
             class G4(mk(q.Base)): ...\n\n\nX = q.Base\n\n\nclass G5(X): ...\n\n\nclass G6(make(q.Base), metaclass=abc.ABCMeta): ...\n\n\n\
             class G7(G3, G5): ...\n",
        )
        .commit("first");
    let shown = |class: &str| -> Value {
        serde_json::from_str(&repo.run(["show", class, "--format", "json"]).code(0).stdout).expect("a report")
    };
    let base = json!({"name": "pkg.Base", "path": "pkg.py", "line": 7});
    let meta = json!({"name": "pkg.Meta", "path": "pkg.py", "line": 4});
    let report = shown("m3.G3");
    assert_eq!((&report["bases"], &report["metaclass"]), (&json!([base]), &meta));
    let mut guess = base.clone();
    guess["call"] = "mk()".into();
    assert_eq!(shown("m3.G4")["bases"], json!([guess]));
    assert_eq!(shown("m3.G5")["bases"], json!([base]));
    let text = |class: &str| repo.run(["show", class]).code(0).stdout;
    assert!(text("m3.G3").contains("bases     pkg.Base\nmetaclass pkg.Meta\n"), "{}", text("m3.G3"));
    assert!(text("m3.G4").contains("bases     pkg.Base (a guess: given by mk())\n"), "{}", text("m3.G4"));
    let opaque = text("m3.G6");
    assert!(opaque.contains("bases     lib.make() (not resolved)\nmetaclass abc.ABCMeta\n"), "{opaque}");
    let above: Value = serde_json::from_str(&repo.run(["tree", "m3.G7", "--up", "--format", "json"]).code(0).stdout)
        .expect("a report");
    assert_eq!(above["all"], 3, "{above}");
    let edges = repo.run(["export", "edges"]).code(0).stdout;
    let inherits: Vec<&str> = edges.lines().filter(|line| line.contains("\"inherits\"")).collect();
    assert!(inherits.iter().all(|line| !line.contains("m3.mk") && !line.contains("m3.X")), "{inherits:?}");
    assert!(repo.run(["tree", "pkg.Base"]).code(0).stdout.contains("m3.G4"));
}

/// Classes of the standard library stand in the order too; what is above a base of another library is not known.
#[test]
fn the_resolution_order_goes_on_into_the_library() {
    let repo = TestRepo::new()
        .file(
            "pkg.py",
            "import json\nfrom other import Thing\n\n\nclass Base(Exception): ...\n\n\nclass Left(Base): ...\n\n\n\
             class Right(Base, OSError): ...\n\n\nclass Both(Left, Right): ...\n\n\n\
             class JSONDecodeError(Base, json.JSONDecodeError): ...\n\n\nclass Open(Thing): ...\n",
        )
        .commit("first");
    let said = |question: &str| repo.run(["ask", question]).code(0).stdout.replace('\n', " ");
    let order = |class: &str| said(&format!("what is the method resolution order of {class}?"));
    let both = "is `Both`, `Left`, `Right`, `Base`, `OSError`, `Exception`, `BaseException`, `object`";
    assert!(order("Both").contains(both), "{}", order("Both"));
    let same =
        "`JSONDecodeError`, `Base`, `json.JSONDecodeError`, `ValueError`, `Exception`, `BaseException`, `object`";
    assert!(order("JSONDecodeError").contains(same), "{}", order("JSONDecodeError"));
    let open = said("mro of Open");
    assert!(open.contains("is `Open`, `Thing`; what stands above `other.Thing` is not known"), "{open}");
}
