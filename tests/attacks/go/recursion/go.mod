module attack

go 1.19
