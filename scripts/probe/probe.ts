/** What the probes have in common: who asks from where, and how a figure is told. */
import type { Figure } from '../load/figures.ts';
import type { ProbeStage } from './stage.ts';
import { othersThan, p, watch, type Seen } from './watch.ts';

/** @returns its figures; those with an aim are bounds, which must hold */
export type Probe = (stage: ProbeStage) => Promise<Figure[]>;

/** Addresses of whoever floods, of its neighbours, and of the supervision that asks /health. */
export const FLOODER = '203.0.113.66';
export const NEIGHBOUR = '192.0.2.10';
const SUPERVISION = '192.0.2.1';

const HEALTH_PER_SECOND = 20;
/** Longer, and a supervision begins to doubt. */
const QUICK_MS = 200;

export const figure = (name: string, value: number, unit = '', aim: string | null = null): Figure => ({
  name,
  value,
  unit,
  aim,
});

/** A bound: no answer has another status than these. Those that have are told. */
export function onlyAnswers(who: string, expected: readonly number[], statuses: Record<string, number>): Figure {
  const others = Object.entries(statuses).filter(([status]) => !expected.includes(Number(status)));
  const told = others.map(([status, count]) => `${status === '0' ? 'none' : status}: ${count}`);
  const name = `${who}: other than ${expected.join(', ')}${told.length > 0 ? ` (${told.join(', ')})` : ''}`;
  return figure(name, othersThan(expected, statuses), '', '<= 0');
}

export function watchHealth({ ask }: Pick<ProbeStage, 'ask'>): { stop(): Promise<Seen> } {
  return watch(HEALTH_PER_SECOND, () => ask({ path: '/content/api/v1/health', from: SUPERVISION }));
}

/** @param limitMs where all processors are at work, it cannot be quick */
export function healthFigures(seen: Seen, limitMs = QUICK_MS): Figure[] {
  return [onlyAnswers('/health', [200], seen.statuses), figure('/health, p99', p(99, seen), 'ms', `<= ${limitMs}`)];
}

/** A request with the project's key, which is as good as any. */
export const askWithKey = ({ ask, projectKey }: Pick<ProbeStage, 'ask' | 'projectKey'>, from: string) =>
  ask({ path: '/content/api/v1/event-types', key: projectKey, from });
