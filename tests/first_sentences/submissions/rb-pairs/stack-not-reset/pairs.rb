PAIRS = { ")" => "(", "]" => "[", "}" => "{" }

lines = 0
right = 0
deepest = 0
open = []
while (line = gets)
  line = line.chomp
  problem = nil
  line.each_char.with_index do |sign, index|
    if PAIRS.values.include?(sign)
      open.push(sign)
      deepest = open.length if open.length > deepest
    elsif PAIRS.key?(sign)
      if open.last == PAIRS[sign]
        open.pop
      else
        problem = "#{index + 1}: unexpected #{sign}"
        break
      end
    end
  end
  problem = "unclosed #{open.last}" if problem.nil? && !open.empty?
  lines += 1
  right += 1 if problem.nil?
  puts problem || "ok"
end
puts "Lines: #{lines}, ok: #{right}"
puts "Deepest: #{deepest}"
