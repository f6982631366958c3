-- Tries to run for ever from Haskell. Safe: 0, timeout.
main :: IO ()
main = do
  print (endless 1)

endless :: Int -> Int
endless number = if number < 0 then number else endless (number * 2 `mod` 7 + 1)
