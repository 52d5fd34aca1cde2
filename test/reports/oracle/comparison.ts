import type { Comparison, Filter } from '../../../reports/reportRequest.ts';

/** Dimensions whose values may end with a slash, a query and a fragment, and those that are parts of URLs. */
const WHOLE = /^(page_url|page_path|entry_page|entry_path|exit_page|exit_path|outbound_url|download_url|referrer_url)$/;
const PART = /^(page|entry)_(domain|path_level[123])$|^(outbound|referrer)_domain$/;

/** Decodes character by character; escapes that are not UTF-8 stay. */
function decoded(text: string): string {
  return text.replace(/%[0-7][0-9a-f]|%[c-f][0-9a-f](?:%[89ab][0-9a-f]){1,3}/gi, (escapes) => {
    for (let end = escapes.length; end > 0; end -= 3) {
      try {
        return decodeURIComponent(escapes.slice(0, end)) + escapes.slice(end);
      } catch {
        // A shorter run of these bytes may be valid UTF-8.
      }
    }
    return escapes;
  });
}

/** Removes the parts that the wanted URL does not have. */
function cut(address: string, wanted: string): string {
  const [beforeFragment = '', ...fragment] = address.split('#');
  const [path = '', ...query] = beforeFragment.split('?');
  const bare = path.endsWith('/') ? path.slice(0, -1) : path;
  const kept = wanted.includes('?') && query.length > 0 ? `${bare}?${query.join('?')}` : bare;
  return decoded(wanted.includes('#') && fragment.length > 0 ? `${kept}#${fragment.join('#')}` : kept);
}

/** Applies a filter; an unknown value equals nothing. */
export function passes(label: string | null, filter: Filter): boolean {
  if (WHOLE.test(filter.dimension) || PART.test(filter.dimension)) return addressPasses(label, filter);
  return valuePasses(label, filter);
}

function addressPasses(label: string | null, { dimension, op, values }: Filter): boolean {
  const [value = ''] = values;
  const side = WHOLE.test(dimension) ? cut : decoded;
  if (op === 'neq') return label === null || side(label, value) !== side(value, value);
  if (label === null) return false;
  if (op === 'eq' || op === 'in') return values.some((one) => side(label, one) === side(one, one));
  return valuePasses(decoded(label), { dimension, op, values: op === 'contains' ? values.map(decoded) : values });
}

function valuePasses(label: string | null, { op, values }: Filter): boolean {
  const [value = ''] = values;
  if (op === 'neq') return label !== value;
  if (label === null) return false;
  switch (op) {
    case 'eq':
      return label === value;
    case 'in':
      return values.includes(label);
    case 'contains':
      return label.toLowerCase().includes(value.toLowerCase());
    case 'regex':
      return new RegExp(value, 'u').test(label);
  }
}

export function compares(left: number, op: Comparison, right: number): boolean {
  switch (op) {
    case 'eq':
      return left === right;
    case 'neq':
      return left !== right;
    case 'gt':
      return left > right;
    case 'gte':
      return left >= right;
    case 'lt':
      return left < right;
    case 'lte':
      return left <= right;
  }
}
