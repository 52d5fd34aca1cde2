/** Addresses in filters: both sides decoded, for browsers encode what people write. */
import { domainToASCII, domainToUnicode } from 'node:url';
import { readablePattern } from '../../domain/visits/readable.ts';
import type { Filter } from '../request.ts';

type Bind = (value: string) => string;

/** The most labels of one filter; each is a pass over the text. */
const MOST_LABELS = 20;
/** A label of a host that is not written in ASCII, and one in Punycode. */
const UNICODE_LABEL = /[\p{L}\p{N}-]*[^\p{ASCII}][\p{L}\p{N}-]*/gu;
const ASCII_LABEL = /xn--[a-z0-9-]+/gi;

/**
 * Whether an address is as the filter wants it, as SQL. `eq`, `neq` and `in` do not mind a slash at the end of the
 * path, nor a query or fragment that the value does not name.
 * @param text the address, or a part of one
 * @param isWhole it may have a query and a slash at its end
 */
export function matchesAddress(text: string, { op, values }: Filter, isWhole: boolean, bind: Bind): string {
  const labels = labelsOf(values);
  const side = (sql: string, like: string): string => decoded(isWhole ? comparable(sql, like) : sql, labels);
  const [value = ''] = values;
  const isEqual = (): string => `${side(text, value)} = ${side(bind(value), value)}`;
  switch (op) {
    case 'eq':
      return isEqual();
    case 'neq':
      return `(${isEqual()}) is not true`;
    case 'in':
      return `(${inGroups(text, values, side, bind)})`;
    case 'contains':
      return `contains(lower(${decoded(text, labels)}), lower(${decoded(bind(value), labels)}))`;
    case 'regex':
      return `regexp_matches(${decoded(text, labels)}, ${bind(readablePattern(value))})`;
  }
}

/** Values that name the same parts of an address are looked for together. */
function inGroups(
  text: string,
  values: readonly string[],
  side: (sql: string, like: string) => string,
  bind: Bind,
): string {
  const groups = Map.groupBy(values, (value) => `${value.includes('?')} ${value.includes('#')}`);
  return [...groups.values()]
    .map((alike) => `${side(text, alike[0] ?? '')} in (${alike.map((value) => side(bind(value), value)).join(', ')})`)
    .join(' or ');
}

/** domain/visits/readable.ts has the same for goals. */
function comparable(sql: string, like: string): string {
  const withoutFragment = like.includes('#') ? sql : `regexp_replace(${sql}, '(?s)#.*$', '')`;
  const kept = like.includes('?') ? withoutFragment : `regexp_replace(${withoutFragment}, '\\?[^#]*', '')`;
  return `regexp_replace(${kept}, '^([^?#]*)/([?#]|$)', '\\1\\2')`;
}

/** Most addresses have nothing to decode. Text that is not UTF-8 stays as it is. */
function decoded(sql: string, labels: ReadonlyMap<string, string>): string {
  let text = `case when contains(${sql}, '%') then coalesce(try(url_decode(${sql})), ${sql}) else ${sql} end`;
  for (const [ascii, unicode] of labels) text = `replace(${text}, '${ascii}', '${unicode}')`;
  return text;
}

/**
 * The labels of hosts that the values name, Punycode to text. DuckDB knows no Punycode, and those that nobody asks for
 * need not be read.
 */
function labelsOf(values: readonly string[]): Map<string, string> {
  const labels = new Map<string, string>();
  for (const value of values) {
    for (const [label] of decodedText(value).matchAll(UNICODE_LABEL)) add(labels, domainToASCII(label));
    for (const [label] of value.matchAll(ASCII_LABEL)) add(labels, label.toLowerCase());
  }
  return labels;
}

function add(labels: Map<string, string>, ascii: string): void {
  const unicode = domainToUnicode(ascii);
  if (labels.size < MOST_LABELS && /^xn--[a-z0-9-]+$/.test(ascii) && /^[\p{L}\p{N}-]+$/u.test(unicode))
    labels.set(ascii, unicode);
}

function decodedText(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
