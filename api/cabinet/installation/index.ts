/** The state of the whole installation: GET /installation. */
import { listUsedQuotas, type UsedQuota } from '../../../db/installation/quotas.ts';
import { moscowDay } from '../../../domain/sites/moscowDays.ts';
import { monthOf } from '../../../domain/analysis/volume.ts';
import { readDisks, type Disk } from '../../../platform/process/metrics/disks.ts';
import { define } from '../cabinetOperation.ts';
import { Installation, installationExample, type PartState } from './fields.ts';
import { readParts } from './checkParts.ts';
import { readWork } from './work.ts';
import { DAY_MS } from '../../../domain/timeUnits.ts';

const DISK_MS = 2_000;
/** As in ops/alerts.yml. */
const MIN_FREE = 0.15;
const HIGH_USAGE = 0.5;

export const getInstallation = define({
  method: 'get',
  path: '/installation',
  operationId: 'getInstallation',
  tag: 'state',
  summary: 'Состояние установки',
  description:
    'Здоровье частей, место на дисках, что ждёт и что не удалось — по видам, старейшее первым, с workflow в Temporal, — и кто близок к своей квоте. Отвечает и тогда, когда Temporal недоступен. Только admin.',
  replies: { 200: { description: 'Состояние', schema: Installation, example: installationExample } },
  errors: [],
  async handle(_request, { pool, blobs, installation }) {
    const { version, temporalUrl, folders, selectionUrls } = installation;
    const [parts, disks, work, quotas] = await Promise.all([
      readParts({ pool, blobs, selectionUrls }),
      readDisks(folders, DISK_MS),
      readWork(pool, temporalUrl),
      listUsedQuotas(pool, { share: HIGH_USAGE, ...today() }),
    ]);
    return {
      status: 200,
      body: {
        version,
        node_version: process.versions.node,
        temporal_url: temporalUrl,
        parts,
        disks: disks.map(toDisk),
        work,
        quotas: quotas.map(toQuota),
      },
    };
  },
});

/** Returns the current day and month; quotas are counted by Moscow time. */
function today(): { day: string; month: string } {
  const day = new Date(moscowDay(Date.now()) * DAY_MS).toISOString().slice(0, 10);
  return { day, month: monthOf(new Date()) };
}

function toDisk({ folder, freeBytes, totalBytes }: Disk) {
  const state: PartState = freeBytes < totalBytes * MIN_FREE ? 'degraded' : 'ok';
  return { folder: folder as 'work' | 'blobs' | 'lake', state, free_bytes: freeBytes, total_bytes: totalBytes };
}

function toQuota({ quota, projectId, siteId, title, client, used, most }: UsedQuota) {
  return { quota, project_id: projectId, site_id: siteId, title, client, used, limit: most };
}
