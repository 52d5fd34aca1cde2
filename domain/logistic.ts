/** The logistic function: turns a sum of evidence, in natural logarithms of odds, into a probability. */
export function logistic(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
