import type { Delivery } from '../../../../data/webhooks/webhooks.ts';
import type { Words } from '../../../../words/en/index.ts';

type Failure = Pick<Delivery, 'error_code' | 'response_status' | 'error'>;

/** The system's error name, such as ECONNREFUSED, which the journal appends after a colon. */
const SYSTEM_NAME = /: ([A-Z][A-Z0-9_]+)$/;

/** Returns a sentence about why an attempt failed. */
export function failureText({ error_code: code, response_status: status, error }: Failure, words: Words): string {
  if (code === null) return '';
  if (code === 'http_status' && status !== null) return words.delivery.answered(status);
  const name = SYSTEM_NAME.exec(error ?? '')?.[1];
  return name === undefined ? words.delivery.failures[code] : `${words.delivery.failures[code]} (${name})`;
}
