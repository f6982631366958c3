"""What rules ask about in syntax trees, as data: queries of tree-sitter for each language, and the forms of loops.

Captures have the same names in all languages. `call` is the called name. `import` may have `from` and `alias`; `all` is
the import of everything, `open` a namespace, and `qualified` a name that takes no import. `nest` is a statement with
statements in it, or a comprehension. Further there are `function` with its `name`, and `macro` with its `body`. `scope`
is what names the functions inside it, with its `name`; `heir` is a class of which `base` is a base. `package` names all
of a file. `condition` is that of an `#if`.
"""

from collections.abc import Mapping

_C = """
(call_expression function: (_) @call)
(preproc_include path: (_) @import)
[(for_statement) (while_statement) (do_statement) (if_statement) (switch_statement)] @nest
(preproc_if condition: (_) @condition)
(preproc_elif condition: (_) @condition)
(function_definition declarator: (_) @name) @function
(preproc_def name: (identifier) @macro value: (preproc_arg) @body)
(preproc_function_def name: (identifier) @macro value: (preproc_arg) @body)
"""

QUERIES: Mapping[str, str] = {
    "python": """
(call function: (_) @call)
(decorator [(identifier) (attribute)] @call)
(import_statement name: (dotted_name) @import)
(import_statement name: (aliased_import name: (dotted_name) @import alias: (identifier) @alias))
(import_from_statement module_name: (_) @from name: (dotted_name) @import)
(import_from_statement module_name: (_) @from name: (aliased_import name: (dotted_name) @import alias: (_) @alias))
(import_from_statement module_name: (_) @from (wildcard_import) @all)
[(for_statement) (while_statement) (if_statement) (with_statement) (try_statement) (match_statement)
 (list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @nest
(function_definition name: (identifier) @name) @function
(assignment left: (identifier) @name right: (lambda)) @function
(class_definition name: (_) @name) @scope
(class_definition name: (_) @heir superclasses: (argument_list (_) @base))
""",
    "java": """
(method_invocation !object name: (identifier) @call)
(method_invocation object: (_) @object name: (identifier) @call)
(object_creation_expression type: (_) @call)
(method_reference) @call
(import_declaration [(scoped_identifier) (identifier)] @import .)
(import_declaration [(scoped_identifier) (identifier)] @from (asterisk) @all)
[(scoped_type_identifier) (field_access)] @qualified
[(for_statement) (enhanced_for_statement) (while_statement) (do_statement) (if_statement) (switch_expression)
 (try_statement) (try_with_resources_statement) (synchronized_statement)] @nest
[(method_declaration name: (_) @name) (constructor_declaration name: (_) @name)] @function
[(class_declaration name: (_) @name) (interface_declaration name: (_) @name)
 (enum_declaration name: (_) @name) (record_declaration name: (_) @name)] @scope
(class_declaration name: (_) @heir superclass: (superclass (_) @base))
(_ name: (_) @heir interfaces: (super_interfaces (type_list (_) @base)))
(interface_declaration name: (_) @heir (extends_interfaces (type_list (_) @base)))
(package_declaration (_) @package)
""",
    "c": _C,
    "cpp": f"""{_C}
[(for_range_loop) (try_statement)] @nest
(new_expression type: (_) @call)
(using_declaration [(identifier) (qualified_identifier)] @open)
[(class_specifier name: (_) @name body: (_)) (struct_specifier name: (_) @name body: (_))
 (namespace_definition name: (_) @name)] @scope
(_ name: (_) @heir (base_class_clause (_) @base))
""",
}
ENDINGS: Mapping[str, tuple[str, ...]] = {
    "python": (".py",),
    "java": (".java",),
    "c": (".c", ".h"),
    "cpp": (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".h"),
}
"""how the names of the files of a language end"""
_FORMS = {
    "for": "for_statement enhanced_for_statement for_range_loop",
    "while": "while_statement",
    "do": "do_statement",
    "comprehension": "list_comprehension set_comprehension dictionary_comprehension generator_expression",
}
LOOP_FORMS: Mapping[str, str] = {node: form for form, nodes in _FORMS.items() for node in nodes.split()}
"""the type of a node -> the form of a loop, as a rule names it"""
MAX_LOOPS_AROUND = 30
"""loops around a loop that are counted: the depth that a rule names is smaller"""
