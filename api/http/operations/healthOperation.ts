/** GET /health of the APIs that others call. */
import Type from 'typebox';
import { oneOf } from '../../../domain/schemas/schema.ts';
import type { Operation } from './operation.ts';

const STATES = ['ok', 'degraded'] as const;
const HealthResponse = Type.Object({ status: oneOf(STATES) }, { title: 'HealthResponse' });

export interface HealthDeps {
  checkHealth(): Promise<{ status: (typeof STATES)[number] }>;
}

/** @param words texts in the language of the API; `description` explains `degraded` */
export function healthOperationOf<Deps extends HealthDeps>(words: {
  summary: string;
  description: string;
  reply: string;
}): Operation<null, Deps> {
  return {
    method: 'get',
    path: '/health',
    operationId: 'getHealth',
    tag: 'service',
    summary: words.summary,
    description: words.description,
    replies: { 200: { description: words.reply, schema: HealthResponse, example: { status: 'ok' } } },
    errors: [],
    async handle(_request, { checkHealth }) {
      const { status } = await checkHealth();
      return { status: 200, body: { status } };
    },
  };
}
