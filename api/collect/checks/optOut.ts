/** Global Privacy Control (https://www.w3.org/TR/gpc/): docs/decisions/global-privacy-control.md. */
import type { IncomingMessage } from 'node:http';
import type { SiteSettings } from '../../../domain/sites/siteSettings.ts';

/**
 * Returns true when the visitor opted out and the site honours it. The tag sends nothing in that case; this is for
 * other trackers and for old snippets in pages.
 */
export function optsOut(
  { headers }: Pick<IncomingMessage, 'headers'>,
  { honourGpc }: Pick<SiteSettings, 'honourGpc'>,
): boolean {
  return honourGpc && headers['sec-gpc'] === '1';
}
