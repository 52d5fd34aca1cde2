/** Recovery of missed deliveries of a webhook: POST …/{wid}/recover, GET …/{wid}/recoveries, GET …/recoveries/{rid}. */
import Type from 'typebox';
import {
  findRecovery,
  listRecoveries,
  openRecovery,
  type StoredRecovery,
} from '../../../db/webhooks/deliveries/recoveries.ts';
import { findWebhook } from '../../../db/webhooks/webhooks.ts';
import { parseDateTime } from '../../../domain/dateTime.ts';
import { JOURNAL_DAYS } from '../../../domain/webhooks/journalDays.ts';
import { RECOVERABLE_STATUSES, RECOVERY_STATES } from '../../../domain/webhooks/recovery.ts';
import { notFound, validationFailed } from '../../http/errors.ts';
import { ID_FORMS, pageById, type PageById, pageQuery } from '../../http/paging.ts';
import { dateTime, nullable, oneOf, strictObject, type Static } from '../../../domain/schemas/schema.ts';
import { define, pageOf, PROJECT_ID, UUID, WebhookPath } from '../cabinetOperation.ts';

const RecoverRequest = strictObject(
  {
    since: dateTime({
      description: `Доставки, созданные не раньше; раньше ${JOURNAL_DAYS} дней назад журнала нет, и отсчёт идёт от его начала`,
    }),
    until: Type.Optional(
      dateTime({ description: 'И раньше этого времени; без него и в будущем — до момента запроса' }),
    ),
    statuses: Type.Optional(
      Type.Array(oneOf(RECOVERABLE_STATUSES), {
        minItems: 1,
        maxItems: 10,
        description:
          'failed — попытки исчерпаны; dropped — не отправлялись, например пока вебхук был выключен. Без поля — те и другие',
      }),
    ),
  },
  { title: 'RecoverRequest' },
);

const Recovery = Type.Object(
  {
    id: Type.String(),
    state: oneOf(RECOVERY_STATES, {
      description: 'cancelled — вебхук за это время выключили или проект перестал быть активным',
    }),
    since: dateTime(),
    until: dateTime(),
    statuses: Type.Array(oneOf(RECOVERABLE_STATUSES)),
    total: nullable(
      Type.Integer({
        minimum: 0,
        description: 'Найдено доставок; null, пока не сосчитаны или недоставленных за это время больше 100 000',
      }),
    ),
    done: Type.Integer({ minimum: 0, description: 'Из них снова поставлено в очередь' }),
    skipped: Type.Integer({ minimum: 0, description: 'Оставлено как есть: объект удалён' }),
    created_at: dateTime(),
    updated_at: dateTime({ description: 'Когда продвинулось в последний раз' }),
    finished_at: nullable(dateTime()),
  },
  { title: 'Recovery' },
);

const example = {
  id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11',
  state: 'running',
  since: '2026-11-19T21:00:00.000Z',
  until: '2026-11-20T09:00:00.000Z',
  statuses: ['failed', 'dropped'],
  total: null,
  done: 0,
  skipped: 0,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  finished_at: null,
};

export const recoverDeliveries = define({
  method: 'post',
  path: '/projects/{id}/webhooks/{wid}/recover',
  operationId: 'recoverDeliveries',
  tag: 'deliveries',
  summary: 'Отправить снова всё, что не доставлено за время',
  description:
    'Доставки в статусах failed и dropped снова ставятся в очередь под прежними delivery_id: каждая получает все попытки заново, их номера в журнале продолжаются. ' +
    'Возвращаются и события за время, когда вебхук был выключен; проверочные события и удалённые объекты — нет. ' +
    'Очередь пополняется постепенно, так что новые события не ждут старых. since в будущем, until не позже since — 422. ' +
    'У выключенного вебхука, в неактивном проекте и пока идёт другое восстановление того же вебхука — 422 с invalid_value без поля. Если вебхук выключить, восстановление прекращается.',
  params: WebhookPath,
  body: { schema: RecoverRequest, example: { since: '2026-01-19T21:00:00Z', statuses: ['failed', 'dropped'] } },
  replies: { 202: { description: 'Принято', schema: Recovery, example } },
  errors: [404, 413, 422],
  async handle({ params, body, requestId }, { pool }) {
    const { since, until } = rangeOf(body);
    const statuses = [...new Set(body.statuses ?? RECOVERABLE_STATUSES)];
    const recovery = await openRecovery(pool, {
      projectId: params.id,
      webhookId: params.wid,
      since,
      until,
      statuses,
      requestId,
    });
    if (recovery === 'unknown_webhook') throw notFound();
    if (recovery === 'since_ahead') throw validationFailed([{ field: 'since', code: 'invalid_value' }]);
    if (typeof recovery === 'string') throw validationFailed([{ field: '', code: 'invalid_value' }]);
    return { status: 202, body: toOutput(recovery) };
  },
});

export const listRecoveriesOperation = define({
  method: 'get',
  path: '/projects/{id}/webhooks/{wid}/recoveries',
  operationId: 'listRecoveries',
  tag: 'deliveries',
  summary: 'Восстановления вебхука, последние первыми',
  params: WebhookPath,
  query: strictObject(pageQuery),
  replies: {
    200: {
      description: 'Страница восстановлений',
      schema: pageOf(Recovery, 'RecoveryPage'),
      example: { items: [example], next_cursor: null },
    },
  },
  errors: [404],
  async handle({ params, query }, { pool }) {
    const list = async (page: PageById) => {
      if (!(await findWebhook(pool, params.id, params.wid))) throw notFound();
      return listRecoveries(pool, params.id, params.wid, page);
    };
    return { status: 200, body: await pageById(query, ID_FORMS.uuid, list, toOutput) };
  },
});

export const getRecovery = define({
  method: 'get',
  path: '/projects/{id}/webhooks/{wid}/recoveries/{rid}',
  operationId: 'getRecovery',
  tag: 'deliveries',
  summary: 'Как далеко восстановление',
  params: strictObject({ id: PROJECT_ID, wid: UUID, rid: UUID }),
  replies: {
    200: {
      description: 'Восстановление',
      schema: Recovery,
      example: {
        ...example,
        state: 'done',
        total: 1240,
        done: 1238,
        skipped: 2,
        updated_at: '2026-11-20T09:00:04.000Z',
        finished_at: '2026-11-20T09:00:04.000Z',
      },
    },
  },
  errors: [404],
  async handle({ params }, { pool }) {
    const recovery = await findRecovery(pool, params.id, params.wid, params.rid);
    if (!recovery) throw notFound();
    return { status: 200, body: toOutput(recovery) };
  },
});

/** @throws {HttpError} 422 when it ends before it begins; the database checks whether it is in the future */
function rangeOf(body: Static<typeof RecoverRequest>): { since: Date; until: Date | null } {
  const since = parseDateTime(body.since);
  const until = body.until === undefined ? null : parseDateTime(body.until);
  if (since === null) throw validationFailed([{ field: 'since', code: 'invalid_value' }]);
  if (until !== null && until <= since) throw validationFailed([{ field: 'until', code: 'invalid_value' }]);
  return { since, until };
}

function toOutput({
  id,
  state,
  since,
  until,
  statuses,
  total,
  done,
  skipped,
  createdAt,
  updatedAt,
  finishedAt,
}: StoredRecovery): Static<typeof Recovery> {
  return {
    id,
    state,
    since: since.toISOString(),
    until: until.toISOString(),
    statuses,
    total,
    done,
    skipped,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
  };
}
