/** Parses a process's answer at /metrics as Prometheus would: one sample of each series. */
import type { Labels, Series } from './promqlVectors.ts';

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** @returns the series, each with one sample at the second 0 */
export function readExposition(text: string): Series[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = LINE.exec(line) ?? [];
    return name === undefined ? [] : [{ labels: labelsOf(name, labels), samples: [[0, Number(value)]] as const }];
  });
}

function labelsOf(name: string, text: string): Labels {
  return { __name__: name, ...Object.fromEntries([...text.matchAll(LABEL)].map(([, label, value]) => [label, value])) };
}
