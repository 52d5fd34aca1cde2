/** Response schemas of the installation's state. */
import Type from 'typebox';
import { JOB_KINDS } from '../../../domain/jobs/jobs.ts';
import { FAILED_DAYS, MAX_COUNTED } from '../../../db/installation/waitingAndFailedWork.ts';
import { dateTime, nullable, oneOf } from '../../../domain/schemas/schema.ts';

export const PARTS = [
  'postgresql',
  'temporal',
  'relay',
  'outbox',
  'selection',
  'ingest',
  'lake',
  'blobs',
  'backup',
] as const;
export type PartName = (typeof PARTS)[number];

export const STATES = ['ok', 'degraded', 'unreachable', 'unknown'] as const;
export type PartState = (typeof STATES)[number];

export const WORK_KINDS = ['items', 'deliveries', 'exports', 'deletions', 'garbage', ...JOB_KINDS] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

const count = Type.Integer({ minimum: 0 });

const Part = Type.Object(
  {
    part: oneOf(PARTS, {
      description: 'selection — по одной строке на каждый адрес SELECTION_URLS; temporal — по словам relay',
    }),
    state: oneOf(STATES, { description: 'unknown — спросить не у кого: молчит relay' }),
    version: nullable(Type.String()),
    address: nullable(Type.String({ description: 'Какой из нескольких' })),
    seconds: nullable(
      Type.Number({
        minimum: 0,
        description:
          'relay — сколько молчит; outbox, ingest, lake — сколько ждёт самое старое; backup — сколько прошло с последней копии',
      }),
    ),
    rejected: nullable(
      Type.Integer({
        minimum: 0,
        description: 'outbox — отвергнуто Temporal много раз; ingest, lake — отложено, потому что не разобрано',
      }),
    ),
  },
  { title: 'InstallationPart' },
);

const Entry = Type.Object(
  {
    at: dateTime({ description: 'С каких пор ждёт либо когда не удалось' }),
    project_id: nullable(Type.String()),
    site_id: nullable(Type.String()),
    id: nullable(Type.String({ description: 'Объект, доставка, загрузка, выгрузка, модель; null у удалений людей' })),
    workflow_id: nullable(Type.String({ description: 'Кто делает эту работу в Temporal; null — не workflow' })),
    workflow_url: nullable(Type.String({ description: 'Его страница; null без TEMPORAL_UI_URL' })),
  },
  { title: 'WorkEntry' },
);

const Work = Type.Object(
  {
    kind: oneOf(WORK_KINDS, {
      description: 'deletions — удаления посетителей и пользователей; garbage — файлы, которые пора удалить',
    }),
    waiting: Type.Integer({ minimum: 0, description: `${MAX_COUNTED} — столько или больше` }),
    oldest: Type.Array(Entry, { description: 'Старейшие, не больше пяти' }),
    failed: nullable(
      Type.Integer({
        minimum: 0,
        description: `За последние ${FAILED_DAYS} дней, ${MAX_COUNTED} — столько или больше; null — такая работа повторяется, пока не удастся`,
      }),
    ),
    latest_failed: Type.Array(Entry, {
      description: 'Последние неудачи, не больше пяти; объект и доставка — по одной от проекта или вебхука',
    }),
  },
  { title: 'InstallationWork' },
);

const Disk = Type.Object(
  {
    folder: oneOf(['work', 'blobs', 'lake']),
    state: oneOf(STATES),
    free_bytes: count,
    total_bytes: count,
  },
  { title: 'InstallationDisk' },
);

const Quota = Type.Object(
  {
    quota: oneOf(['hits_per_day', 'monthly_volume']),
    project_id: nullable(Type.String()),
    site_id: nullable(Type.String()),
    title: Type.String(),
    client: Type.String(),
    used: Type.Number({ minimum: 0 }),
    limit: Type.Number({ minimum: 0 }),
  },
  { title: 'UsedQuota' },
);

export const Installation = Type.Object(
  {
    version: Type.String({ description: 'Attune' }),
    node_version: Type.String(),
    temporal_url: nullable(Type.String({ description: 'Страница Temporal: пространство имён установки' })),
    parts: Type.Array(Part),
    disks: Type.Array(Disk, { description: 'Папок процесса api; у бакетов конца нет' }),
    work: Type.Array(Work),
    quotas: Type.Array(Quota, { description: 'Израсходовано больше половины; самые близкие к пределу, до десяти' }),
  },
  { title: 'Installation' },
);

export const installationExample = {
  version: '0.1.0',
  node_version: '24.21.0',
  temporal_url: 'http://127.0.0.1:8233/namespaces/attune',
  parts: [{ part: 'postgresql', state: 'ok', version: '18.1', address: null, seconds: null, rejected: null }],
  disks: [{ folder: 'work', state: 'ok', free_bytes: 52_000_000_000, total_bytes: 100_000_000_000 }],
  work: [
    {
      kind: 'items',
      waiting: 1,
      oldest: [
        {
          at: '2026-11-20T09:00:00.000Z',
          project_id: 'a1b2c3d4e5f6',
          site_id: null,
          id: 'lesson-42',
          workflow_id: 'item/a1b2c3d4e5f6/lesson-42',
          workflow_url: 'http://127.0.0.1:8233/namespaces/attune/workflows/item%2Fa1b2c3d4e5f6%2Flesson-42',
        },
      ],
      failed: 0,
      latest_failed: [],
    },
  ],
  quotas: [
    {
      quota: 'hits_per_day',
      project_id: null,
      site_id: 'b2c3d4e5f6a1',
      title: 'Магазин',
      client: 'Attune',
      used: 800_000,
      limit: 1_000_000,
    },
  ],
};
