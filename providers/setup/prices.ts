/** The setting PROVIDER_PRICES: an operator's prices for models. */
import type { ModelPrice, Prices } from '../../domain/analysis/prices.ts';
import type { SettingsReader } from '../../platform/process/settingsReader.ts';
import { isRecord } from '../../domain/isRecord.ts';

const UNITS = ['input', 'output', 'audio_minute', 'image', 'call'] as const satisfies (keyof ModelPrice)[];
const EXAMPLE = '{"currency": "USD", "models": {"gpt-4o-mini": {"input": 0.15, "output": 0.6}}}';

/** @returns null if no prices are known */
export function readPrices(reader: SettingsReader): Prices | null {
  const text = reader.text('PROVIDER_PRICES', '');
  if (text === '') return null;
  const prices = pricesOf(text);
  if (typeof prices !== 'string') return prices;
  reader.faults.push(`PROVIDER_PRICES: ${prices}; write for example ${EXAMPLE}`);
  return null;
}

/** @returns the prices, or a message about what is wrong with the text */
function pricesOf(text: string): Prices | string {
  const given = parsed(text);
  if (!isRecord(given)) return 'it is not a JSON object';
  const { currency, models, ...others } = given;
  const [other] = Object.keys(others);
  if (other !== undefined) return `"${other}" is unknown`;
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return 'currency is not a three-letter code';
  if (!isRecord(models)) return 'models is not an object';
  for (const [model, price] of Object.entries(models)) {
    if (!isPrice(price))
      return `the price of "${model}" must have one or more of ${UNITS.join(', ')}, each a number of 0 or more`;
  }
  return { currency, models: models as Record<string, ModelPrice> };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isPrice(value: unknown): value is ModelPrice {
  if (!isRecord(value)) return false;
  const parts = Object.entries(value);
  return (
    parts.length > 0 &&
    parts.every(
      ([unit, amount]) =>
        (UNITS as readonly string[]).includes(unit) &&
        typeof amount === 'number' &&
        Number.isFinite(amount) &&
        amount >= 0,
    )
  );
}
