/** Two processes of each kind share the same work. */
import { ATTEMPTS_PER_WEBHOOK } from '../../../loops/delivery/attemptSlots.ts';
import type { Fault, FaultNotes, Stage } from '../fault.ts';
import { startExtraProcesses, type ExtraProcess } from '../support/extraProcess.ts';
import { untilWorking, workDone } from '../support/work.ts';

const WORKERS = ['relay', 'workflow', 'media', 'ai', 'data', 'webhook'];
export const twoWorkers: Fault = {
  name: 'two-workers',
  title:
    'a second process of each kind takes part in the work; each is killed in the middle of it (kill -9), started again and stopped',
  inject: (stage) =>
    workTogether(stage, [...WORKERS, 'api'], { together: 30, alone: 10, rounds: ['killed', 'stopped'] }),
  brief: (stage) => workTogether(stage, ['relay', 'data', 'webhook'], { together: 2, alone: 0, rounds: ['killed'] }),
};

interface TwoWorkersOptions {
  /** Seconds with two processes of each kind, before and after the kill. */
  together: number;
  /** Seconds between the end of the second processes and the start of others. */
  alone: number;
  /** How each set of second processes ends. */
  rounds: readonly ('killed' | 'stopped')[];
}

async function workTogether(
  stage: Stage,
  names: readonly string[],
  { together, alone, rounds }: TwoWorkersOptions,
): Promise<FaultNotes> {
  const notes: FaultNotes = {};
  for (const round of rounds) {
    const extras = await startExtraProcesses(stage.stack, names);
    try {
      await watch(stage, extras, together);
      for (const extra of extras)
        if (extra.name !== 'api')
          notes[`work of the second ${extra.name}`] =
            Number(notes[`work of the second ${extra.name}`] ?? 0) + (await workDone(extra));
    } finally {
      await Promise.all(extras.map((extra) => (round === 'killed' ? extra.kill() : extra.stop())));
    }
    stage.log(`the second ${names.join(', ')} ${round}`);
    await stage.wait(alone);
  }
  return { ...notes, 'most requests at once': checkRequestsAtOnce(stage) };
}

/** Lets a receiver hang, so that two webhook workers use all of the concurrent attempts that they may make to it. */
async function watch(stage: Stage, extras: readonly ExtraProcess[], seconds: number): Promise<void> {
  const { troubled } = stage.receivers;
  troubled.mode = 'hangs';
  try {
    await Promise.all(extras.filter(({ name }) => name !== 'api').map(untilWorking));
    await Promise.all([
      stage.wait(seconds),
      ...extras.filter(({ name }) => name === 'api').map((api) => readEverywhere(stage, api, seconds)),
    ]);
  } finally {
    troubled.mode = { status: 204 };
  }
}

/** Checks that the second API answers as the first does, under any load. */
async function readEverywhere(
  { stack: { dev }, wait }: Stage,
  { origin }: ExtraProcess,
  seconds: number,
): Promise<void> {
  const headers = { authorization: `Bearer ${dev.project.key}` };
  for (let second = 0; second < seconds; second += 1) {
    const response = await fetch(`${origin}/content/api/v1/items?limit=1`, { headers });
    await response.arrayBuffer();
    if (response.status !== 200 && response.status !== 429)
      throw new Error(`the second API answered ${response.status}`);
    await wait(1);
  }
}

function checkRequestsAtOnce({ receivers }: Stage): number {
  const most = Math.max(...Object.values(receivers).map(({ maxInFlight }) => maxInFlight));
  if (most > ATTEMPTS_PER_WEBHOOK) throw new Error(`${most} requests of one webhook were under way at once`);
  return most;
}
