/** GET /openapi.json, which every API has. */
import Type from 'typebox';
import type { Operation } from './operation.ts';

/** @param words texts in the language of the API */
export function descriptionOperation<Deps extends { describe(): object }>(words: {
  summary: string;
  reply: string;
}): Operation<null, Deps> {
  return {
    method: 'get',
    path: '/openapi.json',
    operationId: 'getDescription',
    tag: 'service',
    summary: words.summary,
    replies: { 200: { description: words.reply, schema: Type.Unsafe<object>({ type: 'object' }) } },
    errors: [],
    handle: (_request, { describe }) => Promise.resolve({ status: 200, body: describe() }),
  };
}
