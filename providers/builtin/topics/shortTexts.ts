/** A text with fewer words is short: a single word may be all that it says of its topic, or stand there by chance. */
export const FEW_WORDS = 25;
