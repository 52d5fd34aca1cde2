import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SUMS } from '../../../../domain/output/popularity.ts';
import type { Catalogue } from '../../../../output/selection/catalogue/catalogue.ts';
import { Catalogues } from '../../../../output/selection/upkeep/catalogues.ts';
import type { ModelSource } from '../../../../output/selection/upkeep/modelFollower.ts';
import type { Logger } from '../../../../platform/process/logger.ts';
import { createTestProject } from '../../../api/support/testApi.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { eventually } from '../../../support/eventually.ts';
import { catalogueOf, change, placedAt } from '../../support/catalogues.ts';

let database: TestDatabase;
let logged: string[] = [];
beforeAll(async () => (database = await createTestDatabase()));
afterAll(() => database?.drop());
beforeEach(() => {
  logged = [];
});
afterEach(() => {
  jest.restoreAllMocks();
});

const logger = {
  warn: (_data: unknown, text: string) => void logged.push(text),
  error: (_data: unknown, text: string) => void logged.push(text),
} as unknown as Logger;
const NO_MODELS: ModelSource = { current: async () => null, kept: async () => [], read: async () => null };
const held = (budgetBytes: number) => new Catalogues({ pool: database.pool, logger, budgetBytes, models: NO_MODELS });

const INTO_ITEMS =
  'insert into items (project_id, id, type, author, status, published_at, properties, origin, available, revision, steps, created_at, updated_at)';

async function projectWith(items: number, author = 'a'): Promise<string> {
  const { id } = await createTestProject(database.pool);
  await database.pool.query(
    `${INTO_ITEMS} select $1, 'i-' || n, 'text', $3, 'ready', now(), '{"kept": 1, "other": "long"}', 'api', true, 1, '{}', now(), now()
       from generate_series(1, $2) n`,
    [id, items, author],
  );
  return id;
}
const ready = (catalogues: Catalogues, id: string) =>
  eventually(() => {
    const found = catalogues.find(id);
    return typeof found === 'object' ? found : null;
  }, 'the catalogue');

describe('the catalogues of a process', () => {
  it('are read when they are first requested, and then kept up to date', async () => {
    const id = await projectWith(450);
    const catalogues = held(1e9);
    expect(catalogues.find(id)).toBe('loading');
    const catalogue = await ready(catalogues, id);
    expect(catalogue.size).toBe(450);
    await database.pool.query(
      `${INTO_ITEMS} values ($1, 'late', 'text', null, 'ready', now(), null, 'api', true, 1, '{}', now(), now())`,
      [id],
    );
    await catalogues.followAll();
    expect(catalogue.slotOf('late')).toBe(450);
    await catalogues.close();
  });

  it('take in a large import over several turns', async () => {
    const id = await projectWith(1);
    const catalogues = held(1e9);
    const catalogue = await ready(catalogues, id);
    await database.pool.query(
      `${INTO_ITEMS} select $1, 'late-' || n, 'text', null, 'ready', now(), null, 'api', true, 1, '{}', now(), now()
         from generate_series(1, 2500) n`,
      [id],
    );
    const { behindMs } = catalogues.sizes();
    await catalogues.followAll();
    expect(catalogue.size).toBe(2_001);
    expect(catalogues.sizes().behindMs).toBeGreaterThan(behindMs);
    const beforeLastTurn = performance.now();
    await catalogues.followAll();
    expect(catalogue.size).toBe(2_501);
    expect(catalogues.sizes().behindMs).toBeLessThanOrEqual(performance.now() - beforeLastTurn);
    await catalogues.close();
  });

  it('keep only the filterable properties', async () => {
    const id = await projectWith(3);
    await database.pool.query(
      `insert into item_properties (project_id, name, type, filterable) values ($1, 'kept', 'number', true), ($1, 'other', 'string', false)`,
      [id],
    );
    const catalogue = await ready(held(1e9), id);
    expect(catalogue.itemAt(0)?.properties).toEqual({ kept: 1 });
    const filter = { op: 'eq', type: 'number', operands: [1], isWanted: true } as const;
    expect(catalogue.canFilterBy([{ ...filter, property: 'kept' }])).toBe(true);
    expect(catalogue.canFilterBy([{ ...filter, property: 'other' }])).toBe(false);
  });

  it('read a property that becomes filterable later, and answer everything else meanwhile', async () => {
    const id = await projectWith(2_500);
    const catalogues = held(1e9);
    const catalogue = await ready(catalogues, id);
    const { bytes } = catalogue;
    await database.pool.query(
      `insert into item_properties (project_id, name, type, filterable) values ($1, 'kept', 'number', true)`,
      [id],
    );
    for (let twice = 0; twice < 2; twice += 1) catalogues.readNewProperties(id);
    expect(catalogues.find(id)).toBe(catalogue);
    expect(catalogue.canFilterBy([{ property: 'kept' }])).toBe(false);
    await eventually(() => catalogue.canFilterBy([{ property: 'kept' }]), 'the property');
    expect(catalogues.find(id)).toBe(catalogue);
    const kept = Array.from({ length: catalogue.size }, (_, slot) => catalogue.itemAt(slot)?.properties);
    expect(new Set(kept.map((properties) => JSON.stringify(properties)))).toEqual(new Set(['{"kept":1}']));
    expect(catalogue.bytes).toBeGreaterThan(bytes);
    expect(logged).toEqual([]);
    await catalogues.close();
  });

  it('try again when a property that became filterable could not be read', async () => {
    const id = await projectWith(3);
    const catalogues = held(1e9);
    const catalogue = await ready(catalogues, id);
    await database.pool.query(
      `insert into item_properties (project_id, name, type, filterable) values ($1, 'kept', 'number', true)`,
      [id],
    );
    jest.spyOn(database.pool, 'query').mockImplementationOnce(() => Promise.reject(new Error('shutting down')));
    catalogues.readNewProperties(id);
    await eventually(() => logged.length === 1, 'the failure');
    catalogues.readNewProperties(id);
    await eventually(() => catalogue.canFilterBy([{ property: 'kept' }]), 'the property');
    expect(logged).toEqual(['could not bring a catalogue up to date']);
    await catalogues.close();
  });

  it('keep the newer properties of an item that changes while a property is read for all items', () => {
    const catalogue = catalogueOf([change('a'), change('b')]);
    catalogue.keepAlso(['level']);
    const before = [0, 1].flatMap((slot) => catalogue.itemAt(slot) ?? []);
    catalogue.apply([change('a', { properties: { level: 2, other: 1 } })]);
    const read = new Map(before.map(({ id }) => [id, { level: 1, other: 1 }]));
    catalogue.backfill(before, read);
    expect([0, 1].map((slot) => catalogue.itemAt(slot)?.properties)).toEqual([{ level: 2 }, { level: 1 }]);
  });

  it('make room for each other, the least recently used first', async () => {
    const [first, second, third] = await Promise.all([projectWith(300), projectWith(300), projectWith(300)]);
    const size = (await ready(held(1e9), first)).bytes;
    const catalogues = held(size * 2.5);
    await ready(catalogues, first);
    await ready(catalogues, second);
    catalogues.find(first);
    await ready(catalogues, third);
    expect(catalogues.sizes().projects).toBe(2);
    expect(typeof catalogues.find(first)).toBe('object');
    expect(catalogues.find(second)).toBe('loading');
    expect(logged).toEqual([]);
    await catalogues.close();
  });

  it('refuse one that does not fit alone, and say so once', async () => {
    const [large, small] = await Promise.all([projectWith(900), projectWith(20)]);
    const catalogues = held(100_000);
    await eventually(() => catalogues.find(large) === 'too_large', 'the refusal');
    await ready(catalogues, small);
    expect(catalogues.find(large)).toBe('too_large');
    expect(catalogues.sizes().items).toBe(20);
    expect(logged).toEqual(['a catalogue does not fit into SELECTION_CATALOGUE_MB: its recommendations are fallbacks']);
    await catalogues.close();
  });

  it('are read two at a time, and no further once the process stops', async () => {
    const ids = await Promise.all([900, 900, 900, 900].map((items) => projectWith(items)));
    const catalogues = held(1e9);
    for (const id of ids) catalogues.find(id);
    await catalogues.close();
    expect(catalogues.sizes().projects).toBe(0);
    expect(catalogues.sizes().items).toBeLessThan(1_000);
    expect(logged).toEqual([]);
  });
});

describe('the neighbour lists of catalogues', () => {
  const ITEMS = 3;
  let catalogues: Catalogues;
  let projects: string[];
  /** The projects whose lists were computed, one by one. */
  let computed: string[];
  let now: number;
  let costMs: number;

  /** Has people meet the items of a catalogue, and makes each of its lists cost `costMs`. */
  function meet(projectId: string, catalogue: Catalogue): void {
    for (let slot = 0; slot < ITEMS; slot += 1) {
      catalogue.vectors.set(slot, placedAt(slot));
      catalogue.popularity.set(slot, Array<number>(SUMS).fill(1));
    }
    jest.spyOn(catalogue, 'neighboursOf').mockImplementation(() => {
      computed.push(projectId);
      now += costMs;
      return { slots: new Uint32Array(), scores: new Float32Array(), floor: null, upTo: 0 };
    });
  }
  beforeEach(async () => {
    projects = await Promise.all([projectWith(ITEMS), projectWith(ITEMS)]);
    catalogues = held(1e9);
    computed = [];
    for (const id of projects) meet(id, await ready(catalogues, id));
    now = Math.ceil(performance.now());
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => catalogues.close());

  it('are computed in turns, so that those of a large one do not keep the others waiting for minutes', async () => {
    costMs = 30_000;
    await catalogues.computeAhead(async () => {});
    expect(computed).toEqual(projects.flatMap((id) => [id, id]));
  });

  it('leave the time to questions, whichever catalogue these are about', async () => {
    costMs = 4;
    now += 2_000;
    const rests: number[] = [];
    await catalogues.computeAhead(async (ms) => {
      rests.push(ms);
      if (rests.length === 1) catalogues.find(projects[1] ?? '');
    });
    expect(rests).toEqual([4, 36, 36, 36, 36, 36]);
  });
});
