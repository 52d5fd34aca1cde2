/** GET /projects/{id}/webhooks/{wid}/statistics: a webhook's activity by hour. */
import Type from 'typebox';
import { listWebhookHours, readBacklog, type WebhookHour } from '../../../db/webhooks/deliveries/hourlyStatistics.ts';
import { findWebhook } from '../../../db/webhooks/webhooks.ts';
import { JOURNAL_DAYS } from '../../../domain/webhooks/journalDays.ts';
import { BACKLOG_LIMIT } from '../../../domain/webhooks/backlog.ts';
import { percentile } from '../../../domain/webhooks/durationHistogram.ts';
import { notFound } from '../../http/errors.ts';
import { dateTime, nullable, strictObject, type Static } from '../../../domain/schemas/schema.ts';
import { define, WebhookPath } from '../cabinetOperation.ts';

const DEFAULT_HOURS = 48;

const HourOut = Type.Object(
  {
    hour: dateTime({ description: 'Начало часа' }),
    attempts: Type.Integer({ description: 'Попытки, а не события: у одного их бывает несколько' }),
    failed: Type.Integer({ description: 'Из них без ответа 2xx' }),
    p95_ms: nullable(
      Type.Integer({ description: 'За сколько заняли 95 % попыток, с точностью до четверти; null — попыток не было' }),
    ),
    backlog: Type.Integer({ description: 'Сколько событий не было доставлено одновременно, самое большее за час' }),
  },
  { title: 'WebhookHour' },
);

const WebhookStatistics = Type.Object(
  {
    hours: Type.Array(HourOut, { description: 'Каждый час, по порядку; последний ещё идёт' }),
    backlog: Type.Object({
      events: Type.Integer({ description: `Не доставлено сейчас; дальше ${BACKLOG_LIMIT} не считается` }),
      since: nullable(dateTime({ description: 'Когда создано самое старое из них' })),
    }),
  },
  { title: 'WebhookStatistics' },
);

export const getWebhookStatistics = define({
  method: 'get',
  path: '/projects/{id}/webhooks/{wid}/statistics',
  operationId: 'getWebhookStatistics',
  tag: 'webhooks',
  summary: 'Попытки вебхука по часам',
  description: `Хранится ${JOURNAL_DAYS} дней, как и журнал. Попытки до обновления, с которым появился этот учёт, не известны.`,
  params: WebhookPath,
  query: strictObject({
    hours: Type.Optional(
      Type.Integer({ minimum: 1, maximum: JOURNAL_DAYS * 24, default: DEFAULT_HOURS, description: 'За сколько часов' }),
    ),
  }),
  replies: {
    200: {
      description: 'Статистика',
      schema: WebhookStatistics,
      example: {
        hours: [{ hour: '2026-11-20T09:00:00.000Z', attempts: 120, failed: 2, p95_ms: 126, backlog: 3 }],
        backlog: { events: 0, since: null },
      },
    },
  },
  errors: [404],
  async handle({ params, query }, { pool }) {
    if (!(await findWebhook(pool, params.id, params.wid))) throw notFound();
    const hours = await listWebhookHours(pool, params.id, params.wid, query.hours ?? DEFAULT_HOURS);
    const { events, since } = await readBacklog(pool, params.id, params.wid, BACKLOG_LIMIT);
    return {
      status: 200,
      body: { hours: hours.map(toOutput), backlog: { events, since: since?.toISOString() ?? null } },
    };
  },
});

function toOutput({ hour, counts, backlog }: WebhookHour): Static<typeof HourOut> {
  return {
    hour: hour.toISOString(),
    attempts: counts.reduce((sum, { attempts }) => sum + attempts, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
    p95_ms: percentile(counts, 0.95),
    backlog,
  };
}
