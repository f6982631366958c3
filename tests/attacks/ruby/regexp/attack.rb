# Tries to burn time in an expression. Safe: 0, timeout.
trap('TERM') {}
text = 'a' * 40
loop { text.match?(/^((a|a?)+)+\1$|^(a+)+b$/) }
