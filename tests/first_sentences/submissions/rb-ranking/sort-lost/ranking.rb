students = []
while (line = gets)
  line = line.strip
  next if line.empty?
  name, mark, points = line.split(",")
  students << { name: name, mark: mark.to_f, points: points.to_i }
end

students.sort_by { |student| [student[:mark], -student[:points], student[:name]] }

students.each_with_index do |student, index|
  puts "#{index + 1}. #{student[:name]} #{'%.1f' % student[:mark]} (#{student[:points]})"
end

passed = students.select { |student| student[:mark] <= 4.0 }
if students.empty?
  puts "No students"
else
  mean = students.sum { |student| student[:mark] } / students.size
  puts "Mean: #{'%.2f' % mean}"
  puts "Passed: #{passed.size} of #{students.size}"
  puts "Best points: #{students.map { |student| student[:points] }.max}"
end
