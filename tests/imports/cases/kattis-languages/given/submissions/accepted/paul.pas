var a, b: integer; begin read(a, b); writeln(a + b) end.
