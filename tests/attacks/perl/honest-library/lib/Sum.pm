package Sum;
use strict;

sub new {
    my ($class, $n) = @_;
    return bless { n => $n }, $class;
}

sub value {
    my $self = shift;
    return $self->{n} * ($self->{n} + 1) / 2;
}

1;
