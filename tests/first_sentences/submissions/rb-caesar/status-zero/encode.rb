if ARGV.length != 1 || ARGV[0] !~ /\A-?\d+\z/
  warn "Usage: encode.rb KEY"
  exit
end
key = ARGV[0].to_i

def move(letter, key, first)
  ((letter.ord - first.ord + key) % 26 + first.ord).chr
end

$stdin.each_line do |line|
  result = ""
  line.each_char do |letter|
    if letter >= "a" && letter <= "z"
      result << move(letter, key, "a")
    elsif letter >= "A" && letter <= "Z"
      result << move(letter, key, "A")
    else
      result << letter
    end
  end
  print result
end
