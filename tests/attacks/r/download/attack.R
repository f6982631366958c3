# Tries to download a package while it runs. Safe: 0, failed or crashed or timeout.
options(timeout = 3)
install.packages("left.behind", repos = paste0("http://127.0.0.1:", Sys.getenv("PORT")), lib = "/tmp")
