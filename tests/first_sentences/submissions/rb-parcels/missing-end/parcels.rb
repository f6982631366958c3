parcels = []
while (line = gets)
  line = line.chomp
  next if line.strip.empty?
  to, weight, express = line.split(";")
  parcels << { to: to.strip, weight: weight.to_f, express: express.to_s.strip == "yes" }
end

def price(parcel)
  base = if parcel[:weight] <= 2
           4.5
         elsif parcel[:weight] <= 10
           8.0
         else
           15.0
         end
  base += 6 if parcel[:express]
  base

total = 0
by_town = Hash.new(0)
parcels.each do |parcel|
  cost = price(parcel)
  total += cost
  by_town[parcel[:to]] += 1
  puts format("%s %.1f kg: %.2f", parcel[:to], parcel[:weight], cost)
end

puts format("Total: %.2f", total)
by_town.sort_by { |town, number| [-number, town] }.each do |town, number|
  puts "#{town}: #{number}"
end
puts "Heaviest: #{parcels.empty? ? 'none' : parcels.max_by { |parcel| parcel[:weight] }[:to]}"
