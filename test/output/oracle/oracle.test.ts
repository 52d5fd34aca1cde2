/**
 * Which items may be shown, and when: random worlds, people, writes and requests, and a naive model that judges
 * every item of every answer. ATTUNE_ORACLE_RUNS sets the number of requests, ATTUNE_ORACLE_SEED the first world;
 * `npm run oracle:output` runs thousands.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { diceOf } from '../../reports/oracle/world/dice.ts';
import { clientOf, type Client } from '../../api/support/testApi.ts';
import { modelOf } from '../support/models.ts';
import { stageOutput } from '../support/outputStage.ts';
import { publish } from '../support/published.ts';
import { experimentOf, stageSurfaces } from '../support/surfaces.ts';
import { visit, type Door, type FaultReport, type Visit } from './client.ts';
import { describedPaths } from './requests/described.ts';
import { startFrail, startList, type Frail, type SideApi } from './doors.ts';
import { missed } from './expected.ts';
import { Faults } from './faults.ts';
import { History } from './world/history.ts';
import type { PeopleOf } from './world/peopleWrites.ts';
import * as pools from './world/pools.ts';
import { randomSurfaces } from './requests/requests.ts';
import type { Surfaces } from './requests/surfaces.ts';
import { differenceFrom, prepareProject, storeState, strayPeople, type Place } from './world/store.ts';
import { Tally } from './rules/tally.ts';
import type { Rulebook } from './world/world.ts';
import { companionsIn, randomModel, randomState } from './world/worlds.ts';

const RUNS = Number(process.env['ATTUNE_ORACLE_RUNS'] ?? 1000);
const SEED = Number(process.env['ATTUNE_ORACLE_SEED'] ?? 1);
const PER_WORLD = 500;
const WORLDS = Math.ceil(RUNS / PER_WORLD);
const REPORTED_EVERY = 1_000;
/** This many requests meet every rule; fewer may miss some of the eighty. */
const WHOLE_RUN = 5_000;
const RARE = 10;
/** Starting a process takes as long as about a hundred requests. */
const KILLED_EVERY = 3;
/** Selection is killed after these shares of a world's requests: first with one client, then with two. */
const KILLED_AFTER = [0.1, 0.6];

let list: SideApi;
let frail: Frail;
// Runs before the stage's own hook, which drops the database.
afterAll(async () => {
  await list?.close();
  await frail?.close();
});

const stage = stageOutput();
const cabinet = stageSurfaces(stage);
const tally = new Tally();
const faults = new Faults();
let reported = 0;

beforeAll(async () => {
  [list, frail] = await Promise.all([startList(stage.database.url), startFrail(stage.database.url, stage.blobDir)]);
});

function tell(): void {
  if (tally.requests < reported + REPORTED_EVERY) return;
  reported = tally.requests - (tally.requests % REPORTED_EVERY);
  const { sparse } = tally;
  process.stderr.write(
    `${reported} requests, ${tally.items} items, ${tally.writes} writes, ${faults.count} faults, ${Math.round(process.cpuUsage().user / 1e6)} s of this process, ${sparse.empty + sparse.few} too short\n`,
  );
}

async function putSurfaces(surfaces: Surfaces): Promise<void> {
  for (const [name, { defaults: all, variants }] of surfaces) {
    const { pins = [], ...defaults } = all;
    const [a, b] = variants;
    const experiment =
      a && b
        ? experimentOf([
            ['a', 0.5, a],
            ['b', 0.5, b],
          ])
        : null;
    const { status, body } = await cabinet.putSurface(name, { defaults, pins, experiment });
    if (status !== 201) throw new Error(`the surface ${name} was refused: ${JSON.stringify(body)}`);
  }
}

// proves: output-request/user, output-request/limit, output-request/cursor, output-request/filters
// proves: output-request/missing-value, output-request/standard-filters, output-request/age-rating
// proves: output-request/exclude, output-request/pins, output-request/max_per_author, output-request/include_seen
// proves: output-request/fields, output-request/subject, output-answer/mode-personal, output-answer/no-padding
// proves: output-answer/other-trouble, output-shown/eligible, output-shown/eligible-at-once
// proves: output-shown/filters-at-once, output-shown/hides_item, output-shown/hidden_authors
// proves: output-shown/excluded_interests, output-shown/suppress-content, output-shown/suppress-neighbours
// proves: output-shown/person-deleted
// proves: output-shown/answered-event, output-shown/personalization, output-shown/personalization-snapshot
// proves: search/facets, search/total, search/minus-words, search/pin, search/suggested, surfaces/own-fields
// proves: surfaces/variant-fields, output-small/ops-by-type, output-small/published, output-small/max_per_author
it.each(Array.from({ length: WORLDS }, (_, index) => SEED + index))(
  'nothing is shown that a rule forbids: world %i',
  async (seed) => {
    const place: Place = { pool: stage.database.pool, projectId: stage.project.id, call: stage.call };
    await prepareProject(place);
    const begun = Date.now();
    const dice = diceOf(seed);
    const state = randomState(dice, begun);
    await storeState(place, state);
    const model = randomModel(dice, state);
    await publish(stage, modelOf(model));
    const companions = companionsIn(model.taste);
    const rulebook: Rulebook = { properties: pools.PROPERTIES, events: pools.EVENTS, companions };
    await stage.selection.catalogues.followModels();
    const surfaces = randomSurfaces(dice, state);
    await putSurfaces(surfaces);
    const history = new History(state);
    const people: PeopleOf = {
      users: Array.from({ length: 5 }, (_, at) => `u-${at}`),
      devices: Array.from({ length: 8 }, (_, at) => `a-${at}`),
      rulebook,
      told: [],
      made: 0,
    };
    const { key } = stage.project;
    const before = tally.requests;
    const isKilled = (seed - SEED) % KILLED_EVERY === 0;
    const { kills } = frail;
    const killsAt = isKilled ? KILLED_AFTER.map((share) => before + PER_WORLD * share) : [];
    const callFrail = clientOf(frail.content, key);
    const callDoomed: Client = (...request) => {
      if (tally.requests >= (killsAt[0] ?? Infinity)) {
        killsAt.shift();
        frail.killAtNextRequest();
      }
      return callFrail(...request);
    };
    const doors: Door[] = [
      ...Array.from({ length: 4 }, (): Door => ({
        name: 'ranked',
        call: stage.call,
        isList: false,
        log: stage.api.log,
      })),
      { name: 'list', call: clientOf(list.content, key), isList: true, log: list.log },
      { name: 'frail', call: callDoomed, isList: false, log: frail.log },
    ];
    const nameless = new Map<string, boolean>();
    let ids = 0;
    const visitBy = (client: number): Visit => {
      const own = diceOf(seed * 1_000 + client);
      return {
        dice: own,
        history,
        tally,
        doors,
        surfaces,
        nameless,
        asking: { dice: own, people, paths: describedPaths(stage.api) },
        writing: { dice: own, place, people, begun, nextId: () => `new-${(ids += 1)}` },
        onFaults: async (report: FaultReport) => faults.take(seed, report, { history, rulebook, surfaces }),
      };
    };
    await visit(visitBy(1), before + PER_WORLD / 2);
    // Without this the process might not be there to be killed again.
    await frail.recovered();
    await Promise.all([2, 3].map((client) => visit(visitBy(client), before + PER_WORLD)));
    await frail.recovered();
    tell();
    expect(frail.kills - kills).toBe(isKilled ? KILLED_AFTER.length : 0);
    expect(await differenceFrom(place, history.state)).toBeNull();
    expect(await strayPeople(place, nameless)).toEqual([]);
    expect(faults.reports).toEqual([]);
  },
  1_800_000,
);

// proves: output-request/limit, output-request/filters, output-request/missing-value, output-request/standard-filters
// proves: output-answer/mode-fallback, output-answer/no-padding, output-shown/eligible-at-once
// proves: output-shown/filters-at-once, output-shown/hides_item, output-shown/hidden_authors
// proves: output-shown/excluded_interests, output-shown/suppress-content, output-shown/person-deleted, search/facets
// proves: search/mode, search/minus-words, search/suggested, output-small/ops-by-type
it('the requests put every rule to the test (a short run may miss some), and hardly any answer is too short', () => {
  process.stderr.write(`${tally.table()}\n`);
  const { sparse } = tally;
  const untried = missed(tally, describedPaths(stage.api));
  process.stderr.write(`not met: ${untried.join(', ') || 'nothing'}\n`);
  expect(untried.length).toBeLessThanOrEqual(RUNS < WHOLE_RUN ? RARE : 0);
  expect(sparse.empty + sparse.few).toBeLessThanOrEqual(sparse.asked * 0.02);
  expect(tally.requests).toBeGreaterThanOrEqual(RUNS);
});
