module attack

go 1.19

require secret.test/home v0.0.0

replace secret.test/home => ../../../home
