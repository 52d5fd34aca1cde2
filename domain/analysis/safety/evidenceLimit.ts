/** Maximum number of pieces of evidence of a moderation, whoever judged: providers keep the same number. */
export const MAX_EVIDENCE = 20;
