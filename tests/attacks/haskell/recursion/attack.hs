-- Tries to take all of the stack from Haskell. Safe: 0, crashed or memory or timeout or failed.
main :: IO ()
main = do
  print (deeper 1)

deeper :: Integer -> Integer
deeper number = 1 + deeper (number + 1)
