# Tries to have a file loaded before the program, by the settings of ruby and its tools. Safe: 10, passed.
n = Integer(ARGV[0])
puts n * (n + 1) / 2
