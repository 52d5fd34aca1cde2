/** A project with its own catalogue, selection process and API over a real database. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { Registry } from 'prom-client';
import { createLocalBlobStore } from '../../../platform/blobs/local.ts';
import { completeStep, startStep } from '../../../db/analysis/steps.ts';
import { replaceChunks } from '../../../db/analysis/results/searchChunks.ts';
import { replaceSummary } from '../../../db/analysis/results/summaries.ts';
import { startSelection, type RunningSelection } from '../../../output/selection/selection.ts';
import { countChanges } from '../../../loops/relay/popularityCounter.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { embedText } from '../../../providers/builtin/embedding/embed.ts';
import { replacePictureVectors } from '../../../db/analysis/results/pictureVectors.ts';
import { MODELS } from '../../../providers/builtin/modelVersions.ts';
import { planItem } from '../../../db/analysis/plan.ts';
import {
  clientOf,
  createTestProject,
  startTestApi,
  type Client,
  type TestApi,
  type TestProject,
} from '../../api/support/testApi.ts';
import { createTestDatabase, PATIENT_POOL, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import type { MediumWrite } from '../../../domain/items/item.ts';
import type { ItemType } from '../../../domain/analysis/steps.ts';
import { Analyst, mediaOf, PROVENANCE, snapshot, summaryOf } from '../../support/items/items.ts';

export interface OutputStage {
  database: TestDatabase;
  selection: RunningSelection;
  api: TestApi;
  /** A new one for each test. */
  project: TestProject;
  call: Client;
  /** The blob folder of the selection process and of the tests that publish models for it. */
  blobDir: string;
  /** Writes items through the API and analyses them: their vectors are those of their titles. */
  addItems(items: readonly StageItem[]): Promise<void>;
  /** Waits until selection has the current catalogue. */
  followed(): Promise<void>;
  /** Counts popularity as the relay does, and waits until selection has it. */
  counted(): Promise<void>;
  /** Sends events; names such as `u-…` are users, all others are devices. */
  send(events: readonly StageEvent[]): Promise<void>;
}

export interface StageEvent {
  who: string;
  item: string;
  /** The default is an opening. */
  type?: string;
  value?: number;
  daysAgo?: number;
}

export interface StageItem {
  id: string;
  title: string;
  type?: ItemType;
  author?: string;
  url?: string;
  published_at?: string;
  properties?: Record<string, unknown>;
  available?: boolean;
  topics?: string[];
  tags?: string[];
  ageRating?: '0+' | '6+' | '12+' | '16+' | '18+' | null;
  media?: Partial<MediumWrite>[];
  /** Text that is said or shown; the default is the title alone. */
  chunks?: StageChunk[];
  chapters?: { medium: number; start: number; end: number; title: string }[];
  /** Vectors of the first medium's pictures, in the space of {@link SIGHTS}. */
  pictures?: number[][];
}

export interface StageChunk {
  text: string;
  /** The medium's index and the seconds; without it the chunk is from the item's own text. */
  at?: [medium: number, from: number, to: number];
  /** For a frame: the text of the vector that it shares with others; empty for all frames after the first. */
  shared?: string;
}

/** Picture vectors of words in the stage's model; other words have none. */
const SIGHTS: Readonly<Record<string, number[]>> = { закат: [1, 0, 0], море: [0, 1, 0] };
const SIGHT_MODEL = 'sight-1';

/** Vectors are those of the built-in model. */
export const MODEL = MODELS.embedding;

/** The longest that the product accepts: on a busy machine a fallback would hide what the process selects. */
export const MAX_DEADLINE_MS = 10_000;

/** Lifts the limit of an address: a long run of the oracle sends thousands of requests a minute. */
export const MANY_REQUESTS = { IP_REQUESTS_PER_MINUTE: '1000000' };

/** Registers the hooks; call it before other hooks of the file. */
export function stageOutput({
  deadlineMs = MAX_DEADLINE_MS,
  catalogueMb = 64,
  statementTimeoutMs = PATIENT_POOL.statementTimeoutMs,
  embed = (text) => Promise.resolve(vectorOf(text)),
  embedSight = (text) => Promise.resolve(sightOf(text)),
}: {
  deadlineMs?: number;
  catalogueMb?: number;
  statementTimeoutMs?: number;
  /** Embeds queries; the default is what embeds titles. */
  embed?: (text: string) => Promise<Float32Array>;
  /** Embeds queries in the space of pictures; the default knows {@link SIGHTS}. */
  embedSight?: (text: string) => Promise<Float32Array>;
} = {}): OutputStage {
  const stage = {} as OutputStage;
  beforeAll(async () => {
    stage.database = await createTestDatabase();
    stage.blobDir = await mkdtemp(join(tmpdir(), 'attune-models-'));
    const { url } = stage.database;
    stage.selection = await startSelection(
      {
        databaseUrl: url,
        host: '127.0.0.1',
        port: 0,
        catalogueMb,
        blobs: createLocalBlobStore(stage.blobDir),
        embedder: { model: MODEL, similarityThreshold: 0.2, embed },
        pictureEmbedder: {
          model: SIGHT_MODEL,
          similarityThreshold: 0.2,
          embed: embedSight,
        },
      },
      createLogger('selection', 'silent'),
      new Registry(),
    );
    stage.api = await startTestApi({
      databaseUrl: url,
      env: {
        SELECTION_URLS: `http://127.0.0.1:${stage.selection.port}`,
        SELECTION_DEADLINE_MS: String(deadlineMs),
        ...MANY_REQUESTS,
      },
      statementTimeoutMs,
    });
  });
  afterAll(async () => {
    await stage.api?.close();
    await stage.selection?.close();
    await stage.database?.drop();
    if (stage.blobDir) await rm(stage.blobDir, { recursive: true, force: true });
  });
  beforeEach(async () => {
    stage.project = await createTestProject(stage.database.pool);
    stage.call = clientOf(stage.api.content, stage.project.key);
  });
  stage.addItems = async (items) => {
    await stage.call('POST', '/items/batch', {
      operations: items.map(
        ({
          id,
          topics: _topics,
          tags: _tags,
          ageRating: _rating,
          chunks: _chunks,
          chapters: _chapters,
          pictures: _pictures,
          ...data
        }) => ({
          op: 'put',
          id,
          data: { type: 'text', ...data },
        }),
      ),
    });
    for (const item of items) await analyse(stage, item);
  };
  stage.followed = () => followed(stage);
  stage.counted = () => counted(stage);
  stage.send = (events) => send(stage, events);
  return stage;
}

async function counted({ database: { pool }, selection, followed: follow }: OutputStage): Promise<void> {
  const logger = createLogger('relay', 'silent');
  while ((await countChanges({ pool, logger })) > 0);
  await follow();
  await selection.catalogues.followAll();
}

const EVENTS = 1_000;
const DAY_MS = 86_400_000;

async function send({ call }: OutputStage, events: readonly StageEvent[]): Promise<void> {
  const now = Date.now();
  const all = events.map(({ who, item, type = 'open', value, daysAgo = 0 }) => ({
    id: randomUUID(),
    type,
    item,
    user: who.startsWith('u-') ? { user_id: who } : { anonymous_id: who },
    ...(value !== undefined && { value }),
    occurred_at: new Date(now - daysAgo * DAY_MS).toISOString(),
  }));
  for (let at = 0; at < all.length; at += EVENTS) {
    const { body } = await call('POST', '/events', { events: all.slice(at, at + EVENTS) });
    if (body.rejected?.length !== 0) throw new Error(`events were rejected: ${JSON.stringify(body)}`);
  }
}

async function analyse({ database: { pool }, project }: OutputStage, item: StageItem): Promise<void> {
  const ref = { projectId: project.id, itemId: item.id };
  if (item.media) await new Analyst(pool, project.id).analyseMedia(item.id);
  await planItem(pool, ref, {});
  const { steps } = await snapshot(pool, project.id, item.id);
  const media = item.media ? await mediaOf(pool, project.id, item.id) : [];
  const done = { state: 'done', error: null } as const;
  const summary = { ...ref, step: 'summary' as const, revision: steps.summary.revision };
  await startStep(pool, summary);
  await completeStep(pool, summary, done, (client) =>
    replaceSummary(client, summary, {
      summary: {
        ...summaryOf(item.title),
        topics: item.topics ?? [],
        tags: item.tags ?? [],
        ageRating: item.ageRating ?? null,
      },
      moderation: null,
      chapters: (item.chapters ?? []).map(({ medium, ...chapter }) => ({
        mediumId: media[medium]?.id ?? '',
        ...chapter,
      })),
      provenance: PROVENANCE,
    }),
  );
  const embedding = { ...ref, step: 'embedding' as const, revision: steps.embedding.revision };
  await startStep(pool, embedding);
  const chunks = (item.chunks ?? [{ text: item.title }]).map(
    ({ text, shared, at: [medium = -1, startSec = null, endSec = null] = [] }) => ({
      mediumId: media[medium]?.id ?? null,
      startSec,
      endSec,
      text,
      vector: shared === '' ? null : vectorOf(shared ?? text),
      frameVector: shared === undefined ? null : vectorOf(text),
    }),
  );
  const pictures = (item.pictures ?? []).map((numbers, ts) => ({
    mediumId: media[0]?.id ?? '',
    ts,
    vector: Float32Array.from(numbers),
  }));
  await completeStep(pool, embedding, { ...done, hasVectors: true }, (client) =>
    replaceChunks(client, embedding, chunks, MODEL).then(() =>
      replacePictureVectors(client, embedding, pictures, SIGHT_MODEL),
    ),
  );
}

export function sightOf(text: string): Float32Array {
  return Float32Array.from(SIGHTS[text] ?? [0, 0, 1]);
}

export function vectorOf(text: string): Float32Array {
  const vector = embedText(text);
  if (vector === null) throw new Error('a title without a word has no vector');
  return vector;
}

async function followed({ selection, project, database }: OutputStage): Promise<void> {
  const { rows } = await database.pool.query<{ micros: string | null }>(
    `select (extract(epoch from max(updated_at)) * 1000000)::bigint as micros from items where project_id = $1`,
    [project.id],
  );
  const latest = BigInt(rows[0]?.micros ?? 0);
  await eventually(() => {
    const catalogue = selection.catalogues.find(project.id);
    return typeof catalogue === 'object' && (catalogue.position?.micros ?? 0n) >= latest;
  }, 'the catalogue as it is now');
}
