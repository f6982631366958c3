open module attack {
    requires jdk.compiler;
    requires jdk.attach;
    uses javax.annotation.processing.Processor;
}
