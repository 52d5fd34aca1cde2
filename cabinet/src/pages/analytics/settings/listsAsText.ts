/** Lists and rates as typed text, one per line. */

export const toLines = (values: readonly string[]): string => values.join('\n');

/** Host names have neither spaces nor commas, so those are separators too. */
export function fromLines(text: string): string[] {
  return text.split(/[\s,;]+/).filter((line) => line !== '');
}

export const toRateLines = (rates: Readonly<Record<string, number>>): string =>
  toLines(Object.entries(rates).map(([currency, rate]) => `${currency}: ${rate}`));

/** The number is as JavaScript writes any rate that the API accepts, so that a stored one is right: `1e-7`. */
const RATE_LINE = /^\s*([a-z]{3})\s*[:=\s]\s*(\d+(?:[.,]\d+)?(?:e-\d{1,3})?)\s*$/i;

/** @returns null if a line is not a rate */
export function fromRateLines(text: string): Record<string, number> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const rates = lines.map((line) => {
    const [, currency = '', rate = ''] = RATE_LINE.exec(line) ?? [];
    return [currency.toUpperCase(), Number(rate.replace(',', '.'))] as const;
  });
  return rates.every(([currency, rate]) => currency !== '' && rate > 0) ? Object.fromEntries(rates) : null;
}

/**
 * Converts texts to whole numbers; an empty one stands for the default.
 * @returns null if one is not a number
 */
export function fromNumbers<K extends string>(texts: Readonly<Record<K, string>>): Record<K, number | null> | null {
  const entries = Object.entries<string>(texts).map(([name, text]) => [name, numberOf(text)] as const);
  if (entries.some(([, value]) => value === undefined)) return null;
  return Object.fromEntries(entries) as Record<K, number | null>;
}

function numberOf(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^\d{1,10}$/.test(trimmed) ? Number(trimmed) : undefined;
}
