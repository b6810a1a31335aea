//! Names outside the repository that resolution understands, by the hash of their dotted path.
//!
//! They are those of Python's own library. Names of other libraries behave like one of them by a rule
//! (`behaves`, see `frameworks/tables`).

use serde::Deserialize;

use crate::{
    facts::names::{hash_bytes, hash_name, mix},
    resolve::library::stdlib_names,
};

const MASK: u64 = (1 << 55) - 1;

/// Set in the hash of names in Python's own library.
const OF_PYTHON: u64 = 1 << 55;

/// The hash of `name` as a member of the object with the hash `path`.
pub(crate) const fn member(path: u64, name: u64) -> u64 {
    mix(path ^ name.rotate_left(17)) & MASK | path & OF_PYTHON
}

/// The hash of a top-level module, from the hash of its name.
const fn module(name: u64) -> u64 {
    name & MASK | if stdlib_names::is_module(name) { OF_PYTHON } else { 0 }
}

/// Whether a hash is of a name in Python's own library.
pub(crate) fn is_of_python(path: u64) -> bool {
    path & OF_PYTHON != 0
}

/// The hash of a dotted path given in parts.
pub(crate) fn dotted_parts(parts: &[&str]) -> u64 {
    let mut hash = 0;
    for (index, part) in parts.iter().enumerate() {
        hash = if index == 0 { module(hash_name(part)) } else { member(hash, hash_name(part)) };
    }
    hash
}

/// The hash of a dotted path.
pub(crate) const fn dotted(path: &str) -> u64 {
    let bytes = path.as_bytes();
    let (mut hash, mut start, mut is_first) = (0, 0, true);
    let mut index = 0;
    while index <= bytes.len() {
        if index == bytes.len() || bytes[index] == b'.' {
            let (_, rest) = bytes.split_at(start);
            let (part, _) = rest.split_at(index - start);
            let name = hash_bytes(0xcbf2_9ce4_8422_2325, part);
            hash = if is_first { module(name) } else { member(hash, name) };
            is_first = false;
            start = index + 1;
        }
        index += 1;
    }
    hash
}

macro_rules! known {
    ($($variant:ident: $($path:literal)|*),* $(,)?) => {
        /// The effect of an external name, as far as values flow through it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub(crate) enum Known { $($variant),* }

        /// The effect of the name with this hash, if it stands in the list below.
        pub(crate) fn listed(hash: u64) -> Option<Known> {
            $($( if hash == const { dotted($path) } { return Some(Known::$variant); } )*)*
            None
        }
    };
}

known! {
    // Calls that give their first argument.
    FirstArgument: "functools.partial" | "functools.partialmethod" | "functools.lru_cache"
        | "functools.cache" | "contextlib.contextmanager"
        | "contextlib.asynccontextmanager" | "typing.final" | "typing.overload" | "typing.runtime_checkable"
        | "abc.abstractmethod" | "builtins.staticmethod" | "builtins.classmethod" | "contextlib.nullcontext"
        | "functools.cached_property" | "functools.total_ordering" | "dataclasses.dataclass" | "types.coroutine"
        | "asyncio.run" | "asyncio.shield" | "asyncio.wait_for"
        | "functools.update_wrapper" | "contextlib.closing" | "contextlib.aclosing" | "weakref.proxy" | "inspect.unwrap" | "enum.unique" | "dataclasses.replace"
        | "copy.replace",
    // Copies, at once or by way of bytes: what goes in comes out.
    Copy: "copy.copy",
    DeepCopy: "copy.deepcopy",
    Dump: "pickle.dumps",
    Load: "pickle.loads",
    // Calls that give a decorator which hands on what it decorates.
    Decorator: "functools.wraps",
    // Containers made from their first argument.
    Collect: "builtins.list" | "builtins.tuple" | "builtins.set" | "builtins.frozenset" | "builtins.sorted"
        | "builtins.filter" | "itertools.chain" | "collections.deque"
        | "itertools.islice" | "itertools.cycle" | "collections.OrderedDict" | "builtins.dict" | "weakref.WeakSet"
        | "asyncio.as_completed" | "concurrent.futures.as_completed",
    Iterator: "builtins.iter" | "builtins.aiter",
    Gather: "asyncio.gather",
    Task: "asyncio.create_task" | "asyncio.ensure_future" | "asyncio.TaskGroup.create_task"
        | "asyncio.get_event_loop.create_task" | "asyncio.get_running_loop.create_task"
        | "asyncio.run_coroutine_threadsafe",
    // Declared types of values that are awaited, or asked for their result.
    TaskOf: "asyncio.Task",
    FromKeys: "builtins.dict.fromkeys",
    FromIterable: "itertools.chain.from_iterable",
    PropertyOf: "builtins.property",
    New: "builtins.object.__new__" | "builtins.type.__new__",
    TypeCall: "builtins.type.__call__",
    ImportModule: "importlib.import_module",
    Globals: "builtins.globals",
    Reference: "weakref.ref" | "weakref.WeakMethod" | "weakref.ReferenceType",
    MethodType: "types.MethodType",
    EnterContext: "contextlib.ExitStack.enter_context" | "contextlib.AsyncExitStack.enter_context"
        | "contextlib.AsyncExitStack.enter_async_context",
    Field: "dataclasses.field",
    // Behaviors that only other libraries have.
    FieldFactory:,
    Proxy:,
    UseFixtures:,
    // Objects that hold what they are given and hand it out again.
    Holder: "queue.Queue" | "queue.LifoQueue" | "queue.PriorityQueue" | "queue.SimpleQueue" | "asyncio.Queue"
        | "asyncio.LifoQueue" | "asyncio.PriorityQueue" | "multiprocessing.Queue" | "contextvars.ContextVar"
        | "types.SimpleNamespace" | "threading.local" | "asyncio.Future" | "concurrent.futures.Future"
        | "argparse.Namespace",
    AttributeGetter: "operator.attrgetter",
    MethodCaller: "operator.methodcaller",
    ItemGetter: "operator.itemgetter",
    Map: "builtins.map" | "itertools.starmap",
    Enumerate: "builtins.enumerate",
    Zip: "builtins.zip" | "itertools.zip_longest",
    Next: "builtins.next" | "builtins.anext",
    Element: "builtins.min" | "builtins.max" | "random.choice",
    Reduce: "functools.reduce",
    Super: "builtins.super",
    Type: "builtins.type",
    Getattr: "builtins.getattr",
    Setattr: "builtins.setattr" | "builtins.object.__setattr__",
    Delattr: "builtins.delattr",
    Hasattr: "builtins.hasattr",
    IsInstance: "builtins.isinstance",
    IsSubclass: "builtins.issubclass",
    Cast: "typing.cast" | "typing_extensions.cast",
    Length: "builtins.len",
    Text: "builtins.str",
    Printed: "builtins.print",
    // Messages that are filled in at the level that loggers have by default.
    Logged: "logging.warning" | "logging.error" | "logging.exception" | "logging.critical"
        | "logging.getLogger.warning" | "logging.getLogger.error" | "logging.getLogger.exception"
        | "logging.getLogger.critical" | "logging.Logger.warning" | "logging.Logger.error"
        | "logging.Logger.exception" | "logging.Logger.critical",
    Representation: "builtins.repr" | "reprlib.repr" | "pprint.pformat" | "pprint.pprint" | "pprint.pp",
    Truth: "builtins.bool",
    Integer: "builtins.int",
    Float: "builtins.float",
    Absolute: "builtins.abs",
    Rounded: "builtins.round",
    Index: "builtins.hex" | "builtins.oct" | "builtins.bin" | "builtins.chr" | "operator.index",
    Formatted: "builtins.format",
    Sum: "builtins.sum",
    AnyAll: "builtins.any" | "builtins.all",
    Reversed: "builtins.reversed",
    Generic: "functools.singledispatch" | "functools.singledispatchmethod",
    Hash: "builtins.hash",
    Object: "builtins.object",
    // Annotations.
    Optional: "typing.Optional",
    Union: "typing.Union",
    Annotated: "typing.Annotated" | "typing_extensions.Annotated" | "typing.Final" | "typing.ClassVar" | "typing.Required"
        | "typing.NotRequired" | "typing_extensions.Required" | "typing_extensions.NotRequired" | "dataclasses.InitVar"
        | "typing.ReadOnly" | "typing.Awaitable" | "collections.abc.Awaitable",
    LiteralOf: "typing.Literal" | "typing_extensions.Literal",
    Guard: "typing.TypeGuard" | "typing.TypeIs" | "typing_extensions.TypeGuard" | "typing_extensions.TypeIs",
    Coroutine: "typing.Coroutine" | "collections.abc.Coroutine",
    TypeOf: "typing.Type" | "typing.type",
    SelfType: "typing.Self" | "typing_extensions.Self",
    SequenceOf: "typing.List" | "typing.Sequence" | "typing.Iterable" | "typing.Iterator" | "typing.Set"
        | "typing.FrozenSet" | "typing.Collection" | "typing.MutableSequence" | "typing.Deque" | "typing.AbstractSet"
        | "typing.MutableSet" | "typing.AsyncIterator" | "typing.AsyncIterable" | "typing.Tuple"
        | "collections.abc.Sequence" | "collections.abc.Iterable" | "collections.abc.Iterator"
        | "collections.abc.Collection" | "collections.abc.MutableSequence" | "collections.abc.Set"
        | "collections.abc.AsyncIterator" | "collections.abc.AsyncIterable",
    GeneratorOf: "typing.Generator" | "typing.AsyncGenerator" | "collections.abc.Generator" | "collections.abc.AsyncGenerator",
    Callable: "typing.Callable" | "collections.abc.Callable",
    Manager: "typing.ContextManager" | "typing.AsyncContextManager" | "contextlib.AbstractContextManager"
        | "contextlib.AbstractAsyncContextManager",
    MappingOf: "typing.Dict" | "typing.Mapping" | "typing.MutableMapping" | "typing.DefaultDict" | "typing.OrderedDict"
        | "collections.abc.Mapping" | "collections.abc.MutableMapping" | "collections.defaultdict"
        | "weakref.WeakKeyDictionary" | "weakref.WeakValueDictionary" | "typing.ChainMap",
    TypeVar: "typing.TypeVar" | "typing_extensions.TypeVar",
    NewType: "typing.NewType" | "typing_extensions.NewType",
    MadeType: "typing.NewType.__call__",
    // Classes.
    NamedTuple: "typing.NamedTuple" | "typing_extensions.NamedTuple" | "collections.namedtuple",
    TypedDict: "typing.TypedDict" | "typing_extensions.TypedDict",
    Enum: "enum.Enum" | "enum.IntEnum" | "enum.Flag" | "enum.IntFlag" | "enum.StrEnum",
}

/// The hash of a builtin.
pub(crate) fn builtin(name: u64) -> u64 {
    member(const { dotted("builtins") }, name)
}

/// The hash of `None`'s type.
pub(crate) const NONE_TYPE: u64 = dotted("builtins.NoneType");

/// Stands for an object that outside code made of the repository: it may be, or hold, any object of it.
pub(crate) const OPEN: u64 = MASK;

/// Stands for a module that is not known.
pub(crate) const SOME_MODULE: u64 = MASK - 1;

/// The builtin that a hash stands for.
pub(crate) fn builtin_named(hash: u64) -> Option<&'static str> {
    stdlib_names::BUILTINS.iter().copied().find(|name| builtin(hash_name(name)) == hash)
}
