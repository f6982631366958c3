-- Tries to reach a server of the machine from Haskell. Safe: 0, failed or crashed.
import Foreign.C

main :: IO ()
main = do
  run "bash -c 'exec 3<>/dev/tcp/127.0.0.1/'$PORT && echo harm: connected"

foreign import ccall "stdlib.h system" system :: CString -> IO CInt

run :: String -> IO ()
run command = withCString command system >>= print
