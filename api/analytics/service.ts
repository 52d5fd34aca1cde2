/** GET /health and GET /openapi.json: no key needed. */
import Type from 'typebox';
import { oneOf } from '../../schemas/schema.ts';
import { descriptionOperation } from '../http/describeOperation.ts';
import { definePublic, type AnalyticsDeps } from './define.ts';

const HealthResponse = Type.Object({ status: oneOf(['ok', 'degraded']) }, { title: 'HealthResponse' });

export const healthOperation = definePublic({
  method: 'get',
  path: '/health',
  operationId: 'getHealth',
  tag: 'service',
  summary: 'State of the service',
  description: 'degraded: the database is away, or hits wait too long before they count.',
  replies: { 200: { description: 'State', schema: HealthResponse, example: { status: 'ok' } } },
  errors: [],
  async handle(_request, { checkHealth }) {
    const { status } = await checkHealth();
    return { status: 200, body: { status } };
  },
});

export const describeOperation = descriptionOperation<AnalyticsDeps>({ summary: 'Description of this API, OpenAPI 3.1', reply: 'OpenAPI document' });
