/**
 * One stack for all hostile inputs: the API, real downloads and decoders, real OCR, and a model that obeys
 * commands.
 */
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDecoder } from '../../../activities/media/decoderProcess.ts';
import { createMediaActivities } from '../../../activities/media/prepare.ts';
import { updateProject } from '../../../db/accounts/projects.ts';
import { itemWorkflowId } from '../../../domain/jobs/ids.ts';
import { parseAllowNetworks } from '../../../platform/outgoing/forbiddenAddresses.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { createProviders, type ProviderSettings } from '../../../providers/setup/createProviders.ts';
import { openWorkshop, type Workshop } from '../../activities/media/samples.ts';
import {
  clientOf,
  createTestProject,
  startTestApi,
  type Answer,
  type TestApi,
  type TestProject,
} from '../../api/support/testApi.ts';
import { answer, atEnd, cleanUp, startAgent, startTcp } from '../../platform/outgoing/support/servers.ts';
import { relayOnce, startAnalysis } from '../../support/items/analysis.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testTessdataDirs } from '../../support/programs/engines.ts';
import { startOpenAiServer, type OpenAiServer, type Received } from '../../support/openai/openaiServer.ts';
import { createTestTemporal, type TestTemporal } from '../../support/temporal.ts';
import type { Host } from './hostileInput.ts';
import { HANG_MS } from '../../support/eventually.ts';

const logger = createLogger('test', 'silent');
const PARTS = 'transcript,frames,search_chunks';

interface Parts {
  database: TestDatabase;
  temporal: TestTemporal;
  model: OpenAiServer;
  workshop: Workshop;
  project: TestProject;
  elsewhere: TestProject;
  api: TestApi;
}

export class HostileStage {
  readonly #close: (() => Promise<unknown>)[] = [];
  readonly #paths = new Map<string, RequestListener>();
  #inside = { connections: 0 };
  #see: (kind: 'builtin' | 'openai') => Promise<void> = () => Promise.resolve();
  host: Host = { url: '', insideUrl: '' };

  readonly database: TestDatabase;
  readonly temporal: TestTemporal;
  readonly model: OpenAiServer;
  readonly workshop: Workshop;
  readonly project: TestProject;
  readonly elsewhere: TestProject;
  readonly #api: TestApi;

  private constructor(parts: Parts) {
    this.database = parts.database;
    this.temporal = parts.temporal;
    this.model = parts.model;
    this.workshop = parts.workshop;
    this.project = parts.project;
    this.elsewhere = parts.elsewhere;
    this.#api = parts.api;
  }

  static async open(): Promise<HostileStage> {
    const database = await createTestDatabase();
    const [temporal, model, workshop] = await Promise.all([createTestTemporal(), startOpenAiServer(), openWorkshop()]);
    const { pool } = database;
    const env = { ALLOW_HTTP_MEDIA: 'true', ALLOW_NETWORKS: '127.0.0.1/32' };
    const api = await startTestApi({ databaseUrl: database.url, env });
    const [project, elsewhere] = [await createTestProject(pool), await createTestProject(pool)];
    await updateProject(pool, project.id, { topics: ['Хлеб', 'Трамвай'] });
    const stage = new HostileStage({ database, temporal, model, workshop, project, elsewhere, api });
    stage.#close.push(
      () => database.drop(),
      () => temporal.close(),
      () => model.close(),
      () => workshop.close(),
      () => api.close(),
      cleanUp,
    );
    await stage.#startHosts();
    await stage.#startWorkers(api.blobs);
    return stage;
  }

  put(id: string, body: unknown, { key }: TestProject = this.project): Promise<Answer> {
    return clientOf(this.#api.content, key)('PUT', `/items/${id}`, body);
  }

  /** Reads the item with all of its parts. */
  read(id: string): Promise<Answer> {
    return clientOf(this.#api.content, this.project.key)('GET', `/items/${id}?include=${PARTS}`);
  }

  async close(): Promise<void> {
    for (const close of this.#close.toReversed()) await close();
  }

  /** Number of connections to the internal server from which nothing may be fetched. */
  get wentInside(): number {
    return this.#inside.connections;
  }

  serve(path: string, listener: RequestListener): void {
    this.#paths.set(path, listener);
  }

  /** Selects whether the built-in OCR or the model describes pictures. */
  seeBy(kind: 'builtin' | 'openai'): Promise<void> {
    return this.#see(kind);
  }

  /** Waits for the whole analysis of items. */
  async analysed(ids: readonly string[], project = this.project): Promise<void> {
    await relayOnce(this.database.pool, this.temporal.client);
    await Promise.all(
      ids.map((id) => this.temporal.client.workflow.getHandle(itemWorkflowId(project.id, id)).result()),
    );
  }

  /** Returns the model's requests while `work` runs. */
  async askedBy(work: () => Promise<unknown>): Promise<Received[]> {
    const before = this.model.requests.length;
    await work();
    return this.model.requests.slice(before);
  }

  /** Reads every file of the blob store. */
  async blobs(): Promise<Buffer[]> {
    const entries = await readdir(this.#api.blobDir, { recursive: true, withFileTypes: true });
    return Promise.all(
      entries.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name))),
    );
  }

  async #startHosts(): Promise<void> {
    const server = createServer((request, response) => {
      const listener = this.#paths.get(/^\/[^/]*/.exec(request.url ?? '')?.[0] ?? '');
      response.on('error', () => undefined);
      if (listener) listener(request, response);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    atEnd(() => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
    const inside = await startTcp((socket) => socket.destroy(), '127.0.0.2');
    this.#inside = inside;
    this.host = {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      insideUrl: `http://127.0.0.2:${inside.port}/`,
    };
  }

  async #startWorkers(blobs: Parameters<typeof createMediaActivities>[0]['blobs']): Promise<void> {
    const workDir = await mkdtemp(join(tmpdir(), 'attune-hostile-'));
    this.#close.push(() => rm(workDir, { recursive: true, force: true }));
    const tessdata = await testTessdataDirs();
    const settings = (vision: 'builtin' | 'openai'): ProviderSettings => ({
      ...this.#api.config,
      capabilities: {
        speech: this.#asked('whisper-1'),
        vision: vision === 'openai' ? this.#asked('gpt-vision', 8) : { kind: 'builtin' },
        summary: this.#asked('gpt-test'),
        moderation: this.#asked('moderator'),
        embedding: this.#asked('embedder'),
      },
      ffmpegPath: this.workshop.ffmpeg,
      workDir,
      tessdataDirs: tessdata,
    });
    const { providers, close } = await createProviders(settings('builtin'));
    this.#close.push(close);
    this.#see = async (kind) => {
      const other = await createProviders(settings(kind));
      this.#close.push(other.close);
      Object.assign(providers, { vision: other.providers.vision });
    };
    const { pool } = this.database;
    const agent = startAgent({
      allow: parseAllowNetworks('127.0.0.1/32'),
      resolve: answer('10.0.0.1'),
      allowHttp: true,
    });
    const decode = await createDecoder(this.workshop.ffmpeg, workDir, logger);
    const media = createMediaActivities({ pool, blobs, agent, decode, decoders: 2, workDir, logger });
    const { nativeConnection, namespace } = this.temporal;
    this.#close.push(await startAnalysis({ pool, nativeConnection, namespace, providers, blobs, media }));
  }

  #asked(model: string, batchSize = 256): ProviderSettings['capabilities']['summary'] {
    const limits = {
      timeoutMs: HANG_MS,
      concurrency: null,
      requestsPerMinute: null,
      batchSize,
      contextTokens: 16_000,
      pieceSeconds: 600,
    };
    return { kind: 'openai', baseUrl: this.model.baseUrl, apiKey: 'test-key', model, limits };
  }
}
