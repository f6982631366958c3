# Tries to call by letters in escapes, by what an editor is told. Safe: 0, failed.
# vim: set fileencoding=raw_unicode_escape :
\u0065val("print(1)")
