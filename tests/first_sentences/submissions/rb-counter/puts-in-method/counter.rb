class Counter
  attr_reader :served, :longest

  def initialize
    @normal = []
    @vips = []
    @served = 0
    @longest = 0
  end

  def arrive(name, vip)
    if vip
      @vips.push(name)
    else
      @normal.push(name)
    end
    @longest = size if size > @longest
  end

  def size
    @vips.length + @normal.length
  end

  def serve
    name = @vips.empty? ? @normal.shift : @vips.shift
    return "Nobody waits" if name.nil?
    @served += 1
    puts "Serving #{name}"
  end

  def leave(name)
    if @vips.delete(name) || @normal.delete(name)
      "#{name} left"
    else
      "#{name} is not here"
    end
  end

  def show
    all = @vips + @normal
    all.empty? ? "Queue: empty" : "Queue: #{all.join(', ')}"
  end
end

counter = Counter.new
while (line = gets)
  command, name, kind = line.split
  case command
  when "arrive"
    counter.arrive(name, kind == "vip")
  when "serve"
    puts counter.serve
  when "leave"
    puts counter.leave(name)
  when "show"
    puts counter.show
  end
end
puts "Served: #{counter.served}, waiting: #{counter.size}"
puts "Longest queue: #{counter.longest}"
