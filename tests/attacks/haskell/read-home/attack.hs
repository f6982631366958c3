-- Tries to read what the grader's home holds from Haskell. Safe: 0, failed or crashed.
import Control.Exception
import System.Environment

main :: IO ()
main = do
  see ("home/.netrc" , True)
  see ("home/.ssh/id" , True)

see :: (String, Bool) -> IO ()
see (name, inside) = do
  room <- getEnv "ROOM"
  found <- try (readFile (if inside then room ++ "/" ++ name else name)) :: IO (Either SomeException String)
  case found of
    Left _ -> putStrLn "held"
    Right text -> putStrLn ("harm: read " ++ text)
