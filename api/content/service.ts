/** GET /health and GET /openapi.json: no key needed. */
import Type from 'typebox';
import { oneOf } from '../../schemas/schema.ts';
import { descriptionOperation } from '../http/describeOperation.ts';
import { definePublic, type ContentDeps } from './define.ts';

const HealthResponse = Type.Object({ status: oneOf(['ok', 'degraded']) }, { title: 'HealthResponse' });

export const healthOperation = definePublic({
  method: 'get',
  path: '/health',
  operationId: 'getHealth',
  tag: 'service',
  summary: 'Состояние сервиса',
  description: 'degraded: база данных недоступна, анализ не запускается или его очередь перегружена.',
  replies: { 200: { description: 'Состояние', schema: HealthResponse, example: { status: 'ok' } } },
  errors: [],
  async handle(_request, { checkHealth }) {
    const { status } = await checkHealth();
    return { status: 200, body: { status }, headers: { 'Cache-Control': 'no-store' } };
  },
});

export const describeOperation = descriptionOperation<ContentDeps>({ summary: 'Описание этого API в формате OpenAPI 3.1', reply: 'Документ OpenAPI' });
