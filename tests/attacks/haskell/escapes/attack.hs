-- Tries to rewrite the terminal of whoever looks from Haskell. Safe: 0, failed.
main :: IO ()
main = do
  putStrLn "\ESC[2J\ESC]0;mine\ESC[8m"
