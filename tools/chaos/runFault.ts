/** Runs a fault: load before, during and after it; then a wait until all is quiet, then the comparison. */
import type { Fault, FaultNotes } from './fault.ts';
import { check } from './check/check.ts';
import type { Findings } from './check/findings.ts';
import { untilQuiet } from './check/quiet.ts';
import type { FullStage } from './stage/stage.ts';

/** Seconds of load before and after a fault. */
const LEAD_IN = 5;
const LEAD_OUT = 5;
const BRIEF_LEAD = 1;
/** Allows for a lost activity, a dead worker's lease, and the reconciler's two minutes. */
const PATIENCE_SECONDS = 600;

export interface Outcome {
  name: string;
  title: string;
  /** Reason why the fault was skipped; everything below is then 0 or null. */
  skipped: string | null;
  /** Error while the fault was injected. */
  fault: string | null;
  /** Duration of the fault in seconds. */
  seconds: number;
  accepted: number;
  retried: number;
  unsure: number;
  /** Webhook requests that repeated a delivery id. */
  repeats: number;
  lost: number;
  doubled: number;
  unfinished: number;
  undelivered: number;
  waiting: number;
  /** Longest time without an accepted write, from the start of the fault to the end of the load, in seconds. */
  silence: number;
  /** Seconds from the end of the load until all was quiet. */
  rest: number;
  notes: FaultNotes;
  findings: readonly string[];
  compared: Readonly<Record<string, number>>;
}

/**
 * Runs one fault on a stage that has seen others before: the counts are this fault's own, the comparison covers
 * everything.
 */
export async function runFault(stage: FullStage, fault: Fault): Promise<Outcome> {
  const { load, log } = stage;
  const before = countsBefore(stage);
  log(`${fault.name}: ${fault.title}`);
  load.resume();
  await stage.wait(LEAD_IN);
  const from = Date.now();
  const { notes, trouble } = await inject(stage, fault);
  const seconds = (Date.now() - from) / 1_000;
  await stage.wait(LEAD_OUT);
  const to = Date.now();
  await load.pause();
  const { findings, rest } = await judge(stage);
  return {
    name: fault.name,
    title: fault.title,
    skipped: null,
    fault: join([trouble, oddAnswers(stage, before)]),
    seconds,
    ...outcomeOf(stage, findings, before),
    silence: load.log.longestSilence(from, to),
    rest,
    notes,
  };
}

/** Runs all faults under one load, each in its brief variant, with one comparison, as CI does. */
export async function runBriefly(stage: FullStage, faults: readonly Fault[]): Promise<Outcome> {
  const { load, log } = stage;
  const before = countsBefore(stage);
  const from = Date.now();
  const troubles: string[] = [];
  const notes: FaultNotes = {};
  load.resume();
  for (const fault of faults) {
    if (fault.brief === null) continue;
    await stage.wait(BRIEF_LEAD);
    log(`${fault.name}: ${fault.title}, in brief`);
    const outcome = await inject(stage, { ...fault, inject: fault.brief ?? fault.inject });
    if (outcome.trouble) troubles.push(`${fault.name}: ${outcome.trouble}`);
    Object.assign(notes, outcome.notes);
  }
  await stage.wait(BRIEF_LEAD);
  const to = Date.now();
  await load.pause();
  const { findings, rest } = await judge(stage);
  return {
    name: 'brief',
    title: 'one of each under one load',
    skipped: null,
    fault: join([...troubles, oddAnswers(stage, before)]),
    seconds: (to - from) / 1_000,
    ...outcomeOf(stage, findings, before),
    silence: load.log.longestSilence(from, to),
    rest,
    notes,
  };
}

export function skippedOutcome({ name, title }: Fault, skipped: string): Outcome {
  return {
    name,
    title,
    skipped,
    fault: null,
    seconds: 0,
    accepted: 0,
    retried: 0,
    unsure: 0,
    repeats: 0,
    lost: 0,
    doubled: 0,
    unfinished: 0,
    undelivered: 0,
    waiting: 0,
    silence: 0,
    rest: 0,
    notes: {},
    findings: [],
    compared: {},
  };
}

/** Returns the outcome of a fault whose effects could not even be compared. */
export function brokenOutcome(fault: Fault, error: Error): Outcome {
  return { ...skippedOutcome(fault, ''), skipped: null, fault: error.message };
}

export function isClean({ fault, lost, doubled, unfinished, undelivered }: Outcome): boolean {
  return fault === null && lost + doubled + unfinished + undelivered === 0;
}

async function inject(stage: FullStage, fault: Fault): Promise<{ notes: FaultNotes; trouble: string | null }> {
  try {
    return { notes: (await fault.inject(stage)) ?? {}, trouble: null };
  } catch (error) {
    stage.signal.throwIfAborted();
    stage.log(`  ${fault.name}: ${(error as Error).message}`);
    return { notes: {}, trouble: (error as Error).message };
  }
}

async function judge(stage: FullStage): Promise<{ findings: Findings; rest: number }> {
  const { seconds, left } = await untilQuiet(stage.pool, PATIENCE_SECONDS, stage.signal);
  const findings = await check(stage, left);
  for (const words of findings.messages) stage.log(`  ${words}`);
  return { findings, rest: seconds };
}

/** The counts at the start of a fault, because they continue from fault to fault. */
interface CountsBefore {
  accepted: number;
  retried: number;
  unsure: number;
  odd: number;
  repeats: number;
  findings: Findings['counts'];
}

function countsBefore({ load, seen }: FullStage): CountsBefore {
  return { ...load.counts, odd: load.log.odd.length, repeats: seen.repeats, findings: { ...seen.counts } };
}

function oddAnswers({ load }: FullStage, before: CountsBefore): string | null {
  const odd = load.log.odd.slice(before.odd);
  return odd.length === 0 ? null : `${odd.length} answers were neither 2xx nor 503 with Retry-After, such as ${odd[0]}`;
}

function join(troubles: readonly (string | null)[]): string | null {
  return troubles.filter((trouble) => trouble !== null).join('; ') || null;
}

type Counted = Pick<
  Outcome,
  | 'accepted'
  | 'retried'
  | 'unsure'
  | 'repeats'
  | 'lost'
  | 'doubled'
  | 'unfinished'
  | 'undelivered'
  | 'waiting'
  | 'findings'
  | 'compared'
>;

/** Subtracts earlier findings: damage by an earlier fault persists, but counts only for that fault. */
function outcomeOf(stage: FullStage, findings: Findings, before: CountsBefore): Counted {
  const { counts } = stage.load;
  const fresh = (kind: keyof Findings['counts']): number => Math.max(0, findings.counts[kind] - before.findings[kind]);
  Object.assign(stage.seen, { repeats: findings.repeats, counts: findings.counts });
  return {
    accepted: counts.accepted - before.accepted,
    retried: counts.retried - before.retried,
    unsure: counts.unsure - before.unsure,
    repeats: findings.repeats - before.repeats,
    lost: fresh('lost'),
    doubled: fresh('doubled'),
    unfinished: fresh('unfinished'),
    undelivered: fresh('undelivered'),
    waiting: findings.waiting,
    findings: findings.messages,
    compared: findings.compared,
  };
}
