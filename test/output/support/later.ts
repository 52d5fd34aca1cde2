/** Advances time without waiting. */
import { jest } from '@jest/globals';

/** Advances both clocks; `jest.restoreAllMocks()` lets them run again. */
export function later(ms: number): void {
  const [span, moment] = [performance.now(), Date.now()];
  jest.spyOn(performance, 'now').mockReturnValue(span + ms);
  jest.spyOn(Date, 'now').mockReturnValue(moment + ms);
}
