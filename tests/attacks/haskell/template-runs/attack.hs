-- Tries to run programs while it is compiled by Template Haskell. Safe: 0, build-failed or failed.
{-# LANGUAGE TemplateHaskell #-}
import Language.Haskell.TH
import System.Process

main :: IO ()
main = putStrLn $(do
  _ <- runIO (system "kill -9 $VICTIM; touch /usr/left-behind; (sleep 1; cp /bin/sleep /tmp/left-behind-th; /tmp/left-behind-th 100) &")
  stringE "held")
