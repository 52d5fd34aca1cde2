/** Runs kill -9 on each kind of process, as the kernel's OOM killer does; also PostgreSQL's planned restart. */
import { strayProcesses } from '../../../test/support/whole/traces.ts';
import { until } from '../../../test/support/whole/until.ts';
import type { Fault, FaultNotes, Stage } from '../fault.ts';

type Kill = (stage: Stage) => Promise<FaultNotes | void>;

/**
 * The processes to kill, and the work that the kill interrupts; without a description, whatever they are doing.
 */
const KINDS: readonly { name: string; what: string; kill?: Kill }[] = [
  { name: 'webhook', what: 'the webhook worker with requests under way', kill: killWebhookInRequests },
  { name: 'api', what: 'the API' },
  { name: 'relay', what: 'the relay' },
  { name: 'workflow', what: 'the workflow worker' },
  { name: 'media', what: 'the media worker with a decoder at work', kill: killMediaInDecoding },
  { name: 'ai', what: 'the ai worker' },
  { name: 'data', what: 'the data worker' },
  { name: 'ingest', what: 'the ingest' },
  { name: 'analytics', what: 'the analytics worker' },
  { name: 'selection', what: 'the process that ranks recommendations' },
  { name: 'temporal', what: 'the Temporal server' },
  { name: 'postgres', what: 'PostgreSQL' },
];

const TIMES = 3;
/** Seconds between two kills: long enough for new work to start. */
const PAUSE = 4;

/** Time for the load to create the work that a kill should interrupt. */
const TIMEOUT_MS = 600_000;
const DECODER_END_MS = 60_000;

async function killAgainAndAgain(stage: Stage, kill: Kill): Promise<FaultNotes> {
  const notes: Record<string, number> = {};
  for (let time = 0; time < TIMES; time += 1) {
    if (time > 0) await stage.wait(PAUSE);
    for (const [what, count] of Object.entries((await kill(stage)) ?? {}))
      notes[what] = (notes[what] ?? 0) + Number(count);
  }
  return notes;
}

export const kills: readonly Fault[] = KINDS.map(({ name, what, kill = (stage: Stage) => stage.kill(name) }) => ({
  name: `kill-${name}`,
  title: `kill -9 of ${what}, three times (in a brief run once)`,
  inject: (stage) => killAgainAndAgain(stage, kill),
  brief: kill,
}));

/**
 * Kills the worker in the middle of requests. They were received but not answered: their outcome is unknown, so they
 * must be sent again.
 */
async function killWebhookInRequests(stage: Stage): Promise<FaultNotes> {
  const { troubled } = stage.receivers;
  troubled.mode = 'hangs';
  try {
    await until(
      'a request that hangs',
      async () => troubled.inFlight,
      (count) => count > 0,
      TIMEOUT_MS,
    );
    const underWay = troubled.inFlight;
    await stage.kill('webhook');
    return { 'requests under way at the kills': underWay };
  } finally {
    troubled.mode = { status: 204 };
  }
}

/** Kills the worker while it decodes. The decoder is a process of its own, which must not outlive its worker. */
async function killMediaInDecoding(stage: Stage): Promise<FaultNotes> {
  // The load's own videos are decoded within some tenths of a second, which is too short to observe by polling.
  const serveOwnAgain = await stage.serveBusyVideo();
  const decoders = await findDecoders(stage).finally(serveOwnAgain);
  const pids = new Set(decoders.map((line) => line.split(' ')[0]));
  await stage.kill('media');
  const left = async () => (await strayProcesses(stage.stack)).filter((line) => pids.has(line.split(' ')[0]));
  await until('the end of the decoder', left, (lines) => lines.length === 0, DECODER_END_MS);
  return { 'decoders at work at the kills': decoders.length };
}

async function findDecoders(stage: Stage): Promise<string[]> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const found = await strayProcesses(stage.stack);
    if (found.length > 0) return found;
    if (performance.now() > deadline) throw new Error('no decoder was seen at work');
    await stage.wait(0.1);
  }
}

/** Sends SIGINT, PostgreSQL's fast shutdown: it rolls back open transactions and closes every connection. */
async function stopPostgres(stage: Stage): Promise<void> {
  const back = await stage.replacement('postgres');
  const { postgres } = await stage.stack.pids();
  if (postgres === undefined) throw new Error('there is no process postgres');
  process.kill(postgres, 'SIGINT');
  await back();
}

export const postgresRestart: Fault = {
  name: 'postgres-restart',
  title: 'fast shutdown of PostgreSQL and a new start, twice',
  async inject(stage) {
    await stopPostgres(stage);
    await stage.wait(PAUSE);
    await stopPostgres(stage);
  },
  // The brief run kills PostgreSQL instead (kill -9), which is the harder case.
  brief: null,
};
