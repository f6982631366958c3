-- Tries to start two thousand processes from Haskell. Safe: 0, failed or crashed or timeout or memory.
import Foreign.C

main :: IO ()
main = do
  run "i=0; while [ $i -lt 2000 ]; do sleep 3 & i=$((i+1)); done; echo tried"

foreign import ccall "stdlib.h system" system :: CString -> IO CInt

run :: String -> IO ()
run command = withCString command system >>= print
