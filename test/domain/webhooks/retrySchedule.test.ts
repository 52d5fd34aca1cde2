import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MAX_ATTEMPTS, RETRY_DELAYS_MS, retryDelayMs } from '../../../domain/webhooks/retrySchedule.ts';

describe('the schedule', () => {
  // proves: webhook-retries/3
  it('is seven attempts over 20 hours and 36 minutes', () => {
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
/** From five on, in the forms that the texts need. */
const NUMBERS = {
  en: ['five', 'six', 'seven', 'eight', 'nine', 'ten'],
  ru: ['пять', 'шесть', 'семь', 'восемь', 'девять', 'десять'],
  ruGenitive: ['пяти', 'шести', 'семи', 'восьми', 'девяти', 'десяти'],
} as const;
const said = (form: keyof typeof NUMBERS, count: number): string =>
  NUMBERS[form][count - 5] ?? `NUMBERS lacks ${count}`;
const minutes = RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0) / 60_000;
const inAll = `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
const end = minutes < 24 * 60 ? 'Retries end within a day' : 'Retries end after more than a day';
const delays = RETRY_DELAYS_MS.map((ms) => (ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`));

describe('the texts that state the schedule', () => {
  it.each([
    ['docs/webhooks.md', `after ${delays.slice(0, -1).join(', ')} and ${delays.at(-1)}`],
    ['domain/webhooks/retrySchedule.ts', `attempts over ${inAll}`],
    ['docs/operations.md', `After ${inAll}, which all attempts of a delivery take`],
    ['ops/alerts.yml', `All attempts of a delivery take ${inAll}`],
    ['clients/webhooks-python/README.md', end],
    ['clients/webhooks-typescript/README.md', end],
    ['docs/webhooks.md', `${said('en', MAX_ATTEMPTS)} attempts in all`],
    ['test/conformance/rules/content.ts', `${said('en', MAX_ATTEMPTS - 1)} more attempts after ${delays.join(', ')}`],
    ['cabinet/src/words/en/content/webhooks.ts', `up to ${said('en', MAX_ATTEMPTS)}`],
    ['cabinet/src/words/ru/content/webhooks.ts', `до ${said('ruGenitive', MAX_ATTEMPTS)}`],
    ['api/cabinet/webhooks/webhookStatistics.ts', `до ${said('ruGenitive', MAX_ATTEMPTS)}`],
    ['api/cabinet/webhooks/deliveries.ts', `все ${said('ru', MAX_ATTEMPTS)} заново`],
    ['api/cabinet/webhooks/recoveries.ts', `все ${said('ru', MAX_ATTEMPTS)} попыток`],
  ])('%s: %s', (file, text) => {
    expect(readFileSync(join(ROOT, file), 'utf8').includes(text)).toBe(true);
  });
});
