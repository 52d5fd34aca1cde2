/** Actions on a webhook: POST …/{wid}/test, POST …/deliveries/{delivery_id}/resend. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import Type from 'typebox';
import { TEST_WINDOW_SECONDS, TESTS_PER_WINDOW } from '../../../db/webhooks/deliveries/testLimit.ts';
import {
  readTestOutcome,
  requestTest,
  resendDelivery,
  type TestOutcome,
} from '../../../db/webhooks/deliveries/testsAndResends.ts';
import { findWebhook } from '../../../db/webhooks/webhooks.ts';
import { DELIVERY_ERROR_CODES } from '../../../domain/webhooks/deliveryStates.ts';
import { notFound, rateLimited, validationFailed } from '../../http/errors.ts';
import { nullable, oneOf } from '../../../domain/schemas/schema.ts';
import { define, WebhookPath } from '../cabinetOperation.ts';
import { DeliveryPath } from './deliveries.ts';

/** The attempt itself ends within 10 s. */
const OUTCOME_WAIT_MS = 12_000;
const POLL_MS = { first: 50, longest: 400 };

const TestResult = Type.Object(
  {
    delivery_id: Type.String(),
    ok: Type.Boolean(),
    status: nullable(Type.Integer({ description: 'Код ответа адреса' })),
    code: nullable(oneOf(DELIVERY_ERROR_CODES)),
    error: nullable(Type.String()),
  },
  { title: 'WebhookTestResult' },
);

const id = '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11';

export const testWebhook = define({
  method: 'post',
  path: '/projects/{id}/webhooks/{wid}/test',
  operationId: 'testWebhook',
  tag: 'webhooks',
  summary: 'Отправить проверочное событие',
  description: `Одна попытка webhook.test без повторов; не больше ${TESTS_PER_WINDOW} проверок за ${TEST_WINDOW_SECONDS / 60} минут на проект. Ответ приходит с её исходом.`,
  params: WebhookPath,
  replies: {
    200: {
      description: 'Исход попытки',
      schema: TestResult,
      example: { delivery_id: id, ok: true, status: 200, code: null, error: null },
    },
  },
  errors: [404],
  async handle({ params, requestId }, { pool }) {
    if (!(await findWebhook(pool, params.id, params.wid))) throw notFound();
    const test = await requestTest(pool, { projectId: params.id, webhookId: params.wid, requestId });
    if (test.kind === 'unknown_webhook') throw notFound();
    if (test.kind === 'limited') throw rateLimited(test.retryAfterSeconds);
    return {
      status: 200,
      body: { delivery_id: test.deliveryId, ...(await outcomeInTime(pool, params.id, test.deliveryId)) },
    };
  },
});

export const resend = define({
  method: 'post',
  path: '/projects/{id}/webhooks/{wid}/deliveries/{delivery_id}/resend',
  operationId: 'resendDelivery',
  tag: 'deliveries',
  summary: 'Отправить доставку ещё раз сейчас',
  description:
    'Следующая попытка той же доставки, с тем же delivery_id. У выключенного вебхука, в неактивном проекте, для удалённого объекта и для проверочного события — 422: проверка — одна попытка, новую делает POST …/test.',
  params: DeliveryPath,
  replies: {
    202: {
      description: 'Попытка поставлена в очередь',
      schema: Type.Object({ delivery_id: Type.String(), status: oneOf(['pending']) }, { title: 'Resent' }),
      example: { delivery_id: id, status: 'pending' },
    },
  },
  errors: [404, 422],
  async handle({ params }, { pool }) {
    const outcome = await resendDelivery(pool, {
      projectId: params.id,
      webhookId: params.wid,
      deliveryId: params.delivery_id,
    });
    if (outcome === 'unknown_delivery') throw notFound();
    if (outcome === 'not_resent') throw validationFailed([{ field: '', code: 'invalid_value' }]);
    return { status: 202, body: { delivery_id: params.delivery_id, status: 'pending' } };
  },
});

/**
 * Waits for the result of the attempt, which the webhook worker makes; without a worker the test stays pending in the
 * journal.
 */
async function outcomeInTime(pool: pg.Pool, projectId: string, deliveryId: string): Promise<TestOutcome> {
  const deadline = performance.now() + OUTCOME_WAIT_MS;
  for (let pause = POLL_MS.first; performance.now() < deadline; pause = Math.min(pause * 2, POLL_MS.longest)) {
    const outcome = await readTestOutcome(pool, projectId, deliveryId);
    if (outcome) return outcome;
    await sleep(pause);
  }
  return { ok: false, status: null, code: null, error: 'попытка ещё не сделана; исход появится в журнале' };
}
