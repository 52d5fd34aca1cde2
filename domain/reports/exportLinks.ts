/** The signed link to the file of an export. It needs no session, so the recipient of the mail can open it. */
import type { ExportRef } from './exports.ts';
import { deriveKey } from '../accounts/secretKeys.ts';
import { openToken, sealToken } from '../accounts/signedLinks.ts';

export interface ExportLinks {
  /** Returns the absolute address of the file. The same export always has the same one. */
  urlFor(ref: ExportRef, expiresAt: Date): string;
  /** Returns the export of a token; null when it is forged, damaged or expired. */
  open(token: string): (ExportRef & { secondsLeft: number }) | null;
}

/** Creates the links. @param now Unix time in milliseconds */
export function createExportLinks(secretKey: Buffer, publicUrl: string, now: () => number = Date.now): ExportLinks {
  const key = deriveKey(secretKey, 'export-links');
  return {
    urlFor: ({ siteId, exportId }, expiresAt) =>
      `${publicUrl}/exports/${sealToken(key, `${siteId}/${exportId}`, Math.floor(expiresAt.getTime() / 1000))}`,
    open(token) {
      const link = openToken(key, token, Math.floor(now() / 1000));
      if (!link) return null;
      const [siteId = '', exportId = ''] = link.subject.split('/');
      return { siteId, exportId, secondsLeft: link.secondsLeft };
    },
  };
}
