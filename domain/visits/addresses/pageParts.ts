/** The parts of a page's address that reports group by. */

export interface PageParts {
  /** Lower case, without port and root dot, as a site lists its hosts; empty where there is none. */
  domain: string;
  /** Without query and fragment. */
  path: string;
}

/** Splits by the URL standard; an invalid address is all path. */
export function pageParts(url: string): PageParts {
  const parsed = URL.parse(url);
  return parsed === null
    ? { domain: '', path: url.replace(/[?#].*$/s, '') }
    : { domain: parsed.hostname.replace(/\.$/, ''), path: parsed.pathname };
}
