import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MAX_ATTEMPTS, RETRY_DELAYS_MS, retryDelayMs } from '../../../domain/webhooks/retrySchedule.ts';

describe('the schedule', () => {
  // proves: webhook-retries/3, decisions-lanes/delays
  it('is seven attempts, after the documented delays', () => {
    expect(MAX_ATTEMPTS).toBe(7);
    expect(RETRY_DELAYS_MS.map((delay) => delay / 60_000)).toEqual([1, 5, 30, 120, 360, 720]);
    expect([retryDelayMs(1), retryDelayMs(6), retryDelayMs(7), retryDelayMs(8)]).toEqual([
      60_000,
      43_200_000,
      null,
      null,
    ]);
  });
});

const ROOT = join(import.meta.dirname, '../../..');
/** The words for numbers from five on. */
const NUMBERS = ['five', 'six', 'seven', 'eight', 'nine', 'ten'];
const said = (count: number): string => NUMBERS[count - 5] ?? `NUMBERS lacks ${count}`;
const minutes = RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0) / 60_000;
const inAll = `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
const delays = RETRY_DELAYS_MS.map((ms) => (ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`));

describe('the texts that state the schedule', () => {
  it.each([
    ['domain/webhooks/retrySchedule.ts', `${said(MAX_ATTEMPTS)} attempts over ${inAll}`],
    [
      'docs/webhooks.md',
      `after ${delays.slice(0, -1).join(', ')} and ${delays.at(-1)}: ${said(MAX_ATTEMPTS)} attempts`,
    ],
    ['docs/operations.md', `After ${inAll}, which all attempts of a delivery take`],
    ['docs/decisions/workflow-changes.md', `the longest schedule of retries is ${inAll}`],
    ['ops/alerts.yml', `All attempts of a delivery take ${inAll}`],
    ['test/conformance/rules/content.ts', `${said(MAX_ATTEMPTS - 1)} more attempts after ${delays.join(', ')}`],
  ])('%s: %s', (file, text) => {
    expect(readFileSync(join(ROOT, file), 'utf8').includes(text)).toBe(true);
  });

  it('may say that retries end within a day, as the 24-hour alert and both client packages do', () => {
    expect(minutes).toBeLessThan(24 * 60);
  });
});
