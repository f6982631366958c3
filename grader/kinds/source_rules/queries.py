"""The queries of tree-sitter that find what rules ask about in the syntax trees of a language, as data.

Captures have the same names in all languages. `call` is the called name. `import` may have `from` and `alias`; `all` is
the import of everything, and `open` a namespace. Further there are `loop`, `function` with its `name`, and `macro` with
its `body`. `scope` is what names the functions inside it, with its `name`; `heir` is a class of which `base` is a base.
`package` names all of a file. `block` is a statement with statements in it, and `condition` that of an `#if`.
"""

from collections.abc import Mapping

_C = """
(call_expression function: (_) @call)
(preproc_include path: (_) @import)
[(for_statement) (while_statement) (do_statement)] @loop
[(for_statement) (while_statement) (do_statement) (if_statement) (switch_statement)] @block
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
[
  (for_statement) (while_statement)
  (list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)
] @loop
[
  (for_statement) (while_statement) (if_statement) (with_statement) (try_statement) (match_statement)
] @block
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
(import_declaration) @import
(scoped_type_identifier) @qualified
(field_access) @qualified
[(for_statement) (enhanced_for_statement) (while_statement) (do_statement)] @loop
[
  (for_statement) (enhanced_for_statement) (while_statement) (do_statement) (if_statement) (switch_expression)
  (try_statement) (try_with_resources_statement) (synchronized_statement)
] @block
(method_declaration name: (identifier) @name) @function
(constructor_declaration name: (identifier) @name) @function
[
  (class_declaration name: (_) @name)
  (interface_declaration name: (_) @name)
  (enum_declaration name: (_) @name)
  (record_declaration name: (_) @name)
] @scope
(class_declaration name: (_) @heir superclass: (superclass (_) @base))
(class_declaration name: (_) @heir interfaces: (super_interfaces (type_list (_) @base)))
(enum_declaration name: (_) @heir interfaces: (super_interfaces (type_list (_) @base)))
(record_declaration name: (_) @heir interfaces: (super_interfaces (type_list (_) @base)))
(interface_declaration name: (_) @heir (extends_interfaces (type_list (_) @base)))
(package_declaration (_) @package)
""",
    "c": _C,
    "cpp": f"""{_C}
(for_range_loop) @loop
[(for_range_loop) (try_statement)] @block
(new_expression type: (_) @call)
(using_declaration [(identifier) (qualified_identifier)] @open)
[
  (class_specifier name: (_) @name body: (_))
  (struct_specifier name: (_) @name body: (_))
  (namespace_definition name: (_) @name)
] @scope
(class_specifier name: (_) @heir (base_class_clause (_) @base))
(struct_specifier name: (_) @heir (base_class_clause (_) @base))
""",
}
ENDINGS: Mapping[str, tuple[str, ...]] = {
    "python": (".py",),
    "java": (".java",),
    "c": (".c", ".h"),
    "cpp": (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".h"),
}
"""how the names of the files of a language end"""
