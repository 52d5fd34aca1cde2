/** Global Privacy Control (https://www.w3.org/TR/gpc/): docs/decisions/global-privacy-control.md. */
import type { IncomingMessage } from 'node:http';
import type { SiteSettings } from '../../domain/sites.ts';

/** Whether the visitor asked not to be followed, and the site heeds it. The tag sends nothing then; this is for other trackers and for a page's old snippet. */
export function optsOut(
  { headers }: Pick<IncomingMessage, 'headers'>,
  { honourGpc }: Pick<SiteSettings, 'honourGpc'>,
): boolean {
  return honourGpc && headers['sec-gpc'] === '1';
}
