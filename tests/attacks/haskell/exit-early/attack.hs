-- Tries to end well before it answers from Haskell. Safe: 0, failed.
import System.Exit

main :: IO ()
main = do
  exitSuccess
