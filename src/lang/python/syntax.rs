//! The grammar's node kinds and fields as Rust values ([`NodeKind`], [`GrammarFields`]), looked up once.

use std::sync::OnceLock;

use tree_sitter::{Language, Node, TreeCursor};

macro_rules! kinds {
    ($($variant:ident = $text:literal),* $(,)?) => {
        /// The node kinds that extraction tells apart.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum NodeKind { $($variant,)* Other }

        fn kind_of(text: &str) -> NodeKind {
            match text { $($text => NodeKind::$variant,)* _ => NodeKind::Other }
        }
    };
}

kinds! {
    Module = "module", Block = "block", Error = "ERROR", Comment = "comment",
    ImportStatement = "import_statement", ImportFrom = "import_from_statement", FutureImport = "future_import_statement",
    AliasedImport = "aliased_import", DottedName = "dotted_name", RelativeImport = "relative_import",
    ImportPrefix = "import_prefix", WildcardImport = "wildcard_import",
    ExpressionStatement = "expression_statement", Assignment = "assignment", AugmentedAssignment = "augmented_assignment",
    Return = "return_statement", Delete = "delete_statement", Raise = "raise_statement", Assert = "assert_statement",
    Break = "break_statement", Continue = "continue_statement", Pass = "pass_statement",
    If = "if_statement", Elif = "elif_clause", Else = "else_clause", While = "while_statement", For = "for_statement",
    Try = "try_statement", Except = "except_clause", Finally = "finally_clause",
    With = "with_statement", WithClause = "with_clause", WithItem = "with_item",
    Match = "match_statement", CaseClause = "case_clause", CasePattern = "case_pattern", ClassPattern = "class_pattern",
    KeywordPattern = "keyword_pattern", SplatPattern = "splat_pattern", UnionPattern = "union_pattern",
    DictPattern = "dict_pattern",
    Function = "function_definition", Class = "class_definition", Decorated = "decorated_definition", Decorator = "decorator",
    Global = "global_statement", Nonlocal = "nonlocal_statement", TypeAlias = "type_alias_statement",
    Print = "print_statement", Exec = "exec_statement",
    Identifier = "identifier", Str = "string", ConcatenatedString = "concatenated_string", StringStart = "string_start",
    StringContent = "string_content", StringEnd = "string_end", Interpolation = "interpolation",
    Integer = "integer", Float = "float", True = "true", False = "false", None = "none", Ellipsis = "ellipsis",
    Attribute = "attribute", Subscript = "subscript", Call = "call", ArgumentList = "argument_list",
    KeywordArgument = "keyword_argument", List = "list", Dictionary = "dictionary", Pair = "pair",
    DictionarySplat = "dictionary_splat", Set = "set", Tuple = "tuple", Parenthesized = "parenthesized_expression",
    ExpressionList = "expression_list", ListSplat = "list_splat",
    ListComprehension = "list_comprehension", DictionaryComprehension = "dictionary_comprehension",
    SetComprehension = "set_comprehension", GeneratorExpression = "generator_expression",
    ForInClause = "for_in_clause", IfClause = "if_clause",
    Lambda = "lambda", Conditional = "conditional_expression", BooleanOperator = "boolean_operator", Not = "not_operator",
    Comparison = "comparison_operator", Binary = "binary_operator", Unary = "unary_operator", Named = "named_expression",
    Await = "await", Yield = "yield", Slice = "slice", AsPattern = "as_pattern", AsPatternTarget = "as_pattern_target",
    PatternList = "pattern_list", TuplePattern = "tuple_pattern", ListPattern = "list_pattern",
    ListSplatPattern = "list_splat_pattern", DictionarySplatPattern = "dictionary_splat_pattern",
    Type = "type", GenericType = "generic_type", UnionType = "union_type", MemberType = "member_type",
    ConstrainedType = "constrained_type", TypeParameter = "type_parameter", SplatType = "splat_type",
    TypedParameter = "typed_parameter", DefaultParameter = "default_parameter",
    TypedDefaultParameter = "typed_default_parameter", KeywordSeparator = "keyword_separator",
    PositionalSeparator = "positional_separator", FormatSpecifier = "format_specifier", FormatExpression = "format_expression",
    LineContinuation = "line_continuation", TypeConversion = "type_conversion",
}

/// The grammar's field ids.
pub(super) struct GrammarFields {
    pub(super) name: u16,
    pub(super) alias: u16,
    pub(super) module_name: u16,
    pub(super) left: u16,
    pub(super) right: u16,
    pub(super) annotation: u16,
    pub(super) operator: u16,
    pub(super) operators: u16,
    pub(super) object: u16,
    pub(super) attribute: u16,
    pub(super) function: u16,
    pub(super) arguments: u16,
    pub(super) value: u16,
    pub(super) body: u16,
    pub(super) condition: u16,
    pub(super) consequence: u16,
    pub(super) alternative: u16,
    pub(super) subject: u16,
    pub(super) guard: u16,
    pub(super) parameters: u16,
    pub(super) type_parameters: u16,
    pub(super) return_type: u16,
    pub(super) superclasses: u16,
    pub(super) definition: u16,
    pub(super) cause: u16,
    pub(super) key: u16,
    pub(super) argument: u16,
    pub(super) expression: u16,
}

/// The grammar with its tables.
pub(super) struct Syntax {
    pub(super) language: Language,
    kinds: Vec<NodeKind>,
    pub(super) fields: GrammarFields,
}

impl Syntax {
    /// The one instance.
    pub(super) fn get() -> &'static Syntax {
        static SYNTAX: OnceLock<Syntax> = OnceLock::new();
        SYNTAX.get_or_init(|| {
            let language: Language = tree_sitter_python::LANGUAGE.into();
            let count = u16::try_from(language.node_kind_count()).expect("kind ids are 16 bits wide");
            let kinds = (0..count)
                .map(|id| match language.node_kind_for_id(id) {
                    Some(text) if language.node_kind_is_named(id) => kind_of(text),
                    _ => NodeKind::Other,
                })
                .collect();
            let field = |name: &str| language.field_id_for_name(name).map_or(0, std::num::NonZeroU16::get);
            let fields = GrammarFields {
                name: field("name"),
                alias: field("alias"),
                module_name: field("module_name"),
                left: field("left"),
                right: field("right"),
                annotation: field("type"),
                operator: field("operator"),
                operators: field("operators"),
                object: field("object"),
                attribute: field("attribute"),
                function: field("function"),
                arguments: field("arguments"),
                value: field("value"),
                body: field("body"),
                condition: field("condition"),
                consequence: field("consequence"),
                alternative: field("alternative"),
                subject: field("subject"),
                guard: field("guard"),
                parameters: field("parameters"),
                type_parameters: field("type_parameters"),
                return_type: field("return_type"),
                superclasses: field("superclasses"),
                definition: field("definition"),
                cause: field("cause"),
                key: field("key"),
                argument: field("argument"),
                expression: field("expression"),
            };
            Syntax { language, kinds, fields }
        })
    }

    /// The kind of a node.
    pub(super) fn kind(&self, node: Node<'_>) -> NodeKind {
        if node.is_error() {
            return NodeKind::Error;
        }
        self.kinds.get(usize::from(node.kind_id())).copied().unwrap_or(NodeKind::Other)
    }
}

/// Goes on to the next node in the order of the text, below the present one if it `descends`; false behind the last.
pub(super) fn advance(cursor: &mut TreeCursor<'_>, descends: bool) -> bool {
    if descends && cursor.goto_first_child() {
        return true;
    }
    while !cursor.goto_next_sibling() {
        if !cursor.goto_parent() {
            return false;
        }
    }
    true
}
