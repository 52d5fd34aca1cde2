/** Writes the benchmark's project as use would have left it: items with their analysis, people, and their events. */
import { neverAnalysed, type StepRecords } from '../../../../domain/analysis/steps.ts';
import { lineEventId } from '../../../../domain/orders/orderLines.ts';
import { SENTENCE_MODEL } from '../../../../providers/builtin/modelVersions.ts';
import type { BenchDatabase } from '../../intake/database.ts';
import { copyRows, type Field } from './copy.ts';
import { itemOf, PROPERTIES, type WorldItem } from './items.ts';
import { personOf } from './people.ts';
import { sessionEvents, groupByTopic } from './sessions.ts';
import { itemId, userId, type WorldSize } from './size.ts';
import type { WorldTopics } from './topics.ts';
import { vectorBytes } from './vectors.ts';

export interface World {
  projectId: string;
  size: WorldSize;
  topics: WorldTopics;
  /** End of the world's time, in milliseconds since 1970. */
  now: number;
}

/** Maximum number of items in memory. */
const AT_A_TIME = 10_000;
/** Searchable moments of a video; other items have one chunk. */
const VIDEO_CHUNKS = 4;
/** Identities of other projects have smaller numbers; the benchmark's start here. */
const FIRST_IDENTITY = 1_000_000;
const STATES: ReadonlySet<string> = new Set(['view', 'like', 'dislike', 'favourite', 'hide']);
/** Counted impressions for each open. */
const IMPRESSIONS = 12;

/** @returns how many events and states were stored */
export async function fillWorld(
  database: BenchDatabase,
  world: World,
  log: (line: string) => void,
): Promise<{ events: number; states: number }> {
  await declareProperties(database, world.projectId);
  await fillItems(database, world);
  log('items are written');
  await fillPeople(database, world);
  const events = await fillEvents(database, world);
  log(`${events.events} events and ${events.states} states are written`);
  await database.query('vacuum analyze');
  return events;
}

async function declareProperties(database: BenchDatabase, projectId: string): Promise<void> {
  await database.query(
    `insert into item_properties (project_id, name, type, filterable) select $1, name, type, true
       from unnest($2::text[], $3::text[]) as p (name, type)`,
    [projectId, PROPERTIES.map(([name]) => name), PROPERTIES.map(([, type]) => type)],
  );
}

const stepsOf = (isDone: boolean): StepRecords => {
  const steps = neverAnalysed();
  const state = isDone ? 'done' : 'failed';
  return {
    ...steps,
    summary: { ...steps.summary, state, revision: 1 },
    embedding: { ...steps.embedding, state, revision: 1 },
  };
};
const ANALYSED = stepsOf(true);
const FAILED = stepsOf(false);

const hasAnalysis = ({ deleted, status }: WorldItem): boolean => !deleted && status !== 'failed';

async function fillItems(database: BenchDatabase, world: World): Promise<void> {
  const { size, topics, now } = world;
  for (let from = 0; from < size.items; from += AT_A_TIME) {
    const count = Math.min(AT_A_TIME, size.items - from);
    const items = Array.from({ length: count }, (_, at) => ({
      n: from + at,
      item: itemOf(from + at, topics.all, now),
    }));
    await copyItems(database, world, items);
  }
}

interface NumberedItem {
  n: number;
  item: WorldItem;
}

async function copyItems(
  database: BenchDatabase,
  { projectId, now }: World,
  items: readonly NumberedItem[],
): Promise<void> {
  const analysed = items.filter(({ item }) => hasAnalysis(item));
  await copyRows(
    database,
    ITEM_COLUMNS,
    items.map((one) => itemRow(projectId, now, one)),
  );
  await copyRows(
    database,
    'item_summaries (project_id, item_id, summary, provenance)',
    analysed.map(({ n, item }) => [projectId, itemId(n), summaryOf(item), {}]),
  );
  await copyRows(
    database,
    'item_chunks (project_id, item_id, ordinal, start_sec, end_sec, text, vector, model)',
    chunkRows(projectId, analysed),
  );
}

const ITEM_COLUMNS =
  'items (project_id, id, type, title, description, body, author, url, published_at, properties, origin, available, deleted, revision, status, steps, created_at, updated_at)';

function itemRow(projectId: string, now: number, { n, item }: NumberedItem): readonly Field[] {
  const { type, title, description, body, author, properties, available, deleted, status } = item;
  const publishedAt = new Date(item.publishedAt);
  const url = `https://site.example/${itemId(n)}`;
  const steps = status === 'failed' ? FAILED : ANALYSED;
  const state = [available, deleted, 1, status, steps, publishedAt, new Date(now)];
  return [projectId, itemId(n), type, title, description, body, author, url, publishedAt, properties, 'api', ...state];
}

function summaryOf({ topic, language, description, tags, ageRating }: WorldItem): object {
  return {
    summary: description,
    description: null,
    topics: [topic.names[language]],
    tags,
    entities: [],
    language,
    age_rating: ageRating,
    moderation: null,
  };
}

function* chunkRows(projectId: string, items: readonly NumberedItem[]): Generator<readonly Field[]> {
  for (const { n, item } of items) {
    const chunks = item.type === 'video' ? VIDEO_CHUNKS : 1;
    const length = Math.ceil(item.body.length / chunks);
    for (let ordinal = 0; ordinal < chunks; ordinal += 1) {
      const [start, end] = chunks === 1 ? [null, null] : [60 * ordinal, 60 * (ordinal + 1)];
      const text = item.body.slice(ordinal * length, (ordinal + 1) * length);
      const vector = vectorBytes(`chunk ${ordinal}`, n, item.topic.centre);
      yield [projectId, itemId(n), ordinal, start, end, text, vector, SENTENCE_MODEL];
    }
  }
}

async function fillPeople(database: BenchDatabase, { projectId, size, topics }: World): Promise<void> {
  const people = Array.from({ length: size.people }, (_, n) => n);
  await copyRows(
    database,
    'identities (project_id, id, kind, external_id)',
    people.map((n) => [projectId, FIRST_IDENTITY + n, 'user', userId(n)]),
  );
  await database.query(`select setval(pg_get_serial_sequence('identities', 'id'), $1)`, [FIRST_IDENTITY + size.people]);
  await copyRows(
    database,
    'profiles (project_id, identity_id, city, country, interests, excluded_interests, personalization)',
    people.map((n) => {
      const { city, country, interests, excludedInterests, personalization } = personOf(n, topics);
      return [projectId, FIRST_IDENTITY + n, city, country, interests, excludedInterests, personalization];
    }),
  );
}

async function fillEvents(database: BenchDatabase, world: World): Promise<{ events: number; states: number }> {
  const { projectId, size, topics, now } = world;
  const states = new Map<string, readonly Field[]>();
  function* facts(): Generator<readonly Field[]> {
    let number = 0;
    for (const { person, item, type, value, at, order } of sessionEvents(
      size,
      topics,
      groupByTopic(size, topics, now),
      now,
    )) {
      const place = [projectId, FIRST_IDENTITY + person, itemId(item), type];
      const time = new Date(at);
      if (STATES.has(type)) {
        states.set(`${person} ${item} ${type}`, [...place, value, time, time]);
        continue;
      }
      number += 1;
      const id = order === null ? `e${number}` : lineEventId(`order-${order}`, itemId(item));
      yield [...place, id, value, time, time, order === null ? null : `order-${order}`, order === null ? null : 1];
    }
  }
  const events = await copyRows(
    database,
    'events (project_id, identity_id, item_id, type, id, value, occurred_at, received_at, order_id, quantity)',
    facts(),
  );
  await copyRows(
    database,
    'event_states (project_id, identity_id, item_id, type, value, occurred_at, received_at)',
    states.values(),
  );
  await database.query('update event_types set in_use = true where project_id = $1', [projectId]);
  await database.query(
    `insert into impression_counts (project_id, day, item_id, surface, position_bucket, count)
     select project_id, (occurred_at at time zone 'UTC')::date, item_id, 'feed', 0, ${IMPRESSIONS} * count(*)
       from events where project_id = $1 and type = 'open' group by 1, 2, 3`,
    [projectId],
  );
  return { events, states: states.size };
}
