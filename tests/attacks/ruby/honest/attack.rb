n = Integer(ARGV[0])
puts n * (n + 1) / 2
