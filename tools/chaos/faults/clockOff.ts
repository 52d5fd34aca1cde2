/** The clock of a worker is wrong by ten minutes. */
import type { Fault, FaultNotes, Receipt, Stage } from '../fault.ts';
import { BREAKER_THRESHOLD } from '../../../domain/webhooks/breaker.ts';
import { until } from '../../../test/support/whole/until.ts';
import { wrongClock } from '../support/clock.ts';
import { startExtraProcesses } from '../support/extraProcess.ts';
import { retryDelayMs } from '../../../domain/webhooks/retrySchedule.ts';
import { attemptsOfNew, attemptsSince, sendTestWebhook, type AttemptRow } from '../support/webhookState.ts';
import { untilWorking, workDone } from '../support/work.ts';

const OFF_SECONDS = 600;
/**
 * A retry whose time was decided by the wrong clock is ten minutes off. A shorter delay is only a backlog, because this
 * fault starts six more processes under load; the report shows that delay.
 */
const LATE_MS = (OFF_SECONDS * 1000) / 2;
/** Half a second: the attempt's duration is rounded, and its start is estimated from half a round trip. */
const EARLY_MS = 500;
const WORKERS = ['relay', 'workflow', 'media', 'ai', 'data', 'webhook'];

export const clockOff: Fault = {
  name: 'clock-off',
  title:
    'a second process of each worker, its wall clock ten minutes ahead, takes part in the work; then the same ten minutes behind',
  async inject(stage) {
    const ahead = await workWithWrongClock(stage, { names: WORKERS, off: OFF_SECONDS, seconds: 45, retries: true });
    const behind = await workWithWrongClock(stage, { names: WORKERS, off: -OFF_SECONDS, seconds: 45, retries: true });
    return { ...ahead, ...behind };
  },
  brief: (stage) =>
    workWithWrongClock(stage, { names: ['relay', 'webhook'], off: OFF_SECONDS, seconds: 2, retries: false }),
};

interface WrongClockOptions {
  names: readonly string[];
  /** Seconds ahead; negative: behind. */
  off: number;
  seconds: number;
  /** True to wait for the first retries. */
  retries: boolean;
}

async function workWithWrongClock(
  stage: Stage,
  { names, off, seconds, retries }: WrongClockOptions,
): Promise<FaultNotes> {
  const { troubled } = stage.receivers;
  const { env, how } = await wrongClock(off);
  const words = off > 0 ? 'ahead' : 'behind';
  const seen = countReceipts(stage);
  const since = Date.now();
  const extras = await startExtraProcesses(stage.stack, names, () => env);
  try {
    await Promise.all(extras.map(untilWorking));
    if (retries) await failForAWhile(stage);
    await stage.wait(seconds);
    const late = retries ? await checkRetries(stage, since) : null;
    const webhook = extras.find(({ name }) => name === 'webhook');
    const attempts = webhook === undefined ? 0 : await workDone(webhook);
    checkReceipts(seen());
    stage.log(`${attempts} webhook attempts by a worker whose clock was ${words} (${how})`);
    return {
      [`attempts by a clock ${words}`]: attempts,
      ...(late !== null && { [`latest retry beside a clock ${words}, s`]: Math.round(late / 1000) }),
      clock: how,
    };
  } finally {
    troubled.mode = { status: 204 };
    await Promise.all(extras.map((extra) => extra.stop()));
  }
}

/**
 * Makes as many first attempts fail as the circuit breaker allows, so that retries become due while a clock is wrong.
 */
async function failForAWhile(stage: Stage): Promise<void> {
  const {
    receivers: { troubled },
    pool,
  } = stage;
  const since = Date.now();
  troubled.mode = { status: 500 };
  await until(
    'failed attempts',
    () => attemptsSince(pool, troubled.webhookId, since),
    (attempts) => attempts.filter(isFailure).length >= BREAKER_THRESHOLD,
  );
  troubled.mode = { status: 204 };
  await sendTestWebhook(stage.stack, troubled.webhookId);
}

function isFailure({ response_status }: AttemptRow): boolean {
  return response_status === 500;
}

/** Returns false when the deletion of the item has dropped the delivery, which is then not retried. */
function isToBeRetried(row: AttemptRow): boolean {
  return row.attempt === 1 && isFailure(row) && !row.is_dropped;
}

/**
 * Checks that each retry came after the documented delay, by the journal's clock, which is the database's.
 * @returns the delay of the latest one, in milliseconds
 */
async function checkRetries({ receivers: { troubled }, pool }: Stage, since: number): Promise<number> {
  const retriesOf = (attempts: readonly AttemptRow[]): AttemptRow[] => attempts.filter(({ attempt }) => attempt === 2);
  const due = retryDelayMs(1) ?? 0;
  const all = await until(
    'the retries',
    () => attemptsOfNew(pool, troubled.webhookId, since),
    (attempts) => retriesOf(attempts).length >= attempts.filter(isToBeRetried).length,
    due + LATE_MS,
  );
  const late = retriesOf(all).map(({ waited_ms: waited }) => (waited ?? 0) - due);
  const wrong = late.filter((by) => by < -EARLY_MS || by > LATE_MS);
  if (wrong.length > 0) throw new Error(`${wrong.length} retries came at a wrong time, by ${wrong.slice(0, 5)} ms`);
  return Math.max(0, ...late);
}

/** @returns a function that returns what all receivers have received since the call */
function countReceipts({ receivers }: Stage): () => Receipt[] {
  const all = Object.values(receivers);
  const before = all.map(({ requests }) => requests.length);
  return () => all.flatMap(({ requests }, index) => requests.slice(before[index]));
}

/**
 * Checks that every signature is fresh by the receivers' clock, and that nothing is sent twice, so no lease was taken
 * away early.
 */
function checkReceipts(receipts: readonly Receipt[]): void {
  const stale = receipts.filter(({ isGenuine }) => !isGenuine);
  if (stale.length > 0)
    throw new Error(`${stale.length} of ${receipts.length} requests had a signature that a receiver refuses`);
  const delivered = receipts
    .filter(({ answered }) => answered !== null && answered < 300)
    .map(({ deliveryId }) => deliveryId);
  const repeats = delivered.length - new Set(delivered).size;
  if (repeats > 0) throw new Error(`${repeats} deliveries were sent again although they had been answered`);
}
