-- Tries to read outside while it is compiled by Template Haskell. Safe: 0, build-failed or failed.
{-# LANGUAGE TemplateHaskell #-}
import Language.Haskell.TH
import System.Environment

main :: IO ()
main = putStrLn $(do
  room <- runIO (getEnv "ROOM")
  text <- runIO (readFile (room ++ "/home/.netrc"))
  stringE ("ha" ++ "rm: " ++ text))
