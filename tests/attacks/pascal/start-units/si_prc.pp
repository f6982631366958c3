unit si_prc;
