/** The sign-in page, which is a separate document. */

const BASE = '/cabinet';

/**
 * Leaves the app.
 * @param next the path of the cabinet to return to
 */
export function openSignIn(next: string | null): void {
  location.assign(signInAddress(next));
}

/** Returns the address of the page. @param next the path of the cabinet to return to */
function signInAddress(next: string | null): string {
  return `${BASE}/sign-in${next === null ? '' : `?next=${encodeURIComponent(next)}`}`;
}

/** Returns the address of the page that returns to the current one. */
export function signInAgainAddress(): string {
  return signInAddress(location.pathname.slice(BASE.length) + location.search);
}

/** Returns the address that the page opens after signing in: never another site. */
export function addressAfterSignIn(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/';
  return BASE + (/^\/(?![/\\])/.test(next) ? next : '/');
}
