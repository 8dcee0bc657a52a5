"""The optimum for every lambda, its picture, and the choice of lambda on held-out rows."""
