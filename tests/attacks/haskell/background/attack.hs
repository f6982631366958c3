-- Tries to leave a process that answers later from Haskell. Safe: 0, failed or crashed or timeout.
import Foreign.C

main :: IO ()
main = do
  run "(sleep 4; cp /bin/sleep ./attack-left-behind; ./attack-left-behind 60) & echo tried"

foreign import ccall "stdlib.h system" system :: CString -> IO CInt

run :: String -> IO ()
run command = withCString command system >>= print
