/**
 * Copies the deletion ledger to the blob store, where it survives the loss of the database and the restore of an older
 * one.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readLedgerDay } from '../../platform/blobs/deletionLedger.ts';
import type { BlobStore } from '../../platform/blobs/createBlobStore.ts';
import type pg from 'pg';
import { runExclusively } from '../../db/advisoryLock.ts';
import { listLedgerOfDay, listRecordedDays } from '../../db/people/deletionLedger.ts';
import { ledgerBlobKey, ledgerLine } from '../../domain/privacy/deletionLedger.ts';
import { withWorkFolder } from '../../platform/disk/workDir.ts';

export interface LedgerCopyDeps {
  pool: pg.Pool;
  blobs: Pick<BlobStore, 'open' | 'putFile'>;
  workDir: string;
}

/** Interval of copying the ledger: until then a deletion is only in the database. */
export const LEDGER_MS = 60_000;
/** Age limit for copying: older entries were copied long ago, or the operator knows that the store is unavailable. */
const COPIED_HOURS = 48;

/** Makes one pass. Safe to run in several relays: only one of them makes the pass. */
export async function copyLedger(deps: LedgerCopyDeps): Promise<void> {
  await runExclusively(deps.pool, 'ledger', async () => {
    for (const day of await listRecordedDays(deps.pool, COPIED_HOURS)) await copyDay(deps, day);
  });
}

/** Copies one day. Lines are added and never removed: after a restore the database has fewer than the store. */
async function copyDay({ pool, blobs, workDir }: LedgerCopyDeps, day: string): Promise<void> {
  const copied = (await readLedgerDay(blobs, day)).map(ledgerLine);
  const lines = new Set([...copied, ...(await listLedgerOfDay(pool, day)).map(ledgerLine)]);
  if (lines.size === copied.length) return;
  await mkdir(workDir, { recursive: true });
  await withWorkFolder(workDir, async (folder) => {
    const path = join(folder, 'ledger');
    await writeFile(path, `${[...lines].sort().join('\n')}\n`);
    await blobs.putFile(ledgerBlobKey(day), path);
  });
}
