unit objpas;
