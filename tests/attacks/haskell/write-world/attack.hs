-- Tries to write into a file that everybody may write from Haskell. Safe: 0, failed or crashed.
import Control.Exception
import System.Environment

main :: IO ()
main = do
  put ("world/precious", True) True

put :: (String, Bool) -> Bool -> IO ()
put (name, inside) harm = do
  room <- getEnv "ROOM"
  done <- try (writeFile (if inside then room ++ "/" ++ name else name) "mine") :: IO (Either SomeException ())
  case done of
    Right _ | harm -> putStrLn ("harm: wrote " ++ name)
    _ -> putStrLn "held"
