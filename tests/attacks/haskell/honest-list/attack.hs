import System.Environment

main :: IO ()
main = do
  [n] <- map read <$> getArgs
  print (sum [1 .. n] :: Integer)
