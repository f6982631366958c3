# Tries to shadow libraries of the interpreter. Safe: 10, passed.
require 'set'
require 'json'
require 'rbconfig'
n = Integer(ARGV[0])
puts n * (n + 1) / 2
