/** GET /health and GET /openapi.json: no key needed. */
import { descriptionOperation } from '../http/operations/describeOperation.ts';
import { healthOperationOf } from '../http/operations/healthOperation.ts';
import type { ContentDeps } from './contentOperation.ts';

export const healthOperation = healthOperationOf<ContentDeps>({
  summary: 'Состояние сервиса',
  description: 'degraded: база данных недоступна, анализ не запускается или его очередь перегружена.',
  reply: 'Состояние',
});

export const describeOperation = descriptionOperation<ContentDeps>({
  summary: 'Описание этого API в формате OpenAPI 3.1',
  reply: 'Документ OpenAPI',
});
