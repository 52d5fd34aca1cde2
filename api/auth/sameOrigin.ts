/**
 * Checks whether a browser sent a request from our own pages. Requests to which a browser adds a session cookie
 * automatically must come from there; tokens need no check, since browsers never add them automatically.
 */
import type { IncomingHttpHeaders } from 'node:http';

/** `unknown`: an old browser, or none at all. */
export type Sender = 'own pages' | 'elsewhere' | 'unknown';

/**
 * Judges by Sec-Fetch-Site, which no page can forge, and by Origin where a browser does not send Sec-Fetch-Site (older
 * browsers, and all of them over plain http): OWASP CSRF Prevention Cheat Sheet.
 * @param own the request's scheme, and the installation's own origin for proxies that change the Host
 */
export function senderOf(headers: IncomingHttpHeaders, own: { publicUrl: string; isHttps: boolean }): Sender {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' ? 'own pages' : 'elsewhere';
  const { origin } = headers;
  if (origin === undefined) return 'unknown';
  // `null`, which sandboxed frames and redirects send, belongs to no origin.
  if (!URL.canParse(origin)) return 'elsewhere';
  const asked = `${own.isHttps ? 'https' : 'http'}://${headers.host ?? ''}`;
  return [own.publicUrl, asked].some((ours) => URL.canParse(ours) && new URL(ours).origin === new URL(origin).origin)
    ? 'own pages'
    : 'elsewhere';
}
