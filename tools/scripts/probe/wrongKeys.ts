/** Thousands of random keys from one address: they cost a few database lookups, and only their sender notices. */
import { setTimeout as pause } from 'node:timers/promises';
import { FAILED_LOOKUPS } from '../../../api/auth/keyLookups.ts';
import {
  askWithKey,
  figure,
  unexpectedAnswers,
  FLOODER,
  healthFigures,
  NEIGHBOUR,
  watchHealth,
  type Probe,
} from './probe.ts';
import { latencyPercentile, sumOf, timeUntil, watch } from './watch.ts';

const FLOOD = { perSecond: 2_000, seconds: 15, connections: 100 };
const WITH_KEY_PER_SECOND = 5;
const WORKS_AGAIN_MS = 5_000;
/** Requests after the flood with the valid key from its address, a tenth of a second apart. */
const AFTERWARDS = 20;

export const probeWrongKeys: Probe = async (stage) => {
  await askWithKey(stage, FLOODER);
  const health = watchHealth(stage);
  const neighbour = watch(WITH_KEY_PER_SECOND, () => askWithKey(stage, NEIGHBOUR));
  const sameAddress = watch(WITH_KEY_PER_SECOND, () => askWithKey(stage, FLOODER));
  const flood = await stage.flood({
    flood: { kind: 'wrong keys', from: FLOODER },
    connections: FLOOD.connections,
    perSecond: FLOOD.perSecond,
    total: FLOOD.perSecond * FLOOD.seconds,
    seconds: 1.5 * FLOOD.seconds,
  });
  const again = await timeUntil(async () => (await askWithKey(stage, FLOODER)) === 200, 2 * WORKS_AGAIN_MS);
  const [healthSeen, neighbourSeen, sameSeen] = await Promise.all([
    health.stop(),
    neighbour.stop(),
    sameAddress.stop(),
  ]);
  const afterwards: Record<string, number> = {};
  for (let n = 0; n < AFTERWARDS; n += 1) {
    const status = await askWithKey(stage, FLOODER);
    afterwards[status] = (afterwards[status] ?? 0) + 1;
    await pause(100);
  }
  const all = sumOf(flood.statuses);
  const budget = Math.ceil(FAILED_LOOKUPS.capacity + FAILED_LOOKUPS.perSecond * flood.seconds);
  return [
    figure('wrong keys sent', all / flood.seconds, '/s', `>= ${FLOOD.perSecond / 2}`),
    figure('answers of 401 (each may cost a look-up)', flood.statuses[401] ?? 0, '', `<= ${budget}`),
    figure('answers of 429', (100 * (flood.statuses[429] ?? 0)) / all, '%'),
    unexpectedAnswers('wrong keys', [401, 429], flood.statuses),
    ...healthFigures(healthSeen),
    unexpectedAnswers('valid key, another address', [200], neighbourSeen.statuses),
    figure('valid key, another address, p99', latencyPercentile(99, neighbourSeen), 'ms'),
    unexpectedAnswers('valid key, same address', [200, 429], sameSeen.statuses),
    figure('valid key, same address, until it works again', again / 1000, 's', `<= ${WORKS_AGAIN_MS / 1000}`),
    unexpectedAnswers('valid key, same address, then', [200], afterwards),
  ];
};
