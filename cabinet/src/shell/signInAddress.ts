/** The sign-in page, which is a separate document. */

const BASE = '/cabinet';

/**
 * Leaves the app.
 * @param next the path of the cabinet to return to
 */
export function openSignIn(next: string | null): void {
  location.assign(`${BASE}/sign-in${next === null ? '' : `?next=${encodeURIComponent(next)}`}`);
}

/** Returns the address that the page opens after signing in: never another site. */
export function addressAfterSignIn(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/';
  return BASE + (/^\/(?![/\\])/.test(next) ? next : '/');
}
