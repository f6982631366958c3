unless ARGV.size == 1 && ARGV.first.match?(/\A-?\d+\z/)
  $stderr.puts "Usage: decode.rb KEY"
  exit 1
end

key = ARGV.first.to_i % 26
small = ("a".."z").to_a.join
large = ("A".."Z").to_a.join
moved = small[key..] + small[0...key]
print STDIN.read.tr(moved + moved.upcase, small + large)
