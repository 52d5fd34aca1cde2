/** The copy of the deletion ledger in the blob store (domain/privacy/deletionLedger.ts). */
import { text } from 'node:stream/consumers';
import { ledgerBlobKey, parseLedger, type LedgerEntry } from '../../domain/privacy/deletionLedger.ts';
import type { BlobStore } from './types.ts';

/** Reads the entries of one day (UTC); empty when nobody was deleted. */
export async function readLedgerDay(blobs: Pick<BlobStore, 'open'>, day: string): Promise<LedgerEntry[]> {
  const blob = await blobs.open(ledgerBlobKey(day));
  return blob ? parseLedger(await text(blob.stream)) : [];
}
