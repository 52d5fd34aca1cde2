/** The steps of the sample items as they finish: a table that is redrawn in a terminal, plain lines elsewhere. */
import type { DemoItem } from './api.ts';

const STEPS = ['prepare', 'speech', 'vision', 'summary', 'embedding'] as const;
const FINAL_STEPS = new Set(['done', 'skipped', 'failed']);
const MARKS: Record<string, string> = { done: '✓', skipped: '–', failed: '✗', running: '…', queued: '·', waiting: '⏸', deferred: '⏸' };
const NAME_WIDTH = 14;

export interface Row {
  item: DemoItem;
  seconds: number;
}

export interface Checklist {
  show(rows: readonly Row[]): void;
}

export function makeChecklist(write: (text: string) => void, terminal: boolean): Checklist {
  return terminal ? makeTable(write) : makeLines(write);
}

function makeTable(write: (text: string) => void): Checklist {
  let drawn = '';
  return {
    show(rows) {
      const table = rows.map(tableRow).join('');
      if (table === drawn) return;
      const lines = drawn === '' ? 0 : drawn.split('\n').length - 1;
      drawn = table;
      // Up over the last table, then each line is cleared as it is written over.
      write(`${lines > 0 ? `\x1b[${lines}A` : ''}${table.replaceAll(/^(?=.)/gm, '\x1b[2K')}`);
    },
  };
}

function tableRow({ item, seconds }: Row): string {
  const steps = STEPS.map((step) => `${step} ${MARKS[item.processing[step] ?? ''] ?? '?'}`).join('   ');
  return `  ${item.id.padEnd(NAME_WIDTH)} ${steps}   ${item.status} ${seconds.toFixed(1)} s\n`;
}

function makeLines(write: (text: string) => void): Checklist {
  const said = new Set<string>();
  const say = (line: string): void => {
    if (said.has(line)) return;
    said.add(line);
    write(`  ${line}\n`);
  };
  return {
    show(rows) {
      for (const { item, seconds } of rows) {
        for (const step of STEPS) {
          const state = item.processing[step] ?? '';
          if (FINAL_STEPS.has(state)) say(`${item.id}: ${step} ${state}`);
        }
        if (isFinal(item) && !said.has(`final ${item.id}`)) {
          said.add(`final ${item.id}`);
          say(`${item.id}: ${item.status} after ${seconds.toFixed(1)} s`);
        }
      }
    },
  };
}

/** Whether the analysis of an item is over. */
export function isFinal(item: DemoItem): boolean {
  return ['ready', 'partial', 'failed'].includes(item.status);
}
