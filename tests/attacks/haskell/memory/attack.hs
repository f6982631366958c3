-- Tries to take all memory from Haskell. Safe: 0, memory or crashed or failed or timeout.
main :: IO ()
main = do
  print (length (filter odd kept) + sum kept + length kept)

kept :: [Int]
kept = [1 .. 400000000]
