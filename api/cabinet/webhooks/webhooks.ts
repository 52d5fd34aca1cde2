/** Webhooks of a project: GET/POST /projects/{id}/webhooks, GET/PATCH/DELETE …/{wid}, POST …/{wid}/rotate. */
import Type from 'typebox';
import { uuidv7 } from 'uuidv7';
import { webhookSecretContext } from '../../../domain/accounts/secretKeys.ts';
import { findProject } from '../../../db/accounts/projects.ts';
import {
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  replaceWebhookSecret,
  updateWebhook,
  WEBHOOKS_PER_PROJECT,
  type StoredWebhook,
} from '../../../db/webhooks/webhooks.ts';
import { newKey } from '../../../domain/accounts/keyFormats.ts';
import { SUBSCRIBABLE_EVENTS } from '../../../domain/webhooks/webhookRequest.ts';
import { WEBHOOK_ALERTS } from '../../../domain/webhooks/failureAlerts.ts';
import { notFound, validationFailed } from '../../http/errors.ts';
import {
  dateTime,
  DESCRIBED,
  nullable,
  oneOf,
  strictObject,
  text,
  type Static,
} from '../../../domain/schemas/schema.ts';
import { define, pageOf, ProjectPath, WebhookPath, type CabinetDeps } from '../cabinetOperation.ts';

const url = text(2048, { description: 'https, публичный адрес', [DESCRIBED]: { format: 'uri', pattern: '^https://' } });
const events = Type.Array(oneOf(SUBSCRIBABLE_EVENTS), { minItems: 1, maxItems: 10 });

export const webhookFields = {
  id: Type.String(),
  url: Type.String(),
  events: Type.Array(oneOf(SUBSCRIBABLE_EVENTS)),
  enabled: Type.Boolean(),
  held_until: nullable(dateTime({ description: 'До этого времени первые попытки отложены: адрес не отвечает' })),
  backlog_since: nullable(
    dateTime({ description: 'С этого времени новые события не ставятся в очередь: слишком много недоставленных' }),
  ),
  failing_since: nullable(
    dateTime({
      description: 'Начало первой неудачной попытки после последнего ответа 2xx; неудачная проверка не в счёт',
    }),
  ),
  alert: nullable(oneOf(WEBHOOK_ALERTS, { description: 'Сколько времени нет ответа 2xx; у выключенного — null' })),
  created_at: dateTime(),
  updated_at: dateTime(),
};
const Webhook = Type.Object(webhookFields, { title: 'Webhook' });
const NewWebhook = Type.Object(
  { ...webhookFields, secret: Type.String({ description: 'Показывается один раз' }) },
  { title: 'NewWebhook' },
);
const WebhookCreate = strictObject(
  { url, events, enabled: Type.Optional(Type.Boolean({ default: true })) },
  { title: 'WebhookCreate' },
);
const WebhookPatch = strictObject(
  { url: Type.Optional(url), events: Type.Optional(events), enabled: Type.Optional(Type.Boolean()) },
  { title: 'WebhookPatch' },
);

export const webhookExample = {
  id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11',
  url: 'https://example.com/hooks/attune',
  events: ['item.processed', 'item.failed'],
  enabled: true,
  held_until: null,
  backlog_since: null,
  failing_since: null,
  alert: null,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
};
const SHOWN_ONCE = { 'Cache-Control': 'no-store' };

export const listWebhooksOperation = define({
  method: 'get',
  path: '/projects/{id}/webhooks',
  operationId: 'listWebhooks',
  tag: 'webhooks',
  summary: 'Вебхуки проекта',
  params: ProjectPath,
  replies: {
    200: {
      description: `Не больше ${WEBHOOKS_PER_PROJECT}, одной страницей`,
      schema: pageOf(Webhook, 'WebhookPage'),
      example: { items: [webhookExample], next_cursor: null },
    },
  },
  errors: [404],
  async handle({ params }, { pool }) {
    if (!(await findProject(pool, params.id))) throw notFound();
    const items = (await listWebhooks(pool, params.id)).map(toOutput);
    return { status: 200, body: { items, next_cursor: null } };
  },
});

export const createWebhook = define({
  method: 'post',
  path: '/projects/{id}/webhooks',
  operationId: 'createWebhook',
  tag: 'webhooks',
  summary: 'Создать вебхук',
  description:
    'Секрет подписи показывается один раз. Адрес во внутреннюю сеть — forbidden_address; имя, которое пока не разрешается, принимается.',
  params: ProjectPath,
  body: { schema: WebhookCreate, example: { url: webhookExample.url, events: webhookExample.events } },
  replies: {
    201: {
      description: 'Вебхук создан',
      schema: NewWebhook,
      example: { ...webhookExample, secret: `whsec_${'A'.repeat(40)}` },
    },
  },
  errors: [404, 413, 422],
  async handle({ params, body }, deps) {
    await requireGoodUrl(body.url, deps);
    const [id, secret] = [uuidv7(), newKey('webhook')];
    const stored = await insertWebhook(deps.pool, params.id, {
      id,
      url: body.url,
      events: [...new Set(body.events)],
      enabled: body.enabled ?? true,
      secret: deps.encryptWebhookSecret(secret, webhookSecretContext(params.id, id)),
    });
    if (stored === 'unknown_project') throw notFound();
    if (stored === 'full') throw validationFailed([{ field: '', code: 'invalid_value' }]);
    return { status: 201, body: { ...toOutput(stored), secret }, headers: SHOWN_ONCE };
  },
});

export const getWebhook = define({
  method: 'get',
  path: '/projects/{id}/webhooks/{wid}',
  operationId: 'getWebhook',
  tag: 'webhooks',
  summary: 'Вебхук',
  params: WebhookPath,
  replies: { 200: { description: 'Вебхук', schema: Webhook, example: webhookExample } },
  errors: [404],
  async handle({ params }, { pool }) {
    const stored = await findWebhook(pool, params.id, params.wid);
    if (!stored) throw notFound();
    return { status: 200, body: toOutput(stored) };
  },
});

export const patchWebhook = define({
  method: 'patch',
  path: '/projects/{id}/webhooks/{wid}',
  operationId: 'patchWebhook',
  tag: 'webhooks',
  summary: 'Изменить вебхук',
  params: WebhookPath,
  body: { schema: WebhookPatch, example: { enabled: false } },
  replies: { 200: { description: 'Вебхук изменён', schema: Webhook, example: { ...webhookExample, enabled: false } } },
  errors: [404, 413, 422],
  async handle({ params, body }, deps) {
    if (body.url !== undefined) await requireGoodUrl(body.url, deps);
    const change = { ...body, ...(body.events && { events: [...new Set(body.events)] }) };
    const stored = await updateWebhook(deps.pool, params.id, params.wid, change);
    if (!stored) throw notFound();
    return { status: 200, body: toOutput(stored) };
  },
});

export const deleteWebhookOperation = define({
  method: 'delete',
  path: '/projects/{id}/webhooks/{wid}',
  operationId: 'deleteWebhook',
  tag: 'webhooks',
  summary: 'Удалить вебхук вместе с журналом',
  params: WebhookPath,
  replies: {
    200: {
      description: 'Вебхук удалён',
      schema: Type.Object({ id: Type.String(), deleted: Type.Boolean() }, { title: 'WebhookDeleted' }),
      example: { id: webhookExample.id, deleted: true },
    },
  },
  errors: [404],
  async handle({ params }, { pool }) {
    if (!(await deleteWebhook(pool, params.id, params.wid))) throw notFound();
    return { status: 200, body: { id: params.wid, deleted: true } };
  },
});

export const rotateSecret = define({
  method: 'post',
  path: '/projects/{id}/webhooks/{wid}/rotate',
  operationId: 'rotateWebhookSecret',
  tag: 'webhooks',
  summary: 'Сменить секрет подписи',
  description:
    'Все запросы начиная со следующего подписаны новым секретом, повторы тоже; старый сразу перестаёт действовать.',
  params: WebhookPath,
  replies: {
    200: {
      description: 'Новый секрет, показывается один раз',
      schema: Type.Object({ secret: Type.String() }, { title: 'RotatedSecret' }),
      example: { secret: `whsec_${'A'.repeat(40)}` },
    },
  },
  errors: [404],
  async handle({ params }, { pool, encryptWebhookSecret }) {
    const secret = newKey('webhook');
    const encrypted = encryptWebhookSecret(secret, webhookSecretContext(params.id, params.wid));
    if (!(await replaceWebhookSecret(pool, params.id, params.wid, encrypted))) throw notFound();
    return { status: 200, body: { secret }, headers: SHOWN_ONCE };
  },
});

async function requireGoodUrl(text: string, { checkWebhookUrl }: CabinetDeps): Promise<void> {
  const code = await checkWebhookUrl(text);
  if (code !== null) throw validationFailed([{ field: 'url', code }]);
}

export function toOutput(webhook: StoredWebhook): Static<typeof Webhook> {
  const { id, url: address, events: subscribed, enabled } = webhook;
  return {
    id,
    url: address,
    events: subscribed,
    enabled,
    held_until: webhook.heldUntil?.toISOString() ?? null,
    backlog_since: webhook.backlogSince?.toISOString() ?? null,
    failing_since: webhook.failingSince?.toISOString() ?? null,
    alert: webhook.alert,
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
  };
}
