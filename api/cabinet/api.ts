/** The cabinet API: what people and their scripts manage. */
import type pg from 'pg';
import Type from 'typebox';
import { createCabinetAuthentication } from '../auth/cabinetToken.ts';
import type { Api, ApiDescription } from '../http/api.ts';
import { describeApi } from '../http/openapi.ts';
import { RUSSIAN } from '../http/texts.ts';
import { definePublic, type CabinetCaller, type CabinetDeps } from './define.ts';
import { getDelivery, listDeliveriesOperation } from './deliveries.ts';
import { createKey, listKeys, revokeKey } from './keys.ts';
import { createProject, getMe, getProject, listProjectsOperation, patchProject } from './projects.ts';
import { resend, testWebhook } from './webhookActions.ts';
import { createWebhook, deleteWebhookOperation, listWebhooksOperation, patchWebhook, rotateSecret } from './webhooks.ts';

export const cabinetDescription: ApiDescription = {
  title: 'Attune: кабинет',
  version: '1',
  description: 'Управление проектами, ключами и вебхуками. Списки отвечают {items, next_cursor}.',
  basePath: '/cabinet/api',
  security: { name: 'cabinetToken', description: 'Личный токен: `Authorization: Bearer at_…`' },
  tags: [
    { name: 'session', description: 'Кто вошёл' },
    { name: 'projects', description: 'Проекты' },
    { name: 'keys', description: 'Ключи проектов' },
    { name: 'webhooks', description: 'Вебхуки' },
    { name: 'deliveries', description: 'Журнал доставок' },
    { name: 'service', description: 'Описание API' },
  ],
};

const describeCabinet = definePublic({
  method: 'get',
  path: '/openapi.json',
  operationId: 'getDescription',
  tag: 'service',
  summary: 'Описание этого API в формате OpenAPI 3.1',
  replies: { 200: { description: 'Документ OpenAPI', schema: Type.Unsafe<object>({ type: 'object' }) } },
  errors: [],
  handle: (_request, { describe }) => Promise.resolve({ status: 200, body: describe() }),
});

export const cabinetOperations = [
  getMe, listProjectsOperation, createProject, getProject, patchProject, listKeys, createKey, revokeKey,
  listWebhooksOperation, createWebhook, patchWebhook, deleteWebhookOperation, rotateSecret, testWebhook,
  listDeliveriesOperation, getDelivery, resend,
];
export const cabinetPublicOperations = [describeCabinet];

export function createCabinetApi(pool: pg.Pool, deps: Omit<CabinetDeps, 'describe' | 'pool'>): Api<CabinetCaller, CabinetDeps> {
  const surface = { description: cabinetDescription, operations: cabinetOperations, publicOperations: cabinetPublicOperations };
  let document: object | undefined;
  const describe = (): object => (document ??= describeApi({ ...surface, texts: RUSSIAN }));
  return {
    ...surface,
    texts: RUSSIAN,
    host: null,
    hostPath: '/cabinet/api',
    deps: { ...deps, pool, describe },
    describe,
    authenticate: createCabinetAuthentication(pool),
    limitOf: () => null,
  };
}
