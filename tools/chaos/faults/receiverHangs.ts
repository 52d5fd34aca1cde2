/** A receiver that accepts connections and never answers. */
import type { ChaosReceiver, Fault, FaultNotes, Stage } from '../fault.ts';
import { BREAKER_THRESHOLD } from '../../../domain/webhooks/breaker.ts';
import { until } from '../../../test/support/whole/until.ts';
import { p95Ms, type Stretch } from '../support/latency.ts';
import { attemptsSince, breakerOf, sendTestWebhook } from '../support/webhookState.ts';

/** The documented sixteen, plus some that have ended although the receiver has not noticed it yet. */
const MAX_AT_ONCE = 20;
const DEADLINE_MS = 10_000;
/** Half of the time that a delivery would wait behind one attempt of the receiver that hangs. */
const OTHERS_LIMIT_MS = DEADLINE_MS / 2;

interface Lengths {
  /** Seconds of load before the fault, for comparison. */
  before: number;
  /** At least the 10 s of one attempt. */
  hanging: number;
}

export const receiverHangs: Fault = {
  name: 'receiver-hangs',
  title: 'one of three receivers accepts every request and never answers, for three minutes; then it answers',
  inject: (stage) => hang(stage, { before: 20, hanging: 180 }),
  brief: (stage) => hang(stage, { before: 1, hanging: 11 }),
};

async function hang(stage: Stage, lengths: Lengths): Promise<FaultNotes> {
  const {
    receivers: { troubled, steady, second },
    pool,
  } = stage;
  const before = await stretchOf(stage, lengths.before);
  troubled.mode = 'hangs';
  let during: Stretch;
  try {
    during = await stretchOf(stage, lengths.hanging);
    // Not earlier: a response would end the series of failures.
    await until(
      'the breaker holding',
      () => breakerOf(pool, troubled.webhookId),
      ({ failuresInRow }) => failuresInRow >= BREAKER_THRESHOLD,
      60_000,
    );
  } finally {
    troubled.mode = { status: 204 };
  }
  const timeouts = await checkTimeouts(stage, during.from);
  await sendTestWebhook(stage.stack, troubled.webhookId);
  const others = [await compare(stage, steady, before, during), await compare(stage, second, before, during)];
  const { failuresInRow } = await until(
    'the breaker closing',
    () => breakerOf(pool, troubled.webhookId),
    ({ isHeld }) => !isHeld,
  );
  stage.log(`${timeouts} attempts timed out, ${failuresInRow} failures in a row are left`);
  return {
    'attempts that timed out': timeouts,
    'p95 of the others before, ms': Math.round(Math.max(...others.map((other) => other.before ?? 0))),
    'p95 of the others meanwhile, ms': Math.round(Math.max(...others.map((other) => other.during ?? 0))),
  };
}

async function stretchOf(stage: Stage, seconds: number): Promise<Stretch> {
  const from = Date.now();
  await stage.wait(seconds);
  return { from, to: Date.now() };
}

/** Checks that attempts end after 10 s, and that no more than the documented number is in progress. */
async function checkTimeouts({ receivers: { troubled }, pool }: Stage, since: number): Promise<number> {
  const timeouts = (await attemptsSince(pool, troubled.webhookId, since)).filter(
    ({ error_code }) => error_code === 'timeout',
  );
  const early = timeouts.filter(({ duration_ms }) => duration_ms < DEADLINE_MS - 100);
  if (timeouts.length === 0 || early.length > 0)
    throw new Error(`${timeouts.length} attempts timed out, ${early.length} of them before their 10 s`);
  if (troubled.maxInFlight > MAX_AT_ONCE) throw new Error(`${troubled.maxInFlight} requests were under way at once`);
  return timeouts.length;
}

/** @throws when a working receiver had to wait for the one that hangs */
async function compare(
  { pool }: Stage,
  receiver: ChaosReceiver,
  before: Stretch,
  during: Stretch,
): Promise<{ before: number | null; during: number | null }> {
  const seen = await until(
    'what was sent to the others',
    () => p95Ms(pool, receiver, during),
    (p95) => p95 !== Infinity,
  );
  if (seen !== null && seen > OTHERS_LIMIT_MS)
    throw new Error(`the others waited: their p95 was ${Math.round(seen)} ms`);
  return { before: await p95Ms(pool, receiver, before), during: seen };
}
