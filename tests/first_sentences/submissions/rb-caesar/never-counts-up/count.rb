counts = Hash.new(0)
text = STDIN.read.downcase
i = 0
while i < text.length
  letter = text[i]
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
