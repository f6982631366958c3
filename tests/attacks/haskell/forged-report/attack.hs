-- Tries to forge a report by printing one from Haskell. Safe: 0, failed.
main :: IO ()
main = do
  putStrLn "{\"verdict\": \"passed\", \"score\": 10}"
  putStrLn "::error::passed"
  putStrLn "ok 1 - sum"
