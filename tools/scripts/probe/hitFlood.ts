/** Sends more hits to one site than one API process can accept: that site may get 503, another one may not. */
import { setTimeout as pause } from 'node:timers/promises';
import { awaitIngested, hitOf } from './hits.ts';
import { figure, healthFigures, NEIGHBOUR, unexpectedAnswers, watchHealth, type Probe } from './probe.ts';
import { addressOf } from './requests.ts';
import type { ProbeSite, ProbeStage } from './stage.ts';
import { latencyPercentile, sumOf, watch } from './watch.ts';

/** From so many addresses that none reaches its own limit. */
const FLOOD = { perSecond: 5_000, seconds: 20, connections: 500, addresses: 250 };
const OTHER_PER_SECOND = 20;
/** Number of keep-alive connections that are opened before the flood. */
const KEPT_CONNECTIONS = 100;
const ALONE_SECONDS = 5;
/** Two cores do all the work: the flood, the API, PostgreSQL and the ingest. */
const SLOWEST_MS = { health: 2_000, hit: 2_000 };
const INGESTED_WITHIN_SECONDS = 60;

export const probeHitFlood: Probe = async (stage) => {
  const [flooded, other] = [await stage.addSite(), await stage.addSite()];
  const alone = watchOther(stage, other);
  await pause(ALONE_SECONDS * 1_000);
  const before = await alone.stop();
  await openConnections(stage, other);
  const health = watchHealth(stage);
  const watched = watchOther(stage, other);
  const flood = await stage.flood({
    flood: { kind: 'hits', key: flooded.tagKey, addresses: FLOOD.addresses, seed: 1 },
    connections: FLOOD.connections,
    perSecond: FLOOD.perSecond,
    total: FLOOD.perSecond * FLOOD.seconds,
    seconds: 1.5 * FLOOD.seconds,
  });
  const [seen, healthSeen] = await Promise.all([watched.stop(), health.stop()]);
  const ingested = await awaitIngested(stage, 2 * INGESTED_WITHIN_SECONDS);
  const all = sumOf(flood.statuses);
  return [
    figure('hits sent to one site', all / flood.seconds, '/s', `>= ${FLOOD.perSecond / 2}`),
    figure('flooded site: 202', (100 * (flood.statuses[202] ?? 0)) / all, '%'),
    figure('flooded site: 503', (100 * (flood.statuses[503] ?? 0)) / all, '%'),
    unexpectedAnswers('flooded site', [202, 503], flood.statuses),
    unexpectedAnswers('other site', [202], seen.statuses),
    figure('other site, p50 (alone before)', latencyPercentile(50, before), 'ms'),
    figure('other site, p50', latencyPercentile(50, seen), 'ms'),
    figure('other site, p99', latencyPercentile(99, seen), 'ms', `<= ${SLOWEST_MS.hit}`),
    ...healthFigures(healthSeen, SLOWEST_MS.health),
    figure('everything accepted is ingested after', ingested, 's', `<= ${INGESTED_WITHIN_SECONDS}`),
  ];
};

/**
 * Opens connections in advance, as a proxy does: while its event loop is busy, Node accepts new connections one at a
 * time.
 */
async function openConnections(stage: ProbeStage, { tagKey }: ProbeSite): Promise<void> {
  const hit = () => stage.ask({ method: 'POST', path: '/collect', from: NEIGHBOUR, body: hitOf(tagKey) });
  await Promise.all(Array.from({ length: KEPT_CONNECTIONS }, hit));
}

/** Sends from addresses that the flood does not use. */
function watchOther(stage: ProbeStage, { tagKey }: ProbeSite) {
  let n = FLOOD.addresses;
  return watch(OTHER_PER_SECOND, () =>
    stage.ask({
      method: 'POST',
      path: '/collect',
      from: addressOf((n += 1), 2 * FLOOD.addresses),
      body: hitOf(tagKey),
    }),
  );
}
