/**
 * Whether a browser sent a request from our own pages. What a browser does by itself with a session's
 * cookie must come from there; tokens need none of this, for no browser adds them by itself.
 */
import type { IncomingHttpHeaders } from 'node:http';

/** `unknown`: not a browser of this decade, or none at all. */
export type Sender = 'own pages' | 'elsewhere' | 'unknown';

/**
 * Judges by Sec-Fetch-Site, which no page can forge, and by Origin where a browser does not send it
 * (older ones, and all of them over plain http): OWASP CSRF Prevention Cheat Sheet.
 * @param own how the request came, and the installation's own origin for proxies that change the Host
 */
export function senderOf(headers: IncomingHttpHeaders, own: { publicUrl: string; isHttps: boolean }): Sender {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' ? 'own pages' : 'elsewhere';
  const { origin } = headers;
  if (origin === undefined) return 'unknown';
  // `null`, as sandboxed frames and redirects send it, is nobody's.
  if (!URL.canParse(origin)) return 'elsewhere';
  const asked = `${own.isHttps ? 'https' : 'http'}://${headers.host ?? ''}`;
  return [own.publicUrl, asked].some((ours) => URL.canParse(ours) && new URL(ours).origin === new URL(origin).origin)
    ? 'own pages'
    : 'elsewhere';
}
