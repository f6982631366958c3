import System.Environment

main :: IO ()
main = do
  [n] <- map read <$> getArgs
  print (foldr (+) 0 [1 .. n :: Int])
