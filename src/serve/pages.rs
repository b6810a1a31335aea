//! From a route to a page: the answer in its template, with the policy by which the browser runs nothing else.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{
    ServeOptions,
    answers::{PageContent, Picture, ask, changes, definition, home, impact, review, search},
    guard::Refusal,
    router::PageRoute,
};
use crate::{
    error::Failure,
    prompt::PromptError,
    render::page::{Frame, Links, Page, PageLink, sha256},
    tools::{
        Workspace,
        opening::{Configure, Updates},
    },
};

/// An answer in HTML.
pub(super) struct WrittenPage {
    pub(super) status: u16,
    pub(super) body: String,
    /// The content security policy.
    pub(super) policy: String,
}

/// Everything that pages are made of.
pub(super) struct Pages {
    options: ServeOptions,
    configure: Arc<Configure>,
    updates: Updates,
    /// The style and the script of every page but the pictures, and the policy that allows them alone.
    style: String,
    script: String,
    policy: String,
    /// Those of the pictures.
    frame: Frame,
}

impl Pages {
    pub(super) fn new(options: ServeOptions, configure: Arc<Configure>) -> Result<Self, Failure> {
        let source = |name: &str| options.templates.source(name);
        // A place on a picture leads to the page of the definition there.
        let links = Links { pattern: "/definition?name={relative}:{line}".to_owned(), root: String::new() };
        let frame = Frame { style: source("page.css")?, script: source("page.js")?, links };
        let (style, script) = (source("serve.css")?, source("serve.js")?);
        let policy = policy(&sha256(&style), &sha256(&script));
        Ok(Self { options, configure, updates: Updates::default(), style, script, policy, frame })
    }

    /// The page of a route, over the files as they are now.
    pub(super) fn page(&self, route: &PageRoute) -> WrittenPage {
        let written = match self.answered(route) {
            Ok(written) => Ok(written),
            Err(failure) => self.worded(&PageContent::failed(&failure), route, ""),
        };
        written.unwrap_or_else(|error| WrittenPage {
            status: 500,
            body: error.to_string(),
            policy: self.policy.clone(),
        })
    }

    /// The page for a request that is not answered.
    pub(super) fn refused(&self, refusal: Refusal) -> WrittenPage {
        let body = format!("{}\n", refusal.reason);
        WrittenPage { status: refusal.status, body, policy: self.policy.clone() }
    }

    fn answered(&self, route: &PageRoute) -> Result<WrittenPage, Failure> {
        let opened = self.updates.open(&self.options.place, &*self.configure, self.options.patience, &|_| {})?;
        let workspace = opened.workspace();
        let answered = match route {
            PageRoute::Home => home(&workspace)?,
            PageRoute::Search { query, .. } => search(&workspace, query)?,
            PageRoute::Ask { question } => ask(&workspace, question)?,
            PageRoute::Definition { target } => definition(&workspace, target, &self.options.editor)?,
            PageRoute::Impact { target, change } => match impact(&workspace, target, *change, &self.frame)? {
                Picture::Page(page) => return self.picture(*page, route),
                Picture::Words(words) => words,
            },
            PageRoute::Review { is_worktree } => match review(&workspace, *is_worktree, &self.frame)? {
                Picture::Page(page) => return self.picture(*page, route),
                Picture::Words(words) => words,
            },
            PageRoute::Icon => PageContent::refused(Refusal { status: 404, reason: "there is no picture" }),
        };
        let standing = self.standing(route, &workspace);
        self.worded(&answered, route, &standing).map_err(wrong_template)
    }

    fn standing(&self, route: &PageRoute, workspace: &Workspace) -> String {
        match route {
            PageRoute::Search { is_part: true, .. } => String::new(),
            _ => workspace.standing(),
        }
    }

    fn worded(&self, answered: &PageContent, route: &PageRoute, standing: &str) -> Result<WrittenPage, PromptError> {
        let mut values = match &answered.values {
            Value::Object(values) => values.clone(),
            _ => Map::new(),
        };
        let is_part = matches!(route, PageRoute::Search { is_part: true, .. }) && answered.status == 200;
        values.insert("title".to_owned(), json!(answered.title));
        values.insert("standing".to_owned(), json!(standing));
        values.insert("style".to_owned(), json!(self.style));
        values.insert("script".to_owned(), json!(self.script));
        values.insert("bar".to_owned(), json!(bar(route)));
        values.insert("changes".to_owned(), json!(changes()));
        // Every page has the box for a search.
        values.entry("query").or_insert_with(|| json!(""));
        let template = if is_part { "serve-hits.html.j2" } else { answered.template };
        let body = self.options.templates.render(template, &values)?;
        Ok(WrittenPage { status: answered.status, body, policy: self.policy.clone() })
    }

    fn picture(&self, page: Page, route: &PageRoute) -> Result<WrittenPage, Failure> {
        let policy = policy(&page.style_digest, &page.script_digest);
        let page = Page { bar: bar(route), ..page };
        let body = self.options.templates.render("page.html.j2", &page).map_err(wrong_template)?;
        Ok(WrittenPage { status: 200, body, policy })
    }
}

/// A template of the user's own can be wrong; the address is not.
#[expect(clippy::needless_pass_by_value, reason = "`map_err` hands it over")]
fn wrong_template(error: PromptError) -> Failure {
    Failure::unusable(error.to_string(), "repoidx templates")
}

/// Only this style and this script, by their digests; requests and forms to this server alone.
fn policy(style: &str, script: &str) -> String {
    format!(
        "default-src 'none'; style-src '{style}'; script-src '{script}'; connect-src 'self'; form-action 'self'; \
         base-uri 'none'; frame-ancestors 'none'"
    )
}

/// The links above each page.
fn bar(route: &PageRoute) -> Vec<PageLink> {
    let link = |words: &str, address: &str, is_here: bool| PageLink {
        words: words.to_owned(),
        address: address.to_owned(),
        is_here,
    };
    let mut links = vec![
        link("repoidx", "/", *route == PageRoute::Home),
        link("Ask", "/ask", matches!(route, PageRoute::Ask { .. })),
        link("Search", "/search", matches!(route, PageRoute::Search { .. })),
        link("Not pushed", "/review", *route == PageRoute::Review { is_worktree: false }),
        link("Not committed", "/review?of=worktree", *route == PageRoute::Review { is_worktree: true }),
    ];
    if let PageRoute::Impact { target, change } = route {
        let name = percent_encoding::utf8_percent_encode(target, percent_encoding::NON_ALPHANUMERIC).to_string();
        links.push(link("Definition", &format!("/definition?name={name}"), false));
        for other in changes() {
            let address = format!("/impact?name={name}&change={}", other.word);
            links.push(link(&format!("… {}", other.gloss), &address, other.word == change.as_str()));
        }
    }
    links
}
