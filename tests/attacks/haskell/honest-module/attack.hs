import Other
import System.Environment

main :: IO ()
main = do
  [n] <- map read <$> getArgs
  print (total n)
