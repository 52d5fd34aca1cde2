/** Commands for the ledger of deletions, which a restore replays. */
import { createBlobStore } from '../../../platform/blobs/createBlobStore.ts';
import { readLedgerDay } from '../../../platform/blobs/deletionLedger.ts';
import { loadConfig, type Config } from '../../../config.ts';
import { listLedger, recordDeletions } from '../../../db/people/deletionLedger.ts';
import { ledgerDays, ledgerLine, parseLedger, type LedgerEntry } from '../../../domain/privacy/deletionLedger.ts';
import { deriveKey } from '../../../domain/accounts/secretKeys.ts';
import type { Command } from './command.ts';
import type { AdminContext } from './context.ts';
import { replayDeletions } from './replayDeletions.ts';
import { UsageError } from './usageError.ts';

const PAGE = 5_000;

const listDeletions: Command = {
  name: 'list-deletions',
  usage: '',
  about: 'prints the ledger of deletions (hashes and times); keep it apart from the backups',
  options: {},
  async run({ pool }) {
    const lines: string[] = [];
    for (let after: LedgerEntry | null = null; ;) {
      const page: LedgerEntry[] = await listLedger(pool, after, PAGE);
      lines.push(...page.map(ledgerLine));
      after = page.at(-1) ?? null;
      if (page.length < PAGE) return lines;
    }
  },
};

const replay: Command = {
  name: 'replay-deletions',
  usage: '[--ledger -]',
  about:
    'after a restore, deletes again everybody whom the backup brought back; reads the ledger in the blob store and, with --ledger -, the output of list-deletions from the standard input',
  options: { ledger: { type: 'string' } },
  async run(context, values) {
    const config = loadConfig(context.env);
    const given = await readGiven(context, values.ledger);
    const stored = await readStored(config);
    await recordInLedger(context, [...given, ...stored]);
    const { identities, visitors, users } = await replayDeletions(
      context.pool,
      deriveKey(config.secretKey, 'deletion-ledger'),
    );
    return [
      `read ${stored.length} entries of the blob store's ledger and ${given.length} given ones`,
      `deleted again: ${identities} identities of end users, ${visitors} visitors and ${users} users of sites`,
      ...(visitors + users > 0
        ? ['The lake and files of exports lose them with the next run of visitor-deletions.']
        : []),
    ];
  },
};

export const deletionCommands: readonly Command[] = [listDeletions, replay];

async function readGiven({ readInput }: AdminContext, ledger: string | undefined): Promise<LedgerEntry[]> {
  if (ledger === undefined) return [];
  if (ledger !== '-') throw new UsageError('--ledger accepts only -, which reads the ledger from the standard input');
  try {
    return parseLedger(await readInput());
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

async function readStored(config: Config): Promise<LedgerEntry[]> {
  const blobs = createBlobStore(config.blobs, config.workDir);
  const entries: LedgerEntry[] = [];
  for (const day of ledgerDays(new Date())) entries.push(...(await readLedgerDay(blobs, day)));
  return entries;
}

/** Completes the ledger of the restored database, which has only the entries of its own time. */
async function recordInLedger({ pool }: AdminContext, entries: readonly LedgerEntry[]): Promise<void> {
  // Sorted by time, because the last of several entries about one subject is kept.
  const sorted = entries.toSorted((a, b) => (a.deletedAt < b.deletedAt ? -1 : Number(a.deletedAt > b.deletedAt)));
  for (let start = 0; start < sorted.length; start += PAGE)
    await recordDeletions(pool, sorted.slice(start, start + PAGE));
}
