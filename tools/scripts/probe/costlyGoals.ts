/**
 * Goals with the most expensive patterns possible, and page views made for them: the ingest of a neighbour in the same
 * shard must go on, and so must the API, although somebody keeps saving patterns that are too large.
 */
import { putGoal } from '../../../db/sites/goals.ts';
import { shardOf } from '../../../domain/collect/shards.ts';
import { awaitIngested, hitOf, oldestWaiting } from './hits.ts';
import { figure, unexpectedAnswers, FLOODER, healthFigures, NEIGHBOUR, watchHealth, type Probe } from './probe.ts';
import type { ProbeSite, ProbeStage } from './stage.ts';
import { watch } from './watch.ts';

const GOALS = 200;
const FLOOD = { perSecond: 5, seconds: 20, connections: 5 };
const PER_SECOND = { neighbour: 5, saved: 10, looked: 5 };
const WAIT_SECONDS = 5;
const INGESTED_WITHIN_SECONDS = 60;
/** Almost a thousand characters, which would compile to over a hundred thousand instructions. */
const HUGE_PATTERN = '(x{1000})'.repeat(110);

export const probeCostlyGoals: Probe = async (stage) => {
  const [hostile, neighbour] = await addNeighbours(stage);
  await addGoals(stage, hostile);
  const health = watchHealth(stage);
  const hits = watch(PER_SECOND.neighbour, () =>
    stage.ask({ method: 'POST', path: '/collect', from: NEIGHBOUR, body: hitOf(neighbour.tagKey) }),
  );
  const saves = watch(PER_SECOND.saved, () => saveHugePattern(stage, hostile));
  const waits = watchWaiting(stage, neighbour);
  const flood = await stage.flood({
    flood: { kind: 'long addresses', key: hostile.tagKey },
    connections: FLOOD.connections,
    perSecond: FLOOD.perSecond,
    total: FLOOD.perSecond * FLOOD.seconds,
    seconds: 1.5 * FLOOD.seconds,
  });
  const [healthSeen, hitsSeen, savesSeen] = await Promise.all([health.stop(), hits.stop(), saves.stop()]);
  const ingested = await awaitIngested(stage, 2 * INGESTED_WITHIN_SECONDS);
  const longest = await waits.stop();
  const { rowCount: aside } = await stage.pool.query('select from collect_failed');
  return [
    unexpectedAnswers('64 KB batches', [202], flood.statuses),
    unexpectedAnswers('huge patterns saved', [422], savesSeen.statuses),
    ...healthFigures(healthSeen),
    unexpectedAnswers('same shard, another site', [202], hitsSeen.statuses),
    figure('same shard, another site: longest wait for the ingest', longest, 's', `<= ${WAIT_SECONDS}`),
    figure('everything is ingested after', ingested, 's', `<= ${INGESTED_WITHIN_SECONDS}`),
    figure('requests that were set aside', aside ?? Number.NaN, '', '<= 0'),
  ];
};

/** Creates two sites in one shard, where anything that delays one would delay the other. */
async function addNeighbours(stage: ProbeStage): Promise<[ProbeSite, ProbeSite]> {
  const hostile = await stage.addSite();
  for (;;) {
    const other = await stage.addSite();
    if (shardOf(other.id) === shardOf(hostile.id)) return [hostile, other];
  }
}

/**
 * Adds goals whose patterns together cost more than the cabinet would accept, because the ingest must withstand
 * whatever is stored.
 */
async function addGoals({ pool }: ProbeStage, { id }: ProbeSite): Promise<void> {
  for (let n = 0; n < GOALS; n += 1) {
    const match = { op: 'regex', value: `.{0,145}[!-"]{1,${(n % 3) + 1}}` } as const;
    await putGoal(pool, id, { code: `g${n}`, title: 'Costly', type: 'url', match, value: null, enabled: true });
  }
}

const saveHugePattern = ({ ask, cabinetToken }: ProbeStage, { id }: ProbeSite): Promise<number> =>
  ask({
    method: 'PUT',
    path: `/cabinet/api/sites/${id}/goals/huge`,
    key: cabinetToken,
    from: FLOODER,
    body: { title: 'Huge', type: 'url', match: { op: 'regex', value: HUGE_PATTERN } },
  });

/** `stop` returns the longest time that a hit of the site was seen waiting, in seconds. */
function watchWaiting(stage: ProbeStage, { id }: ProbeSite): { stop(): Promise<number> } {
  let longest = 0;
  const looking = watch(PER_SECOND.looked, async () => {
    longest = Math.max(longest, await oldestWaiting(stage, id));
    return 200;
  });
  return { stop: () => looking.stop().then(() => longest) };
}
