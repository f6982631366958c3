module attack

go 1.19

require left.test/behind v1.0.0
