-- Tries to leave files for whoever comes next from Haskell. Safe: 0, failed or crashed.
import Control.Exception
import System.Environment

main :: IO ()
main = do
  put ("/tmp/left-behind-haskell", False) False
  put ("/var/tmp/left-behind-haskell", False) False
  put ("/dev/shm/left-behind-haskell", False) False
  put ("/usr/bin/left-behind-haskell", False) True
  put ("/etc/left-behind-haskell", False) True
  put ("/srv/left-behind-haskell", False) True

put :: (String, Bool) -> Bool -> IO ()
put (name, inside) harm = do
  room <- getEnv "ROOM"
  done <- try (writeFile (if inside then room ++ "/" ++ name else name) "mine") :: IO (Either SomeException ())
  case done of
    Right _ | harm -> putStrLn ("harm: wrote " ++ name)
    _ -> putStrLn "held"
