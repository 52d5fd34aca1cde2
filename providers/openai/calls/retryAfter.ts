/** How long a server asks to wait before the next attempt. */

/** Maximum delay accepted from a Retry-After header. */
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/** Returns milliseconds from `retry-after-ms`, or from `Retry-After` as seconds or as an HTTP date. */
export function retryAfter(headers: Headers | undefined): number | null {
  const millis = parseDelay(headers?.get('retry-after-ms'), 1);
  const delay = millis ?? parseDelay(headers?.get('retry-after'), 1_000) ?? untilDate(headers?.get('retry-after'));
  if (delay === null) return null;
  return Math.min(Math.max(Math.ceil(delay), 0), MAX_RETRY_AFTER_MS);
}

function parseDelay(value: string | null | undefined, unitMs: number): number | null {
  if (value === null || value === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(value)) return null;
  return Number(value) * unitMs;
}

function untilDate(value: string | null | undefined): number | null {
  const time = Date.parse(value ?? '');
  return Number.isNaN(time) ? null : time - Date.now();
}
