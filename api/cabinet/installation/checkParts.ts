/**
 * Checks whether each part of the installation works. Every check has a time limit, since people look here when
 * something is wrong.
 */
import type pg from 'pg';
import { fetch } from 'undici';
import type { BlobStore } from '../../../platform/blobs/createBlobStore.ts';
import { readServerVersion } from '../../../db/installation/serverVersion.ts';
import { readServiceReport, type ServiceReport } from '../../../db/installation/serviceReports.ts';
import { INGEST_STATE, LAKE_STATE, OUTBOX_STATE, SERVER_STATE } from '../../../db/installation/waitingWorkGauges.ts';
import { nullOnTimeout } from '../../../platform/process/concurrency/nullOnTimeout.ts';
import { RELAY_STALE_SECONDS } from '../../content/healthCheck.ts';
import type { PartName, PartState } from './installationSchemas.ts';

const CHECK_TIMEOUT_MS = 2_000;
/** As in ops/alerts.yml. */
const MAX_LAG_SECONDS = { outbox: 300, ingest: 120, lake: 300, backup: 26 * 3_600 };
const MAX_CONNECTIONS = 0.8;
/** A key that no blob has; the store has to look for it all the same. */
const NO_BLOB = 'installation/none';

export interface Part {
  part: PartName;
  state: PartState;
  version: string | null;
  address: string | null;
  seconds: number | null;
  rejected: number | null;
}

const partOf = (part: PartName, state: PartState, told: Partial<Part> = {}): Part => ({
  part,
  state,
  version: null,
  address: null,
  seconds: null,
  rejected: null,
  ...told,
});

export interface PartsDeps {
  pool: pg.Pool;
  blobs: BlobStore;
  selectionUrls: readonly string[];
}

export async function readParts({ pool, blobs, selectionUrls }: PartsDeps): Promise<Part[]> {
  const parts = await Promise.all([
    readPostgres(pool),
    nullOnTimeout(readServiceReport(pool, 'relay'), CHECK_TIMEOUT_MS).then(relayParts),
    readOutbox(pool),
    Promise.all(selectionUrls.map(readSelection)),
    readAnalytics(pool),
    readBlobs(blobs),
  ]);
  return parts.flat();
}

async function readPostgres(pool: pg.Pool): Promise<Part[]> {
  const [version, server] = await Promise.all([
    nullOnTimeout(readServerVersion(pool), CHECK_TIMEOUT_MS),
    nullOnTimeout(SERVER_STATE.read(pool), CHECK_TIMEOUT_MS),
  ]);
  if (!server) return [partOf('postgresql', 'degraded', { version }), partOf('backup', 'unknown')];
  const { connections, backupAgeSeconds: seconds } = server;
  return [
    partOf('postgresql', connections > MAX_CONNECTIONS ? 'degraded' : 'ok', { version }),
    partOf('backup', seconds > MAX_LAG_SECONDS.backup ? 'degraded' : 'ok', { seconds }),
  ];
}

/**
 * Returns the states of Temporal and the relay. Only the relay talks to Temporal constantly, so it reports whether
 * Temporal answers.
 */
function relayParts(told: ServiceReport | null): Part[] {
  const isSilent = told === null || told.ageSeconds > RELAY_STALE_SECONDS;
  const relay = partOf('relay', isSilent ? 'unreachable' : 'ok', { seconds: told?.ageSeconds ?? null });
  const version = told?.report['temporalVersion'];
  const isReachable = told?.report['temporalReachable'] === true;
  const reached = isReachable ? 'ok' : 'unreachable';
  const temporal = partOf('temporal', isSilent ? 'unknown' : reached, {
    version: typeof version === 'string' ? version : null,
  });
  return [temporal, relay];
}

async function readOutbox(pool: pg.Pool): Promise<Part> {
  const state = await nullOnTimeout(OUTBOX_STATE.read(pool), CHECK_TIMEOUT_MS);
  if (!state) return partOf('outbox', 'unknown');
  return laggingPart('outbox', state.lagSeconds, state.refused);
}

async function readAnalytics(pool: pg.Pool): Promise<Part[]> {
  const [ingest, lake] = await Promise.all([
    nullOnTimeout(INGEST_STATE.read(pool), CHECK_TIMEOUT_MS),
    nullOnTimeout(LAKE_STATE.read(pool), CHECK_TIMEOUT_MS),
  ]);
  if (!ingest) return [partOf('ingest', 'unknown'), partOf('lake', 'unknown')];
  const { lagSeconds, setAside, stagedAgeSeconds } = ingest;
  return [
    laggingPart('ingest', lagSeconds, setAside),
    // A new installation has no lake before its first hits.
    lake ? laggingPart('lake', stagedAgeSeconds, lake.failedRows) : partOf('lake', 'unknown'),
  ];
}

function laggingPart(part: 'outbox' | 'ingest' | 'lake', seconds: number, rejected: number): Part {
  return partOf(part, seconds > MAX_LAG_SECONDS[part] || rejected > 0 ? 'degraded' : 'ok', { seconds, rejected });
}

/** Any response at all shows that the process is running. */
async function readSelection(url: string): Promise<Part> {
  const answered = fetch(url, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) }).then(async (response) => {
    await response.body?.cancel();
    return true;
  });
  const isThere = await nullOnTimeout(answered, CHECK_TIMEOUT_MS);
  return partOf('selection', isThere === true ? 'ok' : 'unreachable', { address: new URL(url).host });
}

async function readBlobs(blobs: BlobStore): Promise<Part> {
  const looked = blobs.open(NO_BLOB, 0, 1).then((found) => {
    found?.stream.destroy();
    return true;
  });
  return partOf('blobs', (await nullOnTimeout(looked, CHECK_TIMEOUT_MS)) === true ? 'ok' : 'unreachable');
}
