/** The parts of a page's address that reports group by. */

export interface PageParts {
  /** Lower case, without port; empty where there is none. */
  domain: string;
  /** Without query and fragment. */
  path: string;
}

/** By the URL standard; what is no address is all path. */
export function pageParts(url: string): PageParts {
  const parsed = URL.parse(url);
  return parsed === null
    ? { domain: '', path: url.replace(/[?#].*$/s, '') }
    : { domain: parsed.hostname, path: parsed.pathname };
}
