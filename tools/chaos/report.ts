/** Writes the table of docs/reliability.md and tools/chaos/results/chaos.json. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import type { Outcome } from './runFault.ts';

const ROOT = join(import.meta.dirname, '../..');
const RESULTS = join(ROOT, 'tools/chaos/results/chaos.json');
const PAGE = join(ROOT, 'docs/reliability.md');
const BEGIN = '<!-- chaos: begin (written by `npm run chaos`) -->';
const END = '<!-- chaos: end -->';

export interface ChaosReport {
  date: string;
  commit: string;
  machine: { cpu: string; cores: number; memoryGiB: number; node: string };
  seed: number;
  /** Fraction of the usual load. */
  pace: number;
  outcomes: Outcome[];
}

export function makeReport(load: { seed: number; pace: number }, outcomes: Outcome[]): ChaosReport {
  return {
    date: new Date().toISOString(),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT }).toString().trim(),
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      node: process.version,
    },
    ...load,
    outcomes,
  };
}

/** Writes both files, and only for a run of all faults, so that they always show a single run. */
export function writeReport(report: ChaosReport): void {
  mkdirSync(dirname(RESULTS), { recursive: true });
  writeFileSync(RESULTS, `${JSON.stringify(report, null, 2)}\n`);
  const page = readFileSync(PAGE, 'utf8');
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${PAGE} has no place for the table`);
  writeFileSync(PAGE, `${page.slice(0, begin + BEGIN.length)}\n${inMarkdown(report)}\n${page.slice(end)}`);
}

const COLUMNS: readonly [head: string, cell: (outcome: Outcome) => string][] = [
  ['fault', ({ name, title }) => `**${name}**: ${title}`],
  ['accepted', ({ accepted }) => String(accepted)],
  ['tried again', ({ retried }) => String(retried)],
  ['lost', ({ lost }) => String(lost)],
  ['doubled', ({ doubled }) => String(doubled)],
  ['not final', ({ unfinished }) => String(unfinished)],
  ['undelivered', ({ undelivered }) => String(undelivered)],
  ['wait for a retry', ({ waiting }) => String(waiting)],
  ['webhooks repeated', ({ repeats }) => String(repeats)],
  ['longest without an accepted write, s', ({ silence }) => silence.toFixed(1)],
  ['at rest after, s', ({ rest }) => rest.toFixed(0)],
];

export function inMarkdown({ date, commit, machine, seed, pace, outcomes }: ChaosReport): string {
  const done = outcomes.filter(({ skipped }) => skipped === null);
  const skipped = outcomes.filter((outcome) => outcome.skipped !== null);
  const notes = done.filter((outcome) => Object.keys(outcome.notes).length > 0);
  return [
    `Measured ${date.slice(0, 10)}, commit ${commit}, ${machine.cores} cores (${machine.cpu}), ${machine.memoryGiB} GiB, Node ${machine.node}, seed ${seed}${pace === 1 ? '' : `, ${pace * 100} % of the load`}.`,
    '',
    `| ${COLUMNS.map(([head]) => head).join(' | ')} |`,
    `|${COLUMNS.map((_, index) => (index === 0 ? '---' : '---:')).join('|')}|`,
    ...done.map((outcome) => `| ${COLUMNS.map(([, cell]) => cell(outcome)).join(' | ')} |`),
    '',
    ...notes.map(
      ({ name, notes }) =>
        `- ${name}: ${Object.entries(notes)
          .map(([what, value]) => `${what} ${value}`)
          .join(', ')}.`,
    ),
    ...done.flatMap(({ name, fault }) => (fault === null ? [] : [`- ${name} went wrong: ${fault}.`])),
    ...skipped.map((outcome) => `- ${outcome.name} was skipped: ${outcome.skipped}.`),
    ...compared(done),
  ].join('\n');
}

/** Returns what the largest comparison covered: everything since its stage was opened. */
function compared(done: readonly Outcome[]): string[] {
  const size = ({ compared }: Outcome): number => Object.values(compared).reduce((sum, count) => sum + count, 0);
  const largest = done.toSorted((a, b) => size(b) - size(a))[0];
  if (!largest || size(largest) === 0) return [];
  return [
    `- Compared after ${largest.name}, everything since the first fault: ${Object.entries(largest.compared)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ')}.`,
  ];
}
