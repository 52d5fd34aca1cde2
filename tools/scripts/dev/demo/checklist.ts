/** Shows the steps of the sample items as they finish: a table that is redrawn in a terminal, plain lines elsewhere. */
import { STEPS } from '../../../../domain/analysis/steps.ts';
import type { Screen } from '../screen.ts';
import type { DemoItem } from './api.ts';

const FINAL_STEPS = new Set(['done', 'skipped', 'failed']);
const MARKS: Record<string, string> = {
  done: '✓',
  skipped: '–',
  failed: '✗',
  running: '…',
  queued: '·',
  waiting: '⏸',
  deferred: '⏸',
};
const NAME_WIDTH = 12;

export interface Row {
  item: DemoItem;
  seconds: number;
}

/** @returns a function that shows the current rows. */
export function makeChecklist(screen: Screen): (rows: readonly Row[]) => void {
  return screen.terminal
    ? (rows) => screen.live(rows.map(tableRow).join(''))
    : makeLines((line) => screen.print(`  ${line}\n`));
}

function tableRow({ item, seconds }: Row): string {
  // 78 columns in total for a finished item.
  const steps = STEPS.map((step) => `${step} ${MARKS[item.processing[step] ?? ''] ?? '?'}`).join(' ');
  return `  ${item.id.padEnd(NAME_WIDTH)} ${steps} ${item.status} ${seconds.toFixed(1)} s\n`;
}

/** Prints the end of each step and of each item once. */
function makeLines(print: (line: string) => void): (rows: readonly Row[]) => void {
  const said = new Set<string>();
  const once = (key: string, line: string): void => {
    if (said.has(key)) return;
    said.add(key);
    print(line);
  };
  return (rows) => {
    for (const { item, seconds } of rows) {
      for (const step of STEPS) {
        const state = item.processing[step] ?? '';
        if (FINAL_STEPS.has(state)) once(`${item.id} ${step} ${state}`, `${item.id}: ${step} ${state}`);
      }
      if (isFinal(item)) once(item.id, `${item.id}: ${item.status} after ${seconds.toFixed(1)} s`);
    }
  };
}

/** Returns true when the analysis of an item is over. */
export function isFinal(item: DemoItem): boolean {
  return ['ready', 'partial', 'failed'].includes(item.status);
}
