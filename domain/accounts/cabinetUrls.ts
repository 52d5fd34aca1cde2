/** Addresses of the cabinet that are passed on to people. */

/**
 * Returns the address of the page that signs in with a link. The secret is in the fragment, which browsers send to
 * nobody, so it appears neither in the logs of proxies nor in the Referer header.
 */
export function signInUrl(publicUrl: string, secret: string): string {
  return `${publicUrl}/cabinet/sign-in#${secret}`;
}
