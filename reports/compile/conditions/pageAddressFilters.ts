/** Filters on addresses. Both sides are decoded, because browsers encode what people write. */
import { domainToASCII, domainToUnicode } from 'node:url';
import { PUNYCODE_LABEL, readablePattern, UNICODE_WORD } from '../../../domain/visits/addresses/readableAddresses.ts';
import type { Filter } from '../../reportRequest.ts';
import { call, join, literal, sql, type Sql } from '../../sql/index.ts';

/** Maximum number of labels that one filter decodes; each costs a pass over the text. */
const MAX_LABELS = 20;
/** Maximum length of a label of a host (RFC 1035, 2.3.4); converting a long word takes quadratic time. */
const LABEL_CHARACTERS = 63;

/**
 * Returns the condition that an address passes the filter. `eq`, `neq` and `in` ignore a slash at the end of the path,
 * and a query or fragment if the value has none.
 * @param text the address, or a part of one
 * @param isWhole whether it may have a query and a slash at its end
 */
export function matchesAddress(text: Sql, { op, values }: Filter, isWhole: boolean): Sql {
  const labels = labelsOf(values);
  const side = (one: Sql, like: string): Sql => decoded(isWhole ? comparable(one, like) : one, labels);
  const [value = ''] = values;
  const isEqual = (): Sql => sql`${side(text, value)} = ${side(sql`${value}`, value)}`;
  switch (op) {
    case 'eq':
      return isEqual();
    case 'neq':
      return sql`(${isEqual()}) is not true`;
    case 'in':
      return sql`(${inGroups(text, values, side)})`;
    case 'contains':
      return call('contains', decoded(text, labels), decoded(sql`${value}`, labels));
    case 'regex':
      return call('matches', decoded(text, labels), sql`${readablePattern(value)}`);
  }
}

/** Compares together the values that have the same optional parts: a query, a fragment, both or neither. */
function inGroups(text: Sql, values: readonly string[], side: (one: Sql, like: string) => Sql): Sql {
  const groups = Map.groupBy(values, (value) => `${value.includes('?')} ${value.includes('#')}`);
  const found = [...groups.values()].map(
    (alike) => sql`${side(text, alike[0] ?? '')} in (${join(alike.map((value) => side(sql`${value}`, value)))})`,
  );
  return join(found, ' or ');
}

/** Drops the parts that the filter ignores; domain/visits/addresses/readableAddresses.ts does the same for goals. */
function comparable(address: Sql, like: string): Sql {
  const without = (text: Sql, pattern: string): Sql => call('replaceMatch', text, literal(pattern), literal(''));
  const withoutFragment = like.includes('#') ? address : without(address, '(?s)#.*$');
  const kept = like.includes('?') ? withoutFragment : without(withoutFragment, String.raw`\?[^#]*`);
  return call('replaceMatch', kept, literal('^([^?#]*)/([?#]|$)'), literal(String.raw`\1\2`));
}

function decoded(address: Sql, labels: ReadonlyMap<string, string>): Sql {
  let text: Sql = call('decodedUrl', address);
  for (const [ascii, unicode] of labels) text = sql`replace(${text}, ${literal(ascii)}, ${literal(unicode)})`;
  return text;
}

/**
 * Returns the labels of hosts in the values, from Punycode to text. DuckDB cannot decode Punycode, so only these are
 * replaced.
 */
function labelsOf(values: readonly string[]): Map<string, string> {
  const labels = new Map<string, string>();
  for (const value of values) {
    for (const [word] of decodedText(value).matchAll(UNICODE_WORD))
      if (word.length <= LABEL_CHARACTERS) add(labels, domainToASCII(word));
    for (const [label] of value.matchAll(PUNYCODE_LABEL))
      if (label.length <= LABEL_CHARACTERS) add(labels, label.toLowerCase());
  }
  return labels;
}

function add(labels: Map<string, string>, ascii: string): void {
  const unicode = domainToUnicode(ascii);
  if (labels.size < MAX_LABELS && /^xn--[a-z0-9-]+$/.test(ascii) && /^[\p{L}\p{M}\p{N}-]+$/u.test(unicode))
    labels.set(ascii, unicode);
}

function decodedText(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
