/** How many digits after the point the numbers of an answer have. */

/** For a score, and for the parts of a hit's relevance: as many as a snapshot keeps. */
export const SCORE_DIGITS = 6;
/** For the scores that `selection` ranks by, and for their parts: vectors have eight bits per number. */
export const RANKED_DIGITS = 4;
