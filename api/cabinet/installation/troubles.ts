/** The most urgent problems for users of the cabinet: GET /troubles. */
import Type from 'typebox';
import {
  listFailedItems,
  listSilentSites,
  MAX_FAILED,
  type FailedItems,
  type SilentSite,
} from '../../../db/installation/failedItemsAndSilentSites.ts';
import { FAILED_DAYS } from '../../../db/installation/waitingAndFailedWork.ts';
import { dateTime, nullable, type Static } from '../../../domain/schemas/schema.ts';
import { define } from '../cabinetOperation.ts';

const Troubles = Type.Object(
  {
    failed_items: Type.Array(
      Type.Object({
        project_id: Type.String(),
        project_title: Type.String(),
        count: Type.Integer({ minimum: 1, description: `${MAX_FAILED} — столько или больше` }),
        last_at: dateTime({ description: 'Когда не удался последний' }),
      }),
      { description: `Проекты с объектами, анализ которых не удался за последние ${FAILED_DAYS} дней` },
    ),
    silent_sites: Type.Array(
      Type.Object({
        site_id: Type.String(),
        site_title: Type.String(),
        last_hit_on: nullable(
          Type.String({ format: 'date', description: 'День последнего хита, по Москве; null — хитов ещё не было' }),
        ),
      }),
      { description: 'Сайты, у которых не было хитов ни сегодня, ни вчера' },
    ),
  },
  { title: 'Troubles' },
);

const example: Static<typeof Troubles> = {
  failed_items: [{ project_id: 'a1b2c3d4e5f6', project_title: 'Школа', count: 3, last_at: '2026-11-20T09:00:00.000Z' }],
  silent_sites: [{ site_id: 'b2c3d4e5f6a1', site_title: 'Магазин', last_hit_on: '2026-11-17' }],
};

export const getTroubles = define({
  method: 'get',
  path: '/troubles',
  operationId: 'getTroubles',
  tag: 'state',
  summary: 'На что посмотреть в первую очередь',
  description:
    'Действующие проекты и сайты, доступные вызывающему: не больше 50 каждого вида. Вебхуки отдельно: GET /webhooks/alerts.',
  access: 'viewer',
  replies: { 200: { description: 'Неудачи и затихшие сайты', schema: Troubles, example } },
  errors: [],
  async handle({ caller }, { pool }) {
    const [failed, silent] = await Promise.all([
      listFailedItems(pool, caller.scope),
      listSilentSites(pool, caller.scope),
    ]);
    return { status: 200, body: { failed_items: failed.map(toFailed), silent_sites: silent.map(toSilent) } };
  },
});

function toFailed({ projectId, projectTitle, count, lastAt }: FailedItems) {
  return { project_id: projectId, project_title: projectTitle, count, last_at: lastAt.toISOString() };
}

function toSilent({ siteId, siteTitle, lastHitOn }: SilentSite) {
  return { site_id: siteId, site_title: siteTitle, last_hit_on: lastHitOn };
}
