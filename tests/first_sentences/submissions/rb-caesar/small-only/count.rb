counts = Hash.new(0)
STDIN.read.downcase.each_char do |letter|
  counts[letter] += 1 if letter.between?("a", "z")
end

if counts.empty?
  puts "No letters"
else
  sorted = counts.sort_by { |letter, count| [-count, letter] }
  sorted.each do |letter, count|
    puts "#{letter}: #{count}"
  end
end
