/** Host names of a site: exact ones, `*.example.com` for everything below it, `*` for any. */

/** Maximum number of hosts of a site, and of referrers that it ignores. */
export const MAX_HOSTS = 100;
/** Maximum length of a name in DNS. */
export const MAX_HOST_LENGTH = 253;
const LABELS = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;
const IPV6 = /^\[[0-9a-f:.]+\]$/i;
/** Characters that would make the text more than a host. */
const NOT_OF_A_HOST = /[\s/?#@:\\%*]/;

/**
 * Returns a host as browsers write it in `location.hostname`: lower case, Punycode, no dot at the end.
 * @returns null when the text is neither a host name nor an address, nor `*.` before a name, nor `*`
 */
export function normaliseHost(text: string): string | null {
  if (text === '*') return text;
  const isWild = text.startsWith('*.');
  const host = hostOf(isWild ? text.slice(2) : text);
  if (host === null) return null;
  return isWild ? wildOf(host) : host;
}

/** Nothing is below an IP address. */
function wildOf(host: string): string | null {
  return /^\[|^[\d.]+$/.test(host) ? null : `*.${host}`;
}

function hostOf(text: string): string | null {
  if (IPV6.test(text) ? false : NOT_OF_A_HOST.test(text) || text === '') return null;
  if (!URL.canParse(`http://${text}/`)) return null;
  const host = new URL(`http://${text}/`).hostname.replace(/\.$/, '');
  return host.length <= MAX_HOST_LENGTH && (IPV6.test(host) || LABELS.test(host)) ? host : null;
}

/**
 * Returns all entries except `*` with which a site would list the host: the host itself, and the wildcards of its
 * parent domains.
 * @param host as `URL.hostname` has it
 */
export function listedNamesOf(host: string): string[] {
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  if (name === '' || wildOf(name) === null) return name === '' ? [] : [name];
  const labels = name.split('.');
  return [name, ...labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`)];
}

/** Returns true when a site lists a host. @param host as `URL.hostname` has it */
export function listsHost(hosts: readonly string[], host: string): boolean {
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  return hosts.some(
    (listed) =>
      listed === '*' ||
      listed === name ||
      (listed.startsWith('*.') && name.endsWith(listed.slice(1)) && name.length > listed.length - 1),
  );
}
