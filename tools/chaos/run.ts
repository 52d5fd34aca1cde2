/**
 * `npm run chaos` runs every fault in turn, on one stack under one load, and writes docs/reliability.md. `npm run chaos
 * -- kill-relay kill-api` runs only these and writes nothing. `--brief` runs each briefly under one load. `--seed=N`
 * selects another load; `--pace=0.5` halves it, for a machine with other work.
 */
import { parseArgs } from 'node:util';
import type { Fault } from './fault.ts';
import { FAULTS } from './faults/index.ts';
import { brokenOutcome, isClean, runBriefly, runFault, skippedOutcome, type Outcome } from './runFault.ts';
import { inMarkdown, makeReport, writeReport } from './report.ts';
import { openStage, type FullStage, type StageOptions } from './stage/stage.ts';

const DEFAULT_SEED = 7;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    brief: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(DEFAULT_SEED) },
    pace: { type: 'string' },
  },
});
const unknown = positionals.filter((name) => !FAULTS.some((fault) => fault.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `no such fault: ${unknown.join(', ')}; there are ${FAULTS.map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(2);
}
const chosen = positionals.length > 0 ? FAULTS.filter(({ name }) => positionals.includes(name)) : FAULTS;
const seed = Number(values.seed);
const pace = values.pace === undefined ? undefined : Number(values.pace);
const abortController = new AbortController();
process
  .once('SIGINT', () => abortController.abort(new Error('interrupted')))
  .once('SIGTERM', () => abortController.abort(new Error('interrupted')));
const started = performance.now();
const log = (line: string): void =>
  void process.stdout.write(`${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s  ${line}\n`);

try {
  const outcomes = values.brief ? await brief() : await full();
  const report = makeReport({ seed, pace: pace ?? 1 }, outcomes);
  process.stdout.write(`\n${inMarkdown(report)}\n`);
  if (!values.brief && positionals.length === 0) writeReport(report);
  process.exitCode = outcomes.every(isClean) ? 0 : 1;
} catch (error) {
  if (!abortController.signal.aborted) throw error;
  log('interrupted');
  process.exitCode = 130;
}

async function brief(): Promise<Outcome[]> {
  const fit: Fault[] = [];
  for (const fault of chosen) if (!fault.setting && ((await fault.cannot?.()) ?? null) === null) fit.push(fault);
  return onStage({ brief: true }, async (stage) => [await runBriefly(stage, fit)]);
}

/** Runs all faults. Those without settings of their own share a stage; each of the others gets its own. */
async function full(): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const able: Fault[] = [];
  for (const fault of chosen) {
    const reason = (await fault.cannot?.()) ?? null;
    if (reason === null) able.push(fault);
    else outcomes.push(skippedOutcome(fault, reason));
  }
  const shared = able.filter(({ setting }) => !setting);
  if (shared.length > 0) {
    outcomes.push(
      ...(await onStage({}, async (stage) => {
        const done: Outcome[] = [];
        for (const fault of shared) done.push(tell(await runOrTell(stage, fault)));
        return done;
      })),
    );
  }
  for (const fault of able) {
    const setting = await fault.setting?.();
    if (!setting) continue;
    try {
      outcomes.push(
        ...(await onStage(
          { env: setting.env, ...(setting.root !== undefined && { root: setting.root }) },
          async (stage) => [tell(await runOrTell(stage, fault))],
        )),
      );
    } finally {
      await setting.undo();
    }
  }
  return outcomes.sort((a, b) => orderOf(a) - orderOf(b));
}

/**
 * Runs a fault and turns its error into an outcome, so that one failing fault does not hide the results of the others.
 */
async function runOrTell(stage: FullStage, fault: Fault): Promise<Outcome> {
  try {
    return await runFault(stage, fault);
  } catch (error) {
    abortController.signal.throwIfAborted();
    return brokenOutcome(fault, error as Error);
  }
}

function orderOf({ name }: Outcome): number {
  return FAULTS.findIndex((fault) => fault.name === name);
}

function tell(outcome: Outcome): Outcome {
  const { name, accepted, retried, lost, doubled, unfinished, undelivered, rest, fault } = outcome;
  log(
    `${name}: accepted ${accepted}, tried again ${retried}, lost ${lost}, doubled ${doubled}, unfinished ${unfinished}, undelivered ${undelivered}, at rest after ${rest.toFixed(0)} s${fault ? `; ${fault}` : ''}`,
  );
  return outcome;
}

async function onStage(
  options: Partial<StageOptions>,
  work: (stage: FullStage) => Promise<Outcome[]>,
): Promise<Outcome[]> {
  const stage = await openStage({
    seed,
    brief: false,
    signal: abortController.signal,
    log,
    ...(pace !== undefined && { pace }),
    ...options,
  });
  let isFine = false;
  try {
    const done = await work(stage);
    isFine = done.every(isClean);
    return done;
  } finally {
    await stage.close(!isFine);
  }
}
