/** Shorthands that write, read and analyse an item in tests of the analysis. */
import type pg from 'pg';
import { planItem } from '../../../db/analysis/plan.ts';
import { completeStep, startStep, type StepOutcome } from '../../../db/analysis/steps.ts';
import {
  endMediumStep,
  storeFrameDescriptions,
  storePrepared,
  storeTranscript,
  type PreparedMediumRow,
} from '../../../db/analysis/mediaSteps.ts';
import { replaceChunks } from '../../../db/analysis/results/searchChunks.ts';
import { replaceSummary } from '../../../db/analysis/results/summaries.ts';
import { putItem } from '../../../db/items/writeItems.ts';
import type { ItemContent, ItemHead, MediumWrite } from '../../../domain/items/item.ts';
import {
  ITEM_STEPS,
  MEDIA_STEPS,
  STEPS,
  type ItemStatus,
  type ItemStep,
  type MediaStep,
  type Step,
  type StepRecords,
  type StepState,
} from '../../../domain/analysis/steps.ts';
import { textItem } from '../project.ts';

export const PROVENANCE = { provider: 'fake', model: 'fake-1', requestId: null };

export function medium(kind: MediumWrite['kind'], name: string, version: string | null = null): MediumWrite {
  return { kind, url: `https://media.test/${name}`, version };
}

/** Returns an item with media and no text. */
export function mediaItem(
  type: ItemContent['type'],
  media: MediumWrite[],
  content: Partial<ItemContent> = {},
): ItemContent {
  return textItem({ type, title: 'Медиа', body: null, media, ...content });
}

/** Adds a webhook whose deliveries are never attempted. */
export async function addSilentWebhook(
  pool: pg.Pool,
  projectId: string,
  events = ['item.processed', 'item.failed'],
): Promise<void> {
  await pool.query(
    `insert into webhooks (project_id, url, events, secret) values ($1, 'https://receiver.test/', $2, '')`,
    [projectId, events],
  );
}

export interface ItemSnapshot {
  status: ItemStatus;
  deleted: boolean;
  revision: number;
  updatedAt: string;
  steps: StepRecords;
  /** Number of rows in the outbox. */
  outbox: number;
  /** Deliveries by event, in order. */
  events: string[];
}

/** Reads everything that a write or a result may change; times are in the database's text form. */
export async function snapshot(pool: pg.Pool, projectId: string, itemId: string): Promise<ItemSnapshot> {
  const { rows } = await pool.query<ItemSnapshot>(
    `select status, deleted, revision::int, updated_at::text as "updatedAt", steps,
            (select count(*)::int from outbox where project_id = i.project_id and entity_id = i.id) as outbox,
            coalesce((select array_agg(event order by id) from deliveries d where d.project_id = i.project_id and d.item_id = i.id), '{}') as events
       from items i where project_id = $1 and id = $2`,
    [projectId, itemId],
  );
  const row = rows[0];
  if (!row) throw new Error(`no item ${itemId}`);
  return row;
}

/** Reduces records to the plain step states, which most tests compare. */
export function plain(steps: StepRecords): Record<Step, StepState> {
  return Object.fromEntries(STEPS.map((step) => [step, steps[step].state])) as Record<Step, StepState>;
}

export interface MediumState extends Record<MediaStep, string> {
  id: string;
  url: string;
  position: number;
  status: string;
}

export async function mediaOf(pool: pg.Pool, projectId: string, itemId: string): Promise<MediumState[]> {
  const { rows } = await pool.query<MediumState>(
    'select medium_id as id, url, position, status, prepare, speech, vision from item_media where project_id = $1 and item_id = $2 order by position',
    [projectId, itemId],
  );
  return rows;
}

/** Does the work of the workflow and its activities, with the same functions, until nothing is left. */
export class Analyst {
  readonly #pool: pg.Pool;
  readonly #projectId: string;

  constructor(pool: pg.Pool, projectId: string) {
    this.#pool = pool;
    this.#projectId = projectId;
  }

  put(itemId: string, content: ItemContent): Promise<{ created: boolean; item: ItemHead }> {
    return putItem(this.#pool, { projectId: this.#projectId, itemId, content, origin: 'api', requestId: null });
  }

  /** Completes every outdated step successfully. */
  async analyse(itemId: string): Promise<void> {
    await this.analyseMedia(itemId);
    await planItem(this.#pool, { projectId: this.#projectId, itemId }, {});
    for (const step of ITEM_STEPS) await this.finish(itemId, step);
  }

  /** Completes every outdated step on media. */
  async analyseMedia(itemId: string): Promise<void> {
    const ref = { projectId: this.#projectId, itemId };
    for (const step of MEDIA_STEPS) {
      const plan = await planItem(this.#pool, ref, {});
      const { revision } = plan?.steps[step] ?? { revision: 0 };
      if (plan?.steps[step].state !== 'queued') continue;
      for (const mediumId of plan.todo[step]) await this.doMedium({ ...ref, step, revision, mediumId });
    }
  }

  async doMedium(work: {
    projectId: string;
    itemId: string;
    step: MediaStep;
    revision: number;
    mediumId: string;
  }): Promise<boolean> {
    await startStep(this.#pool, work);
    switch (work.step) {
      case 'prepare':
        return storePrepared(this.#pool, work, prepared(work.mediumId));
      case 'speech':
        return storeTranscript(
          this.#pool,
          work,
          { language: 'ru', timestamps: 'model', text: `речь ${work.mediumId}`, segments: [] },
          PROVENANCE,
        );
      case 'vision':
        await storeFrameDescriptions(
          this.#pool,
          work,
          [{ id: '0', ts: 0, description: `кадр ${work.mediumId}`, ocrText: null, tags: null, safety: null }],
          PROVENANCE,
        );
        return endMediumStep(this.#pool, work, 'done', null);
    }
  }

  /** Completes a step on the item at its current revision, or at the given one. */
  async finish(
    itemId: string,
    step: ItemStep,
    given: { revision?: number; text?: string; outcome?: StepOutcome } = {},
  ): Promise<StepRecords | null> {
    const { steps } = await snapshot(this.#pool, this.#projectId, itemId);
    if (given.revision === undefined && steps[step].state !== 'queued' && steps[step].state !== 'running') return null;
    const work = { projectId: this.#projectId, itemId, step, revision: given.revision ?? steps[step].revision };
    const text = given.text ?? 'итог';
    await startStep(this.#pool, work);
    const outcome = given.outcome ?? {
      state: 'done',
      error: null,
      ...(step === 'embedding' ? { hasVectors: true } : {}),
    };
    return completeStep(this.#pool, work, outcome, async (client) => {
      if (outcome.state !== 'done') return;
      if (step === 'embedding')
        await replaceChunks(
          client,
          work,
          [{ mediumId: null, startSec: null, endSec: null, text, vector: new Float32Array([1, 0]) }],
          'fake-1',
        );
      if (step === 'summary')
        await replaceSummary(client, work, { summary: summaryOf(text), moderation: null, provenance: PROVENANCE });
    });
  }
}

export function summaryOf(text: string) {
  return {
    summary: text,
    description: null,
    topics: ['тема'],
    tags: ['тег'],
    entities: [],
    language: 'ru',
    ageRating: null,
  };
}

/** Returns the result of prepare for any medium here: sound and one frame. */
export function prepared(name: string): PreparedMediumRow {
  return {
    durationSec: 10,
    width: 640,
    height: 480,
    truncated: false,
    audioKey: `media/${name}/audio.flac`,
    subtitlesKey: null,
    frames: [{ ts: 0, blobKey: `media/${name}/0.jpg`, duplicateOfTs: null, flat: false }],
  };
}
