COINS = [200, 100, 50, 20, 10, 5, 2, 1]

def change(amount)
  used = []
  COINS.each do |coin|
    while amount >= coin
      used << coin
      amount -= coin
    end
  end
  used
end

total = 0
while (line = gets)
  line = line.strip
  unless line =~ /\A\d+\z/
    puts "Wrong: #{line}"
    next
  end
  used = change(line.to_i)
  total += 1
  if used.empty?
    puts "#{line}: nothing"
  else
    puts "#{line}: #{used.join(' ')}"
  end
end
puts "Coins: #{total}"
