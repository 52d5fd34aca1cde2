/** A stranger with the public key sends a hundred recordings of 128 chunks: the day's quotas limit what is stored. */
import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { updateSite } from '../../../db/sites/sites.ts';
import { DEFAULT_QUOTAS } from '../../../domain/sites/siteQuotas.ts';
import type { Figure } from '../../load/figures.ts';
import { awaitIngested, hitOf } from './hits.ts';
import { figure, unexpectedAnswers, healthFigures, NEIGHBOUR, watchHealth, type Probe } from './probe.ts';
import type { ProbeSite, ProbeStage } from './stage.ts';
import { countUnexpected } from './watch.ts';

const [RECORDINGS, CHUNKS] = [100, 128];
/** Below the limit of concurrent requests per address, so that none gets a 503. */
const AT_A_TIME = 40;
/** The default of 4 GB would take minutes to fill. */
const SITE_QUOTA_MB = 256;
const MEGABYTE = 1_024 * 1_024;
/** Maximum size of a chunk: the quotas count chunks in progress only once they are stored. */
const CHUNK_MB = 0.13;
const SLOWEST_HEALTH_MS = 1_000;
const INGESTED_WITHIN_SECONDS = 30;

export const probeRecordings: Probe = async (stage) => {
  const health = watchHealth(stage);
  const ofAddress = await fill(stage, { addresses: 1, quotas: {} });
  const ofSite = await fill(stage, { addresses: 250, quotas: { recording_mb_per_day: SITE_QUOTA_MB } });
  const healthSeen = await health.stop();
  return [
    ...filledFigures('one address', ofAddress, DEFAULT_QUOTAS.recording_mb_per_address),
    ...filledFigures('one site, 250 addresses', ofSite, SITE_QUOTA_MB),
    ...healthFigures(healthSeen, SLOWEST_HEALTH_MS),
  ];
};

interface Filled {
  statuses: Record<string, number>;
  seconds: number;
  /** Megabytes of the files of the site's recordings. */
  stored: number;
  /** Megabytes that the quota counts. */
  counted: number;
}

async function fill(
  stage: ProbeStage,
  { addresses, quotas }: { addresses: number; quotas: { recording_mb_per_day?: number } },
): Promise<Filled> {
  const site = await stage.addSite();
  await updateSite(stage.pool, site.id, { recordings: true, quotas });
  const { statuses, seconds } = await stage.flood({
    flood: { kind: 'chunks', key: site.tagKey, visitors: await addVisitors(stage, site), addresses },
    connections: AT_A_TIME,
    perSecond: null,
    total: RECORDINGS * CHUNKS,
    seconds: null,
  });
  const { rows } = await stage.pool.query<{ bytes: number }>(
    `select sum(bytes)::float8 as bytes from recording_bytes where site_id = $1 and sender = ''`,
    [site.id],
  );
  return {
    statuses,
    seconds,
    stored: (await bytesBelow(join(stage.blobDir, 'recordings', site.id))) / MEGABYTE,
    counted: (rows[0]?.bytes ?? Number.NaN) / MEGABYTE,
  };
}

/** Adds a visitor for each recording, because only visitors whom /collect knows are recorded. */
async function addVisitors(stage: ProbeStage, { tagKey }: ProbeSite): Promise<string[]> {
  const visitors = Array.from({ length: RECORDINGS }, () => randomUUID());
  const statuses: Record<string, number> = {};
  for (const visitor of visitors) {
    const status = await stage.ask({ method: 'POST', path: '/collect', from: NEIGHBOUR, body: hitOf(tagKey, visitor) });
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  const ingested = await awaitIngested(stage, INGESTED_WITHIN_SECONDS);
  if (countUnexpected([202], statuses) !== 0 || Number.isNaN(ingested)) throw new Error('the visitors are not known');
  return visitors;
}

async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  let bytes = 0;
  for (const entry of entries) if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  return bytes;
}

function filledFigures(who: string, { statuses, seconds, stored, counted }: Filled, quotaMb: number): Figure[] {
  const most = Math.ceil(quotaMb + AT_A_TIME * CHUNK_MB);
  return [
    figure(`recordings of ${who}: stored`, stored, 'MB', `<= ${most}`),
    figure(`recordings of ${who}: counted in the quota`, counted, 'MB', `>= ${quotaMb}`),
    figure(`recordings of ${who}: stored, less counted`, Math.abs(stored - counted), 'MB', '<= 0'),
    unexpectedAnswers(`recordings of ${who}`, [202, 429], statuses),
    figure(`recordings of ${who}: answers`, (RECORDINGS * CHUNKS) / seconds, '/s'),
  ];
}
