return function(n) return n * (n + 1) // 2 end
