puts (1..ARGV.first.to_i).sum
