/** Filters on addresses. Both sides are decoded, because browsers encode what people write. */
import { domainToASCII, domainToUnicode } from 'node:url';
import {
  comparable,
  PUNYCODE_LABEL,
  readablePattern,
  UNICODE_WORD,
} from '../../../domain/visits/addresses/readableAddresses.ts';
import type { Filter } from '../../reportRequest.ts';
import { call, composed, decodedUrl, join, literal, sql, type Sql } from '../../sql/index.ts';

/** Maximum number of labels that one comparison decodes; each costs a pass over the text. */
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
  const [value = ''] = values;
  switch (op) {
    case 'eq':
      return isEqual(text, value, isWhole);
    case 'neq':
      return sql`(${isEqual(text, value, isWhole)}) is not true`;
    case 'in':
      return sql`(${inGroups(text, values, isWhole)})`;
    case 'contains': {
      const labels = labelsOf([value]);
      return call('contains', decoded(text, labels), valueSide(value, labels, false));
    }
    case 'regex':
      return call('matches', decoded(text, labelsOf([value])), sql`${composed(readablePattern(value))}`);
  }
}

function isEqual(text: Sql, value: string, isWhole: boolean): Sql {
  const labels = labelsOf(hostsIn(value));
  return sql`${side(text, value, labels, isWhole)} = ${valueSide(value, labels, isWhole)}`;
}

/** Returns the address, decoded, without what a comparison with the value `like` ignores. */
const side = (text: Sql, like: string, labels: ReadonlyMap<string, string>, isWhole: boolean): Sql =>
  decoded(isWhole ? comparableSql(text, like) : text, labels);

/** Returns the same of a value. In SQL, each value would take the engine two milliseconds to plan. */
function valueSide(value: string, labels: ReadonlyMap<string, string>, isWhole: boolean): Sql {
  let text = decodedUrl(isWhole ? comparable(value, value) : value);
  for (const [ascii, unicode] of labels) text = text.replaceAll(ascii, unicode);
  return sql`${text}`;
}

/**
 * Compares together the values that have the same optional parts (a query, a fragment, both or neither), as long as they
 * have few labels.
 */
function inGroups(text: Sql, values: readonly string[], isWhole: boolean): Sql {
  const groups = Map.groupBy(values, (value) => `${value.includes('?')} ${value.includes('#')}`);
  const found = [...groups.values()].flatMap(withFewLabels).map((alike) => {
    const labels = labelsOf(alike.flatMap(hostsIn));
    const wanted = alike.map((value) => valueSide(value, labels, isWhole));
    return sql`${side(text, alike[0] ?? '', labels, isWhole)} in (${join(wanted)})`;
  });
  return join(found, ' or ');
}

/** Divides values into groups of which each has at most {@link MAX_LABELS} labels. */
function withFewLabels(values: readonly string[]): string[][] {
  const groups: string[][] = [];
  let labels = new Set<string>();
  for (const value of values) {
    const own = new Set(labelsOf(hostsIn(value)).keys());
    const all = new Set([...labels, ...own]);
    const last = groups.at(-1);
    const hasRoom = last !== undefined && all.size <= MAX_LABELS;
    if (hasRoom) last.push(value);
    else groups.push([value]);
    labels = hasRoom ? all : own;
  }
  return groups;
}

/** Drops the parts that the filter ignores; domain/visits/addresses/readableAddresses.ts does the same for goals. */
function comparableSql(address: Sql, like: string): Sql {
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
 * Returns the labels of hosts in texts, from Punycode to text. DuckDB cannot decode Punycode, so only these are
 * replaced.
 */
function labelsOf(texts: readonly string[]): Map<string, string> {
  const labels = new Map<string, string>();
  for (const text of texts) {
    for (const [word] of decodedText(text).matchAll(UNICODE_WORD))
      if (word.length <= LABEL_CHARACTERS) add(labels, domainToASCII(word));
    for (const [label] of text.matchAll(PUNYCODE_LABEL))
      if (label.length <= LABEL_CHARACTERS) add(labels, label.toLowerCase());
  }
  return labels;
}

/**
 * Returns the parts of a whole value that may name hosts: its beginning, what follows `//`, and what has a dot, also
 * within a path or a query. Other words of a path would use up labels.
 */
function hostsIn(value: string): string[] {
  const parts = decodedText(value).split(/[/?#&=]/);
  return parts.filter((part, at) => at === 0 || (at > 1 && parts[at - 1] === '') || part.includes('.'));
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
