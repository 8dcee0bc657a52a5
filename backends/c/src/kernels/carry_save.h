/* Counting over a long run of words, where the ones of bytes are looked up. Looking up is what
 * costs most, so eight words are first added bit by bit (a carry-save adder): one look-up for the
 * eights instead of eight, and three more at the end of the run. The file that includes this one
 * says before what a vector is, how one is loaded, what all_of(word) is, which counts() its bytes
 * have, and what their lane_sums() are.
 */
#pragma once

/* One bit position of three numbers added: the sum stays, the carry weighs twice as much. */
static inline vector add_bits(vector *sum, vector x, vector y) {
    vector differ = *sum ^ x, carry = (*sum & x) | (differ & y);
    *sum = differ ^ y;
    return carry;
}

/* The counts of as many antecedents of a block as a vector has words. */
static inline vector count_run(const uint64_t *block, const uint32_t *index, const uint64_t *bits,
                               size_t n) {
    const vector zero = {0};
    vector one = zero, two = zero, four = zero, eights = zero, rest = zero;
    size_t t = 0;
    for (; t + 8 <= n; t += 8) {
        vector word[8];
        for (int j = 0; j < 8; j++)
            word[j] = load(block + 8 * (size_t)index[t + j]) & all_of(bits[t + j]);
        vector two_a = add_bits(&one, word[0], word[1]), two_b = add_bits(&one, word[2], word[3]);
        vector two_c = add_bits(&one, word[4], word[5]), two_d = add_bits(&one, word[6], word[7]);
        vector four_a = add_bits(&two, two_a, two_b), four_b = add_bits(&two, two_c, two_d);
        eights += lane_sums(counts(add_bits(&four, four_a, four_b)));
    }
    for (; t < n; t++)
        rest += lane_sums(counts(load(block + 8 * (size_t)index[t]) & all_of(bits[t])));
    if (n < 8) return rest;
    vector fours = lane_sums(counts(four)) + (eights << 1);
    return rest + lane_sums(counts(one)) + (lane_sums(counts(two)) << 1) + (fours << 2);
}
