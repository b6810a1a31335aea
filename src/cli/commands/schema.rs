//! `repoidx schema`.

use clap::Args;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Value, json};

use crate::{
    ask::{answer::Answer, reading::plan::QuestionPlan},
    cli::{
        commands::ask::{reply::ReplyDocument, several::JointDocument},
        standing::Placed,
    },
    error::Failure,
    query::{
        context::ContextReport,
        impact::ImpactReport,
        map::MapReport,
        navigate::{
            imports::ImportsReport, refs::RefsReport, sections::SectionReport, show::ShowReport, tree::TreeReport,
        },
        search::{FilesReport, SearchReport},
        target::filter::FilterReport,
    },
    render::{
        impact::compact::CompactImpact,
        lists::{
            CandidateLine, DocumentLine, EdgeLine, EntityLine, LangChainLine, LeafLine, LlamaIndexLine, SectionLine,
        },
        status::{StatusReport, doctor::DoctorReport},
        to_stdout,
    },
    review::ReviewReport,
};

/// Print the JSON schema of an answer
///
/// The schema is made from the type that writes the answer, in the draft 2020-12 of JSON Schema. Without a name, the
/// answers are listed.
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// A command, or the name of an answer in the list
    answer: Option<String>,
}

/// An answer with a schema.
struct JsonAnswer {
    name: &'static str,
    /// The command that writes it.
    command: &'static str,
    /// Each line of the output is one, and names no schema.
    is_line: bool,
    schema: fn() -> Value,
}

/// Answers in the order of `--help`; of a command with several, the usual one first.
const ANSWERS: [JsonAnswer; 26] = [
    document("status", "repoidx status --format json", of::<StatusReport>),
    document("impact", "repoidx impact TARGET --format json", of::<Placed<'static, ImpactReport>>),
    document("impact_compact", "repoidx impact TARGET --format json --compact", of::<Placed<'static, CompactImpact>>),
    document("review", "repoidx review --format json", of::<ReviewReport>),
    document("refs", "repoidx refs TARGET --format json", of::<Placed<'static, RefsReport>>),
    document("show", "repoidx show TARGET --format json", of::<Placed<'static, ShowReport>>),
    document("section", "repoidx show docs/guide.md:9 --format json", of::<Placed<'static, SectionReport>>),
    document("tree", "repoidx tree TARGET --format json", of::<Placed<'static, TreeReport>>),
    document("answer", "repoidx ask QUESTION --format json", of::<Placed<'static, ReplyDocument<'static, Answer>>>),
    document("answers", "repoidx --repo A --repo B ask QUESTION --format json", of::<JointDocument<'static>>),
    document("plan", "repoidx ask QUESTION --plan --format json", of::<QuestionPlan>),
    document("search", "repoidx search QUERY --format json", of::<Placed<'static, SearchReport>>),
    document("files", "repoidx search --files TEXT --format json", of::<Placed<'static, FilesReport>>),
    document("definitions", "repoidx search --kind KIND --format json", of::<Placed<'static, FilterReport>>),
    document("imports", "repoidx search QUERY --kind import --format json", of::<Placed<'static, ImportsReport>>),
    document("map", "repoidx map --format json", of::<Placed<'static, MapReport>>),
    document("context", "repoidx context --at PLACE --format json", of::<Placed<'static, ContextReport>>),
    line("entities", "repoidx export entities", of::<EntityLine<'static>>),
    line("edges", "repoidx export edges", of::<EdgeLine<'static>>),
    line("candidates", "repoidx export candidates", of::<CandidateLine<'static>>),
    line("lines", "repoidx export lines", of::<LeafLine<'static>>),
    line("sections", "repoidx export sections", of::<SectionLine<'static>>),
    line("jsonl", "repoidx export jsonl", of::<DocumentLine<'static>>),
    line("langchain", "repoidx export jsonl --format langchain", of::<LangChainLine<'static>>),
    line("llamaindex", "repoidx export jsonl --format llamaindex", of::<LlamaIndexLine<'static>>),
    document("doctor", "repoidx doctor --format json", of::<DoctorReport>),
];

const fn document(name: &'static str, command: &'static str, schema: fn() -> Value) -> JsonAnswer {
    JsonAnswer { name, command, is_line: false, schema }
}

const fn line(name: &'static str, command: &'static str, schema: fn() -> Value) -> JsonAnswer {
    JsonAnswer { name, command, is_line: true, schema }
}

pub(crate) fn run(args: &SchemaArgs) -> Result<(), Failure> {
    let Some(name) = &args.answer else {
        return Ok(to_stdout(|out| {
            for JsonAnswer { name, command, .. } in &ANSWERS {
                writeln!(out, "{name:14}  {command}")?;
            }
            Ok::<(), std::io::Error>(())
        })?);
    };
    let wanted = match name.strip_prefix("repoidx.").unwrap_or(name) {
        "ask" => "answer",
        "export" => "edges",
        wanted => wanted,
    };
    let Some(answer) = ANSWERS.iter().find(|answer| answer.name == wanted) else {
        let name = crate::render::escape::visible(name);
        return Err(Failure::usage(format!("`{name}` has no answer with a schema"), "`repoidx schema` lists them"));
    };
    let schema = answer.described();
    Ok(to_stdout(|out| {
        serde_json::to_writer_pretty(&mut *out, &schema)?;
        writeln!(out)
    })?)
}

impl JsonAnswer {
    /// The schema, with the name that the document itself says.
    fn described(&self) -> Value {
        let mut schema = (self.schema)();
        schema["title"] = json!(format!("repoidx.{}", self.name));
        schema["description"] = json!(format!("`{}`", self.command));
        if !self.is_line {
            schema["properties"]["schema"] = json!({"const": format!("repoidx.{}", self.name)});
        }
        schema
    }
}

/// The schema of a type as it is written.
fn of<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>().to_value()
}
