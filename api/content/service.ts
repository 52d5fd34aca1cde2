/** GET /health and GET /openapi.json: no key needed. */
import Type from 'typebox';
import { oneOf } from '../../schemas/schema.ts';
import { definePublic } from './define.ts';

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

export const describeOperation = definePublic({
  method: 'get',
  path: '/openapi.json',
  operationId: 'getDescription',
  tag: 'service',
  summary: 'Описание этого API в формате OpenAPI 3.1',
  replies: { 200: { description: 'Документ OpenAPI', schema: Type.Unsafe<object>({ type: 'object' }) } },
  errors: [],
  handle: (_request, { describe }) => Promise.resolve({ status: 200, body: describe() }),
});
