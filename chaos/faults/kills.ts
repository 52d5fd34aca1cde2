/** kill -9 of each kind of process, as the kernel's memory killer does; and PostgreSQL's planned restart. */
import type { Fault, Stage } from '../fault.ts';

const KINDS: readonly [name: string, title: string][] = [
  ['api', 'kill -9 of the API, three times'],
  ['relay', 'kill -9 of the relay, three times'],
  ['workflow', 'kill -9 of the workflow worker, three times'],
  ['media', 'kill -9 of the media worker, three times'],
  ['ai', 'kill -9 of the ai worker, three times'],
  ['data', 'kill -9 of the data worker, three times'],
  ['webhook', 'kill -9 of the webhook worker, three times'],
  ['temporal', 'kill -9 of the Temporal server, three times'],
  ['postgres', 'kill -9 of PostgreSQL, three times'],
];

const TIMES = 3;
/** Between two kills, seconds: long enough for new work to be under way. */
const PAUSE = 4;

async function killAgainAndAgain(stage: Stage, name: string): Promise<void> {
  for (let time = 0; time < TIMES; time += 1) {
    if (time > 0) await stage.wait(PAUSE);
    await stage.kill(name);
  }
}

export const kills: readonly Fault[] = KINDS.map(([name, title]) => ({
  name: `kill-${name}`,
  title,
  inject: (stage) => killAgainAndAgain(stage, name),
  brief: (stage) => stage.kill(name),
}));

/** SIGINT, PostgreSQL's fast stop: it rolls back what is open and closes every connection. */
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
  // Its crash is in the brief form, which is the harder case.
  brief: null,
};
