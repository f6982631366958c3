require_relative 'lib/sum'
require 'set'
puts Numbers.sum(ARGV[0].to_i)
