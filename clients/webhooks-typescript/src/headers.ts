import { WebhookVerificationError } from './error.ts';

/**
 * The headers of a request as the platform gives them, names in any case: Node's `request.headers`
 * (Express, Koa and Fastify hand over the same), a `Headers` of fetch, a Map, a list of pairs.
 */
export type WebhookHeaders =
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type Pairs = readonly (readonly [string, string | readonly string[] | undefined])[];

/** Returns all headers, read once: an iterator cannot be read again. */
export function pairsOf(headers: WebhookHeaders): Pairs {
  return Symbol.iterator in headers ? [...(headers as Iterable<readonly [string, string]>)] : Object.entries(headers);
}

/**
 * Returns the single value of a header; undefined when it is absent.
 * @param name in lower case
 * @throws {WebhookVerificationError} `duplicate_header` when there are several, because a proxy could
 * read a different one
 */
export function headerOf(pairs: Pairs, name: string): string | undefined {
  const values = pairs.filter(([key]) => key.toLowerCase() === name).flatMap(([, value]) => value ?? []);
  if (values.length > 1) throw new WebhookVerificationError('duplicate_header', `${name} came more than once`);
  return values[0];
}
