unit fpintres;
