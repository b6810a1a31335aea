//! Small twins of real repositories, and questions asked in them.
//!
//! Names and relationships are those of the real ones, bodies are not.

use serde_json::Value;

use crate::harness::{Run, TestRepo};

/// A retrieval program: nodes are made, related and postprocessed; two files have an `update_nodes_store`.
pub(crate) fn agent() -> TestRepo {
    TestRepo::new()
        .file(
            "app/main.py",
            "from app.nodes.create_nodes import _create_file_node, _create_node_relationships_file\n\
             from app.nodes.node_postprocessor import NodePostProccesor\n\n\n\
             def update_nodes_store(db):\n    _create_file_node(db, 'file')\n    _create_node_relationships_file(db)\n\n\n\
             def upload_file_zip(db):\n    _create_file_node(db, 'zip')\n    _create_node_relationships_file(db, True)\n\n\n\
             def query_vector_database(text, db):\n    post = NodePostProccesor(text, db)\n\
             \x20   scored = post.return_nodes_with_score_after_apply_threshold_filter()\n\
             \x20   parents = post._check_common_parent_nodes()\n\
             \x20   related = post._check_relationships_of_retrieved_nodes(scored, 2)\n    return parents, related\n\n\n\
             def query_chatgpt(text, db):\n    return query_vector_database(text, db)\n",
        )
        .file("app/__init__.py", "")
        .file("app/nodes/__init__.py", "")
        .file(
            "app/nodes/create_nodes.py",
            "import os\n\n\n\
             def _create_file_node(db, name):\n    if name == 'zip':\n        return _create_nodes_of_file(db, name, 1)\n\
             \x20   return _create_nodes_of_file(db, name, 2)\n\n\n\
             def _create_nodes_of_file(db, name, level):\n    db.add(name, level)\n    return level\n\n\n\
             def _create_node_relationships_file(db, delete_all_first=False):\n    name_file = os.environ['NAMES_FILE']\n\
             \x20   if os.path.exists(name_file):\n        os.remove(name_file)\n    return db.query(delete_all_first)\n",
        )
        .file(
            "app/nodes/node_postprocessor.py",
            "class NodePostProccesor:\n    \"\"\"Filters what was retrieved.\"\"\"\n\n    def __init__(self, nodes, db):\n\
             \x20       self._nodes = nodes\n        self._db = db\n\n\
             \x20   def return_nodes_after_apply_threshold_filter(self):\n        return self._nodes\n\n\
             \x20   def return_nodes_with_score_after_apply_threshold_filter(self):\n        return self._nodes\n\n\
             \x20   def _check_common_parent_nodes(self):\n        return [node for node in self._nodes]\n\n\
             \x20   def _check_relationships_of_retrieved_nodes(self, nodes, depth):\n        found = []\n\
             \x20       for node in nodes:\n            found.extend(self.__retrieve_relationship_nodes(node, depth - 1))\n\
             \x20       return found\n\n\
             \x20   def __retrieve_relationship_nodes(self, node, depth):\n        if depth == 0:\n            return []\n\
             \x20       return self.__retrieve_relationship_nodes(node, depth=depth - 1)\n",
        )
        .file("streamlit_app.py", "def update_nodes_store():\n    return 'the other one'\n")
        .commit("first")
}

/// A library of chains, retrievers, embeddings and utilities, with two kinds of tests.
pub(crate) fn chains() -> TestRepo {
    let embeddings = |class: &str, doc: &str| {
        format!(
            "from lib.embeddings.base import Embeddings\n\n\nclass {class}(Embeddings):\n\
             \x20   def embed_documents(self, texts):\n        \"\"\"{doc}\"\"\"\n        return [len(text) for text in texts]\n\n\
             \x20   def embed_query(self, text):\n        return len(text)\n"
        )
    };
    let agent = |class: &str| {
        format!(
            "class {class}:\n    @classmethod\n    def from_llm_and_tools(cls, llm, tools):\n        return cls()\n"
        )
    };
    TestRepo::new()
        .file("lib/__init__.py", "")
        .file("lib/embeddings/__init__.py", "")
        .file(
            "lib/embeddings/base.py",
            "from abc import ABC, abstractmethod\n\n\nclass Embeddings(ABC):\n    @abstractmethod\n\
             \x20   def embed_documents(self, texts):\n        \"\"\"Embed search docs.\"\"\"\n",
        )
        .file("lib/embeddings/aleph.py", {
            embeddings("AlephAsymmetricEmbedding", "Call out to the asymmetric Document endpoint.")
                + "\n\nclass AlephSymmetricEmbedding(AlephAsymmetricEmbedding):\n    def embed_documents(self, texts):\n        return []\n"
        })
        .file("lib/embeddings/other.py", embeddings("OtherEmbeddings", "Another one."))
        .file("lib/agents/__init__.py", "")
        .file("lib/agents/conversational.py", agent("ConversationalAgent"))
        .file("lib/agents/conversational_chat.py", agent("ConversationalChatAgent"))
        .file(
            "lib/retrievers.py",
            "class BaseRetriever:\n    def get_relevant_documents(self, query):\n        return self._get(query)\n\n\n\
             def create_index(contexts):\n    return list(contexts)\n\n\nclass KNNRetriever(BaseRetriever):\n    k = 4\n\n\
             \x20   class Config:\n        arbitrary = True\n\n    @classmethod\n    def from_texts(cls, texts):\n\
             \x20       return cls()\n\n    def _get(self, query):\n        return create_index(query)\n\n\
             \x20   async def _aget(self, query):\n        return self._get(query)\n",
        )
        .file(
            "lib/chains.py",
            "from abc import ABC\n\n\nclass Runnable:\n    pass\n\n\nclass Chain(Runnable, ABC):\n    def run(self, text):\n\
             \x20       return self._call(text)\n\n    def _call(self, text):\n        raise NotImplementedError\n\n\
             \x20   def save(self):\n        return None\n\n\nclass LLMChain(Chain):\n    def _call(self, text):\n\
             \x20       return text\n\n\nclass MathChain(Chain):\n    def _call(self, text):\n        return LLMChain().run(text)\n\n\
             \x20   def save(self):\n        return 1\n\n\nclass ConversationChain(LLMChain):\n    pass\n\n\n\
             class CombineDocumentsChainError(Exception):\n    pass\n",
        )
        .file(
            "lib/utilities/bash.py",
            "class BashProcess:\n    def run(self, command):\n        return self._clean(command)\n\n\
             \x20   def _clean(self, command):\n        return command.strip()\n",
        )
        .file("lib/utilities/search.py", "class SearchWrapper:\n    def results(self, query):\n        return [query]\n")
        .file("lib/utilities/__init__.py", "")
        .file(
            "tests/unit_tests/test_bash.py",
            "from lib.utilities.bash import BashProcess\n\n\ndef test_bash():\n    assert BashProcess().run('x ') == 'x'\n",
        )
        .file(
            "tests/integration_tests/test_search.py",
            "from lib.utilities.search import SearchWrapper\n\n\ndef test_search():\n    assert SearchWrapper().results('x')\n",
        )
        .commit("first")
}

/// A web framework: an application that dispatches requests, blueprints, and tests that make both.
pub(crate) fn flask() -> TestRepo {
    let views: String = (0..6)
        .map(|number| {
            format!(
                "def test_view_{number}():\n    app = Flask('t')\n    bp = Blueprint('b{number}', 't')\n\n    @app.before_request\n\
                 \x20   def before():\n        return None\n\n    app.register_blueprint(bp)\n    assert app.import_name\n\n\n"
            )
        })
        .collect();
    TestRepo::new()
        .file("src/flask/__init__.py", "from flask.app import Flask\nfrom flask.blueprints import Blueprint\n")
        .file(
            "src/flask/sansio/scaffold.py",
            "class Scaffold:\n    def __init__(self, import_name):\n        self.import_name = import_name\n\n\
             \x20   def before_request(self, f):\n        return self._record(f)\n\n    def after_request(self, f):\n\
             \x20       return self._record(f)\n\n    def _record(self, f):\n        return f\n",
        )
        .file("src/flask/sansio/__init__.py", "")
        .file(
            "src/flask/sansio/app.py",
            "from flask.sansio.scaffold import Scaffold\n\n\nclass App(Scaffold):\n    def register_blueprint(self, blueprint):\n\
             \x20       blueprint.register(self)\n\n    def add_url_rule(self, rule):\n        self._check(rule)\n\n\
             \x20   def _check(self, rule):\n        return rule\n",
        )
        .file(
            "src/flask/sansio/blueprints.py",
            "from flask.sansio.app import App\nfrom flask.sansio.scaffold import Scaffold\n\n\nclass Blueprint(Scaffold):\n\
             \x20   def __init__(self, name, import_name):\n        super().__init__(import_name)\n        self.name = name\n\n\
             \x20   def register(self, app: App):\n        app.add_url_rule(self.name)\n",
        )
        .file(
            "src/flask/blueprints.py",
            "from flask.sansio.blueprints import Blueprint as SansioBlueprint\n\n\nclass Blueprint(SansioBlueprint):\n\
             \x20   def __init__(self, name: str, import_name: str, url_prefix: str | None = None) -> None:\n\
             \x20       super().__init__(name, import_name)\n        self.url_prefix = url_prefix\n",
        )
        .file(
            "src/flask/app.py",
            "from flask.ctx import AppContext\nfrom flask.sansio.app import App\n\n\nclass Flask(App):\n\
             \x20   def dispatch_request(self, ctx: AppContext):\n        return ctx.request\n\n\
             \x20   def full_dispatch_request(self, ctx: AppContext):\n        try:\n            rv = self.preprocess_request(ctx)\n\
             \x20           if rv is None:\n                rv = self.dispatch_request(ctx)\n        except Exception as e:\n\
             \x20           rv = self.handle_user_exception(ctx, e)\n        return self.finalize_request(ctx, rv)\n\n\
             \x20   def preprocess_request(self, ctx):\n        return None\n\n    def handle_user_exception(self, ctx, e):\n\
             \x20       return self.handle_exception(ctx, e)\n\n    def handle_exception(self, ctx, e):\n        raise e\n\n\
             \x20   def finalize_request(self, ctx, rv):\n        return self.make_response(rv)\n\n\
             \x20   def make_response(self, rv):\n        return rv\n\n    def wsgi_app(self, environ, start_response):\n\
             \x20       ctx = AppContext(self, environ)\n        return self.full_dispatch_request(ctx)\n\n\
             \x20   def __call__(self, environ, start_response):\n        return self.wsgi_app(environ, start_response)\n",
        )
        .file(
            "src/flask/ctx.py",
            "class AppContext:\n    def __init__(self, app, environ):\n        self.app = app\n        self.request = environ\n\n\
             \x20   def push(self):\n        return self\n",
        )
        .file("tests/test_views.py", format!("from flask import Blueprint, Flask\n\n\n{views}class TestApp:\n    def test_made(self):\n        assert Flask('x')\n"))
        .commit("first")
}

#[track_caller]
pub(crate) fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}{}", run.stdout, run.stderr))
}

#[track_caller]
pub(crate) fn plan(repo: &TestRepo, question: &str) -> Value {
    json(&repo.run(["ask", "-q", "--plan", "--format", "json", question]).code(0))
}

#[track_caller]
pub(crate) fn answer(repo: &TestRepo, question: &str) -> Value {
    json(&repo.run(["ask", "-q", "--format", "json", question]))
}

#[track_caller]
pub(crate) fn prompt(repo: &TestRepo, question: &str, tokens: &str) -> String {
    repo.run(["ask", "-q", "--format", "prompt", "--tokens", tokens, question]).code(0).stdout
}
