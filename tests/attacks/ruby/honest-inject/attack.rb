class Sum
  def initialize(n)
    @n = n
  end

  def to_s
    (1..@n).inject(0) { |a, b| a + b }.to_s
  end
end

print Sum.new(ARGV[0].to_i), "\n"
