/** GET /health and GET /openapi.json: no key needed. */
import { descriptionOperation } from '../http/operations/describeOperation.ts';
import { healthOperationOf } from '../http/operations/healthOperation.ts';
import type { AnalyticsDeps } from './analyticsOperation.ts';

export const healthOperation = healthOperationOf<AnalyticsDeps>({
  summary: 'State of the service',
  description: 'degraded: the database cannot be reached, or hits wait too long before they count.',
  reply: 'State',
});

export const describeOperation = descriptionOperation<AnalyticsDeps>({
  summary: 'Description of this API, OpenAPI 3.1',
  reply: 'OpenAPI document',
});
