/** A stage for the workflow `item`: database, Temporal, workers, fakes, and short ways to play on it. */
import { expect } from '@jest/globals';
import { Client, type WorkflowClientInterceptor, type WorkflowHandle } from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { NativeConnection } from '@temporalio/worker';
import { runWork } from '../../activities/runActivity.ts';
import type { ItemStepActivities } from '../../activities/data/itemSteps.ts';
import {
  endMediumStep,
  readMediumTodo,
  storePrepared,
  type PreparedMediumRow,
  type StoredMedium,
} from '../../db/analysis/media.ts';
import { startStep } from '../../db/analysis/steps.ts';
import { readItem } from '../../db/items/read.ts';
import { patchItem, putItem } from '../../db/items/write.ts';
import { itemWorkflowId } from '../../domain/ids.ts';
import type { ItemContent, ItemPatch } from '../../domain/item.ts';
import { QUEUES } from '../../domain/queues.ts';
import type { MediumWork } from '../../domain/workflowMessages.ts';
import { createLogger } from '../../process/logger.ts';
import { MediaError } from '../../activities/media/errors.ts';
import { relayOnce, startAnalysis, type AnalysisOptions } from './analysis.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createFakeProviders, type FakeProviders } from './fakeProviders.ts';
import { addSilentWebhook, prepared, snapshot, type ItemSnapshot } from './items.ts';
import { createTestProject } from './project.ts';
import { largestPayload, MAX_PAYLOAD_BYTES, type History } from './replay.ts';

const logger = createLogger('test', 'silent');
const ALL = { transcript: true, frames: true, searchChunks: true };

/** What no history may ever hold: the texts that the fakes and the tests use. */
const CONTENT = ['Заголовок', 'предложение', 'речь', 'кадр', 'о чём', 'секрет'];

/** Stands in for fetching and decoding: what a medium is depends on its address. */
export type Prepare = (medium: StoredMedium, work: MediumWork, signal: AbortSignal) => Promise<PreparedMediumRow>;

/** An address with `bad` in it is no media file. */
export const prepareAnything: Prepare = async (medium, work) => {
  if (medium.url.includes('bad')) throw new MediaError('unsupported_media');
  const whole = prepared(work.mediumId);
  return {
    ...whole,
    ...(medium.kind === 'image' && { audioKey: null }),
    ...(medium.kind === 'audio' && { frames: [] }),
  };
};

export interface StageOptions {
  temporal: { client: Client; namespace: string; nativeConnection: NativeConnection };
  wrapData?: (activities: ItemStepActivities) => ItemStepActivities;
  /** A workflow task that waits for a local activity tells the workflow what came meanwhile after four fifths of this; 10 s by default. */
  workflowTaskTimeout?: Duration;
}

export class ItemStage {
  readonly database: TestDatabase;
  readonly client: Client;
  readonly providers: FakeProviders = createFakeProviders();
  projectId = '';
  prepare: Prepare = prepareAnything;
  /** Comes before an attempt of prepare and all its heartbeats; a promise that stays open is a dead worker. */
  prepareAttempt: (next: () => Promise<boolean>) => Promise<boolean> = (next) => next();
  #options: AnalysisOptions | null = null;
  #stopActivities: () => Promise<void> = () => Promise.resolve();
  #stopWorkflows: () => Promise<void> = () => Promise.resolve();

  private constructor(database: TestDatabase, client: Client) {
    this.database = database;
    this.client = client;
  }

  static async open({ temporal, wrapData, workflowTaskTimeout }: StageOptions): Promise<ItemStage> {
    const stage = new ItemStage(
      await createTestDatabase(),
      workflowTaskTimeout ? withTaskTimeout(temporal.client, workflowTaskTimeout) : temporal.client,
    );
    stage.projectId = await createTestProject(stage.database.pool);
    await addSilentWebhook(stage.database.pool, stage.projectId);
    const media = { prepareMedium: (work: MediumWork) => stage.prepareAttempt(() => stage.#prepareMedium(work)) };
    stage.#options = {
      pool: stage.database.pool,
      ...temporal,
      providers: stage.providers,
      media,
      ...(wrapData && { wrapData }),
    };
    stage.#stopActivities = await startAnalysis({ ...stage.#options, queues: [QUEUES.ai, QUEUES.media] });
    await stage.#startWorkflows();
    return stage;
  }

  async close(): Promise<void> {
    await Promise.all([this.#stopWorkflows(), this.#stopActivities()]);
    await this.database.drop();
  }

  /** Nobody takes workflow tasks meanwhile: what comes for a workflow lengthens its history, and is seen at one go afterwards. */
  async withoutWorkflows(meanwhile: () => Promise<void>): Promise<void> {
    await this.#stopWorkflows();
    await meanwhile();
    await this.#startWorkflows();
  }

  async #startWorkflows(): Promise<void> {
    if (this.#options) this.#stopWorkflows = await startAnalysis({ ...this.#options, queues: [QUEUES.workflow] });
  }

  async put(itemId: string, content: ItemContent): Promise<void> {
    await putItem(this.database.pool, { projectId: this.projectId, itemId, content, origin: 'api', requestId: null });
    await this.relay();
  }

  async patch(itemId: string, patch: ItemPatch): Promise<void> {
    await patchItem(this.database.pool, { projectId: this.projectId, itemId, patch, requestId: null });
    await this.relay();
  }

  relay(): Promise<string[]> {
    return relayOnce(this.database.pool, this.client);
  }

  handle(itemId: string): WorkflowHandle {
    return this.client.workflow.getHandle(itemWorkflowId(this.projectId, itemId));
  }

  /** Waits for the end of the item's workflow, and checks what its history says and does not say. */
  async finish(itemId: string): Promise<History> {
    await this.handle(itemId).result();
    return this.history(itemId);
  }

  async history(itemId: string): Promise<History> {
    const history = await this.handle(itemId).fetchHistory();
    expect(largestPayload(history)).toBeLessThan(MAX_PAYLOAD_BYTES);
    const words = wordsOf(history);
    for (const content of CONTENT) expect(words).not.toContain(content);
    return history;
  }

  look(itemId: string): Promise<ItemSnapshot> {
    return snapshot(this.database.pool, this.projectId, itemId);
  }

  read(itemId: string) {
    return readItem(this.database.pool, this.projectId, itemId, ALL);
  }

  #prepareMedium(work: MediumWork): Promise<boolean> {
    const { pool } = this.database;
    return runWork(
      logger,
      async ({ signal }) => {
        if (!(await startStep(pool, work))) return false;
        const medium = await readMediumTodo(pool, work);
        return medium !== null && storePrepared(pool, work, await this.prepare(medium, work, signal));
      },
      (fault) => endMediumStep(pool, work, 'failed', fault.error),
    );
  }
}

function withTaskTimeout({ connection, options: { namespace } }: Client, workflowTaskTimeout: Duration): Client {
  const interceptor: WorkflowClientInterceptor = {
    signalWithStart: (input, next) =>
      next({ ...input, options: { ...input.options, workflowTaskTimeout: msToTs(workflowTaskTimeout) } }),
  };
  return new Client({ connection, namespace, interceptors: { workflow: [interceptor] } });
}

/** All payloads of a history as one text. */
function wordsOf(history: History): string {
  const parts: string[] = [];
  const visit = (value: unknown): void => {
    if (value instanceof Uint8Array) parts.push(Buffer.from(value).toString('utf8'));
    else if (typeof value === 'string') parts.push(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(history.events);
  return parts.join('\n');
}

/** How many events of a kind (a field name such as `timerStartedEventAttributes`) a history has. */
export function countEvents(history: History, attributes: string): number {
  return (history.events ?? []).filter((event) => (event as Record<string, unknown>)[attributes]).length;
}
