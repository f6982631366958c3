import System.Environment

main :: IO ()
main = do
  [n] <- map read <$> getArgs
  print (total n)

total :: Integer -> Integer
total 0 = 0
total n = n + total (n - 1)
