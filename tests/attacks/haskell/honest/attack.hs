import System.Environment

main :: IO ()
main = do
  [n] <- map read <$> getArgs
  print (n * (n + 1) `div` 2 :: Integer)
