/** Whether there is enough data to evaluate a model. With too little, it is not published (`too_little_data`). */

/** Minimum number of people on whom a model is evaluated, for a meaningful result. */
export const MIN_CASES = 20;
