/** The set-up for tests of the workflow `item`: database, Temporal, workers, fakes and shorthands. */
import { expect } from '@jest/globals';
import { Client, type WorkflowClientInterceptor, type WorkflowHandle } from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { NativeConnection } from '@temporalio/worker';
import { runWork } from '../../../activities/runActivity.ts';
import {
  endMediumStep,
  readMediumTodo,
  storePrepared,
  type PreparedMediumRow,
  type StoredMedium,
} from '../../../db/analysis/mediaSteps.ts';
import { startStep } from '../../../db/analysis/steps.ts';
import { readItem } from '../../../db/items/readItem.ts';
import { patchItem, putItem } from '../../../db/items/writeItems.ts';
import { itemWorkflowId } from '../../../domain/jobs/ids.ts';
import type { ItemContent, ItemPatch } from '../../../domain/items/item.ts';
import { QUEUES } from '../../../domain/jobs/queues.ts';
import type { MediumWork } from '../../../domain/jobs/workflowMessages.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { MediaError } from '../../../activities/mediaErrors.ts';
import { relayOnce, startAnalysis, type AnalysisOptions } from './analysis.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { createFakeProviders, type FakeProviders } from './fakeProviders.ts';
import { addSilentWebhook, prepared, snapshot, type ItemSnapshot } from './items.ts';
import { createTestProject } from '../project.ts';
import { largestPayload, MAX_PAYLOAD_BYTES, type History } from '../workflows/replay.ts';

const logger = createLogger('test', 'silent');
const ALL = { transcript: true, frames: true, searchChunks: true };

/** Texts of the fakes and the tests, which no history may ever contain. */
const CONTENT = ['Заголовок', 'предложение', 'речь', 'кадр', 'о чём', 'секрет'];

/** Replaces fetching and decoding: the result depends on the medium's address. */
export type Prepare = (medium: StoredMedium, work: MediumWork, signal: AbortSignal) => Promise<PreparedMediumRow>;

/** An address that contains `bad` is not a media file. */
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
  wrapData?: AnalysisOptions['wrapData'];
  quickSteps?: AnalysisOptions['quickSteps'];
  /**
   * A workflow task that waits for a local activity reports new events to the workflow after four fifths of this;
   * the default is 10 s.
   */
  workflowTaskTimeout?: Duration;
}

export class ItemStage {
  readonly database: TestDatabase;
  readonly client: Client;
  readonly providers: FakeProviders = createFakeProviders();
  projectId = '';
  prepare: Prepare = prepareAnything;
  /**
   * Wraps an attempt of prepare and all its heartbeats; a promise that never resolves simulates a dead
   * worker.
   */
  prepareAttempt: (next: () => Promise<boolean>, work: MediumWork) => Promise<boolean> = (next) => next();
  #options: AnalysisOptions | null = null;
  #stopActivities: () => Promise<void> = () => Promise.resolve();
  #stopWorkflows: () => Promise<void> = () => Promise.resolve();

  private constructor(database: TestDatabase, client: Client) {
    this.database = database;
    this.client = client;
  }

  static async open({ temporal, wrapData, quickSteps, workflowTaskTimeout }: StageOptions): Promise<ItemStage> {
    const stage = new ItemStage(
      await createTestDatabase(),
      workflowTaskTimeout ? withTaskTimeout(temporal.client, workflowTaskTimeout) : temporal.client,
    );
    stage.projectId = await createTestProject(stage.database.pool);
    await addSilentWebhook(stage.database.pool, stage.projectId);
    const media = { prepareMedium: (work: MediumWork) => stage.prepareAttempt(() => stage.#prepareMedium(work), work) };
    stage.#options = {
      pool: stage.database.pool,
      ...temporal,
      providers: stage.providers,
      media,
      ...(wrapData && { wrapData }),
      ...(quickSteps && { quickSteps }),
    };
    stage.#stopActivities = await startAnalysis({ ...stage.#options, queues: [QUEUES.ai, QUEUES.media] });
    await stage.#startWorkflows();
    return stage;
  }

  async close(): Promise<void> {
    await Promise.all([this.#stopWorkflows(), this.#stopActivities()]);
    await this.database.drop();
  }

  /**
   * Stops taking workflow tasks while `meanwhile` runs: signals lengthen the history, and the workflow sees them
   * all at once afterwards.
   */
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

  /** Waits for the end of the item's workflow, and checks what its history contains and does not contain. */
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

/** Returns all payloads of a history as one text. */
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

/** Counts the events of a kind (a field name such as `timerStartedEventAttributes`) in a history. */
export function countEvents(history: History, attributes: string): number {
  return (history.events ?? []).filter((event) => (event as Record<string, unknown>)[attributes]).length;
}
