/** Content security policies of the cabinet's pages. */

/** @param publicUrl the origin in links to frames and media */
export function pagePolicy(nonce: string, publicUrl: string): string {
  const { origin } = new URL(publicUrl);
  return [
    "default-src 'none'",
    "script-src 'self'",
    // The component library adds its own style element to the page.
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' ${origin}`,
    `media-src 'self' ${origin}`,
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Policy of the player, which shows recorded pages of other sites: their images, fonts and styles are loaded from
 * anywhere, and nothing else is. The pages are in a separate frame, which may not run scripts, submit forms or
 * navigate.
 */
const REPLAY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // A recording may contain inline styles as well as loaded ones.
  "style-src 'self' 'unsafe-inline' https: http:",
  'img-src https: http: data: blob:',
  'font-src https: http: data:',
  "connect-src 'none'",
  "frame-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Keeps the hosts of images from learning on which page they are shown. */
export const REPLAY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': REPLAY_POLICY,
  'Referrer-Policy': 'no-referrer',
};

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'same-origin',
};
