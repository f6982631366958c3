module Numbers
  def self.sum(n) = n * (n + 1) / 2
end
