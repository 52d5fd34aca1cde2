/** Shared parts of the probes: addresses of the clients, and helpers for figures. */
import type { Figure } from '../../load/figures.ts';
import type { ProbeStage } from './stage.ts';
import { countUnexpected, latencyPercentile, watch, type WatchedResponses } from './watch.ts';

/** @returns its figures; those with a target are bounds that must hold */
export type Probe = (stage: ProbeStage) => Promise<Figure[]>;

/** Addresses of the flooder, of its neighbours, and of the monitoring that requests /health. */
export const FLOODER = '203.0.113.66';
export const NEIGHBOUR = '192.0.2.10';
const MONITOR = '192.0.2.1';

const HEALTH_PER_SECOND = 20;
/** Monitoring would report a longer latency as a fault. */
const QUICK_MS = 200;

export const figure = (name: string, value: number, unit = '', aim: string | null = null): Figure => ({
  name,
  value,
  unit,
  aim,
});

/** Returns a bound: no response has a status other than these. Other statuses are reported. */
export function unexpectedAnswers(who: string, expected: readonly number[], statuses: Record<string, number>): Figure {
  const others = Object.entries(statuses).filter(([status]) => !expected.includes(Number(status)));
  const told = others.map(([status, count]) => `${status === '0' ? 'none' : status}: ${count}`);
  const name = `${who}: other than ${expected.join(', ')}${told.length > 0 ? ` (${told.join(', ')})` : ''}`;
  return figure(name, countUnexpected(expected, statuses), '', '<= 0');
}

export function watchHealth({ ask }: Pick<ProbeStage, 'ask'>): { stop(): Promise<WatchedResponses> } {
  return watch(HEALTH_PER_SECOND, () => ask({ path: '/content/api/v1/health', from: MONITOR }));
}

/** @param limitMs limit that allows for busy processors */
export function healthFigures(seen: WatchedResponses, limitMs = QUICK_MS): Figure[] {
  return [
    unexpectedAnswers('/health', [200], seen.statuses),
    figure('/health, p99', latencyPercentile(99, seen), 'ms', `<= ${limitMs}`),
  ];
}

/** Sends a request with the project's key; any request would do. */
export const askWithKey = ({ ask, projectKey }: Pick<ProbeStage, 'ask' | 'projectKey'>, from: string) =>
  ask({ path: '/content/api/v1/event-types', key: projectKey, from });
