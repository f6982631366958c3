"""Objects in C behind a pointer: what a function makes is given to every function about it."""

from pathlib import Path

import pytest

from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report
from grader.core.pipeline import Course, grade, prepare

SPEC = """\
spec: 1
id: x
title: T
language: c
files: {required: [stack.c]}
program: ./none
limits: {time: 2 s}
reference: right
tests:
  - name: steps
    functions:
      in: stack.c
      new: struct stack *stack_new(int capacity)
      declare:
        - bool stack_push(struct stack *s, int value)
        - int stack_pop(struct stack *s)
        - int plus(int a, const struct stack *s)
        - int made(void)
      calls:
        - new: [3]
          steps:
            - stack_push: [5]
              expect: {returns: true}
            - stack_push: [7]
            - stack_pop: []
              expect: {returns: 7}
            - plus: [4]
              expect: {returns: reference}
            - made: []
              expect: {returns: 1}
  - name: others
    functions:
      in: stack.c
      new: struct stack *stack_new(int capacity)
      declare:
        - bool stack_same(const struct stack *a, const struct stack *b)
        - struct stack *stack_copy(const struct stack *s)
        - int made(void)
      calls:
        - new: [3]
          steps:
            - stack_same: [{new: [4]}]
              expect: {returns: true}
            - made: []
              expect: {returns: 2}
        - {new: [0], steps: [{stack_copy: [], expect: {returns: null}}]}
  - name: freed
    functions:
      in: stack.c
      new: struct stack *stack_new(int capacity)
      declare: ["void stack_free(struct stack **s)", "int is_none(const struct stack *s)"]
      calls: [{new: [3], steps: [{stack_free: []}, {is_none: [], expect: {returns: 1}}]}]
  - name: text
    functions:
      in: stack.c
      new: struct stack *stack_new(int capacity)
      declare: void show(char *text, struct stack *s, int times)
      calls: [{new: [2], args: [abc, 2], expect: {args: {0: "size 0, 2"}}}]
"""
STACK = """\
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
struct stack { int capacity, size, values[9]; };
static int count;
struct stack *stack_new(int capacity) {
    struct stack *s = calloc(1, sizeof(struct stack));
    s->capacity = capacity;
    count++;
    return s;
}
bool stack_push(struct stack *s, int value) { return s->size < s->capacity && (s->values[s->size++] = value, true); }
int stack_pop(struct stack *s) { return s->values[--s->size]; }
int plus(int a, const struct stack *s) { return a + s->values[0]; }
int made(void) { return count; }
bool stack_same(const struct stack *a, const struct stack *b) { return a != b && a->size == b->size; }
struct stack *stack_copy(const struct stack *s) { return s->capacity ? stack_new(s->capacity) : NULL; }
void stack_free(struct stack **s) { free(*s); *s = NULL; }
int is_none(const struct stack *s) { return !s; }
void show(char *text, struct stack *s, int times) { sprintf(text, "size %d, %d", s->size, times); }
"""
CHANGED: dict[str, tuple[list[tuple[str, str]], dict[str, str]]] = {
    "right": ([], {}),
    "linked": (
        [
            ("struct stack { int capacity, size, values[9]; };", "#include <time.h>\nstruct stack;"),
            ("static int count;", "struct stack { int values[99], size, capacity; char spare; };\nint count;"),
        ],
        {},
    ),
    "wrong": (
        [("return s->values[--s->size]", "return s->values[0]"), ("*s = NULL", "")],
        {"steps": "`stack_pop` returned 5; 7 is expected.", "freed": "`is_none` returned 0; 1 is expected."},
    ),
    "one is missing": ([("int plus(", "int sum(")], {"steps": "`stack.c` has no `plus`; the assignment asks for"}),
    "two are missing": (
        [("int plus(", "int sum("), ("void stack_free(", "void destroy(")],
        {"steps": "has no `plus`", "freed": "`stack.c` has no `stack_free`"},
    ),
    "other parameters": (
        [("bool stack_same(const struct stack *a, ", "bool stack_same("), ("a != b && a->size ==", "b &&")],
        {"others": "`stack.c` has `_Bool stack_same(const struct stack *)`; the assignment asks for"},
    ),
    "no constructor": (
        [("stack_new(", "new_stack(")],
        dict.fromkeys(("steps", "others", "freed", "text"), "`stack.c` has no `stack_new`; the assignment asks for"),
    ),
    "another constructor": (
        [("stack_new(int capacity)", "stack_new(int capacity, int by)"), ("stack_new(s->", "stack_new(1, s->")],
        dict.fromkeys(
            ("steps", "others", "freed", "text"), "`stack.c` has `struct stack *stack_new(int, int)`; the assignment"
        ),
    ),
    "no object": (
        [("    return s;", "    return NULL;")],
        dict.fromkeys(("steps", "others", "text"), "segmentation fault"),
    ),
    "never ends": ([("return a + s->values[0]", "for (;;)")], {"steps": "the limit is 2 s"}),
}


def graded(course: Course, text: str, folder: Path) -> Report:
    work = folder / "work"
    work.mkdir()
    (work / "stack.c").write_text(text)
    return grade(
        Job(spec=course.spec.root / "x.yaml", submission=Submission(id="x", path=work), sandbox="full"), course
    )


def prepared(spec: str, reference: str, folder: Path) -> Course:
    (folder / "right").mkdir()
    (folder / "right" / "stack.c").write_text(reference)
    (folder / "x.yaml").write_text(spec)
    return prepare(folder / "x.yaml", sandbox="full")


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return prepared(SPEC, STACK, tmp_path_factory.mktemp("stack"))


@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", CHANGED)
def test_objects_behind_a_pointer(name: str, course: Course, tmp_path: Path) -> None:
    changes, wrong = CHANGED[name]
    text = STACK
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    report = graded(course, text, tmp_path)
    found = {test.name: " ".join(case.message for case in test.cases if case.message) for test in report.tests}
    assert {name for name, message in found.items() if message} == wrong.keys(), found
    for name_of_test, message in wrong.items():
        assert message in found[name_of_test]
    shown = {test.name: test.cases[0].command for test in report.tests}
    assert shown["steps"] == "a = stack_new(3); stack_push(a, 5); stack_push(a, 7); stack_pop(a); plus(4, a); made()"
    assert shown["freed"] == "a = stack_new(3); stack_free(&a); is_none(a)"


TYPEDEFS = {
    "a pointer": ("typedef struct stack *Stack;", ""),
    "its structure": ("typedef struct { int capacity, size, values[9]; } Stack;", "stack_new"),
}


@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", TYPEDEFS)
def test_a_typedef_is_an_object_if_it_is_a_pointer(name: str, tmp_path: Path) -> None:
    spec = SPEC.replace("struct stack *", "Stack ")
    declared, told = TYPEDEFS[name]
    right = STACK.replace("struct stack *", "Stack ").replace("const Stack", "Stack")
    course = prepared(
        spec.replace("const Stack", "Stack"),
        right.replace("static int", f"{TYPEDEFS['a pointer'][0]}\nstatic int"),
        tmp_path,
    )
    if told:
        text = f"{declared}\nStack stack_new(int n) {{ Stack s = {{n}}; return s; }}\nint made(void) {{ return 1; }}\n"
    else:
        text = right.replace("static int", f"{declared}\nstatic int")
    report = graded(course, text, tmp_path)
    messages = [case.message for test in report.tests for case in test.cases]
    assert all(told in message if told else not message for message in messages), messages
