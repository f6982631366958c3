-- Tries to bring an environment of packages of its own. Safe: 0, build-failed or failed.
main :: IO ()
main = putStrLn "held"
