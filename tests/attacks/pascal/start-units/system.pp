unit system;
interface
implementation
initialization
  writeln('harm: was started');
end.
