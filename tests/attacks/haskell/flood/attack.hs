-- Tries to print without end from Haskell. Safe: 0, output or failed or timeout.
main :: IO ()
main = do
  mapM_ (const (putStrLn "and on")) [1 .. 2000000000 :: Int]
