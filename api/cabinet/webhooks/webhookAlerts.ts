/** Failing webhooks of all projects: GET /webhooks/alerts. */
import Type from 'typebox';
import {
  listTroubledWebhooks,
  type TroubledWebhook,
  type TroublePosition,
} from '../../../db/webhooks/troubledWebhooks.ts';
import { strictObject } from '../../../domain/schemas/schema.ts';
import { DEFAULT_LIMIT, pageQuery, readCursor, toPage } from '../../http/paging.ts';
import { define, pageOf } from '../cabinetOperation.ts';
import { toOutput, webhookExample, webhookFields } from './webhooks.ts';
import { UUID } from '../../../domain/uuid.ts';

const POSITION = new RegExp(`^[a-z0-9]{12}/${UUID}$`);

const TroubledWebhookOutput = Type.Object(
  {
    project_id: Type.String(),
    project_title: Type.String(),
    ...webhookFields,
  },
  { title: 'TroubledWebhook' },
);

const example = {
  project_id: 'a1b2c3d4e5f6',
  project_title: 'Школа',
  ...webhookExample,
  failing_since: '2026-11-20T09:00:00.000Z',
  alert: 'failing_1h',
};

export const listWebhookAlerts = define({
  method: 'get',
  path: '/webhooks/alerts',
  operationId: 'listWebhookAlerts',
  tag: 'webhooks',
  summary: 'Вебхуки, на которые стоит посмотреть',
  description:
    'Включённые вебхуки действующих проектов, доступных вызывающему: без единого ответа 2xx час и дольше либо со слишком длинной очередью (backlog_since).',
  access: 'viewer',
  query: strictObject(pageQuery),
  replies: {
    200: {
      description: 'Страница вебхуков',
      schema: pageOf(TroubledWebhookOutput, 'WebhookAlertPage'),
      example: { items: [example], next_cursor: null },
    },
  },
  errors: [],
  async handle({ caller, query }, { pool }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const page = { after: positionOf(readCursor(query.cursor, POSITION)), limit: limit + 1 };
    const rows = await listTroubledWebhooks(pool, page, caller.scope?.projects ?? null);
    return { status: 200, body: toPage(rows, limit, (row) => `${row.projectId}/${row.id}`, toTroubled) };
  },
});

function positionOf(cursor: string | null): TroublePosition | null {
  const [projectId, webhookId] = cursor?.split('/') ?? [];
  return projectId === undefined || webhookId === undefined ? null : { projectId, webhookId };
}

function toTroubled(webhook: TroubledWebhook) {
  return { project_id: webhook.projectId, project_title: webhook.projectTitle, ...toOutput(webhook) };
}
