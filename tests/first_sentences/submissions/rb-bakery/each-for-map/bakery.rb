def price(pieces, each)
  total = pieces * each
  total > 20 ? total - 2 : total
end

def shout(names)
  names.each { |name| name.upcase }
end

orders = Hash.new { |hash, key| hash[key] = [] }
sum = 0
while (line = gets)
  name, item, pieces, each = line.chomp.split(',')
  cost = price(pieces.to_i, each.to_i)
  orders[name] << item
  sum += cost
  puts "#{name}: #{cost}"
end
shout(orders.keys).each { |name| puts name }
orders.each { |name, items| puts "#{name} has #{items.join(' and ')}" }
puts "Sum: #{sum}"
