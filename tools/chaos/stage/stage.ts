/** Sets up a stage: a separate stack with two projects, their receivers, and a load that waits to be resumed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { createPool } from '../../../db/pool.ts';
import { openLake, type Lake } from '../../../reports/lake/index.ts';
import { resolveDuckdbExtensions, resolveEngine } from '../../scripts/engines/index.ts';
import { cleanUp } from '../../../test/platform/outgoing/support/servers.ts';
import { plantProject } from '../../../test/output/support/plantedProject.ts';
import { makeCatalogue } from '../../../test/support/whole/catalogue.ts';
import { startMediaHost } from '../../../test/support/whole/mediaHost.ts';
import { startStack, type WholeStack } from '../../../test/support/whole/stack.ts';
import { until } from '../../../test/support/whole/until.ts';
import { Findings } from '../check/findings.ts';
import type { ChaosReceiver, ReceiverName, Stage } from '../fault.ts';
import { createLoad, type RunningLoad } from '../load/load.ts';
import type { SiteTarget } from '../load/scenarios.ts';
import { makeBusyVideo } from './busyVideo.ts';
import { addWebhook, mainProject, mainSite, newProject, trainingsOf, type ChaosProject } from './cabinet.ts';
import { startChaosReceiver } from './receiver.ts';

export interface StageOptions {
  seed: number;
  brief: boolean;
  signal: AbortSignal;
  log: (line: string) => void;
  /** Fraction of the usual load; by default 1, or 0.2 in brief. */
  pace?: number;
  /** Settings of the stack besides the stage's own. */
  env?: Record<string, string>;
  /** The folder to run it in; the checkout when absent. */
  root?: string;
}

/** The stage as the runner and the checker see it. */
export interface FullStage extends Stage {
  load: RunningLoad;
  projects: Record<'main' | 'rush', ChaosProject>;
  site: SiteTarget;
  /** A project with people whose tastes a model can learn, and nothing else. */
  trainingProject: ChaosProject;
  /** Opens the lake of the stack alongside its own processes. */
  openLake(): Promise<Lake>;
  /** The single webhook of the project `rush`. */
  rushReceiver: ChaosReceiver;
  /** Findings of the comparisons so far. */
  readonly seen: { repeats: number; counts: Findings['counts'] };
  /** @param keepLog true to leave the client's log on disk */
  close(keepLog: boolean): Promise<void>;
}

const RECEIVERS = ['steady', 'second', 'troubled'] as const satisfies readonly ReceiverName[];
/** All clients of the load come from one address. */
const LIFTED_LIMITS = {
  IP_REQUESTS_PER_MINUTE: '1000000',
  IP_SIMULTANEOUS: '1000',
  COLLECT_IP_REQUESTS_PER_MINUTE: '10000000',
  LOG_LEVEL: 'warn',
};
/** A brief run may share a CI machine with other tests, and a slower run means more requests in total. */
const BRIEF_PACE = 0.2;
const REPLACEMENT_MS = 120_000;
/** Its training takes a few seconds, long enough for a kill to interrupt it. */
const TRAINING_DATA_SIZE = { people: 600, items: 240, events: 32, groups: 12, days: 60 };

export async function openStage(options: StageOptions): Promise<FullStage> {
  const folder = await mkdtemp(join(tmpdir(), 'attune-chaos-'));
  const ends: (() => Promise<unknown>)[] = [cleanUp];
  const end = async (): Promise<void> => {
    for (const close of ends.splice(0).reverse()) await close();
  };
  const removeFolder = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const stage = await setUp(options, folder, ends);
    return {
      ...stage,
      async close(keepLog) {
        await end();
        if (keepLog) options.log(`the client's log: ${stage.load.log.path}`);
        else await removeFolder();
      },
    };
  } catch (error) {
    await end();
    await removeFolder();
    throw error;
  }
}

/**
 * Sets up everything on the stage.
 * @param ends collects the functions that undo each part, in the order of the setup
 */
async function setUp(
  { seed, brief, signal, log, env, root, pace = brief ? BRIEF_PACE : 1 }: StageOptions,
  folder: string,
  ends: (() => Promise<unknown>)[],
): Promise<Omit<FullStage, 'close'>> {
  const ffmpeg = await resolveEngine('ffmpeg', { report: log, env: process.env });
  const [catalogue, media] = await Promise.all([makeCatalogue(ffmpeg), startMediaHost()]);
  const stack = await startStack({ env: { ...LIFTED_LIMITS, ...env }, ...(root !== undefined && { root }) });
  ends.push(() => stack.stop());
  media.serve('/image.png', catalogue.image);
  media.serve('/video.mp4', catalogue.video);
  const seeded = await seedStack(stack);
  const { projects, site, trainingProject } = seeded;
  const pool = createPool({ databaseUrl: stack.dev.database_url, size: 4, applicationName: 'attune-chaos' });
  ends.push(() => pool.end());
  await plantProject(pool, trainingProject.id, TRAINING_DATA_SIZE);
  const connection = await Connection.connect({ address: stack.dev.temporal_address });
  ends.push(() => connection.close());
  const training = trainingsOf(stack, trainingProject);
  const logPath = join(folder, 'client.jsonl');
  const load = await createLoad({
    targets: projects,
    site,
    training,
    mediaUrl: media.url,
    logPath,
    seed,
    pace,
    signal,
  });
  ends.push(() => load.close());
  return {
    stack,
    pool,
    temporal: new Client({ connection }),
    load,
    ...seeded,
    media,
    log,
    signal,
    brief,
    replacement: (name) => awaitReplacement(stack, name),
    seen: { repeats: 0, counts: new Findings().counts },
    kill: (name) => killProcess(stack, name),
    openLake: () => openLakeOf(stack, folder, log),
    async serveBusyVideo() {
      media.serve('/video.mp4', await makeBusyVideo(ffmpeg));
      load.beginVideo();
      return () => media.serve('/video.mp4', catalogue.video);
    },
    wait: (seconds) => delay(seconds * 1_000, undefined, { signal }),
  };
}

async function killProcess(stack: WholeStack, name: string): Promise<void> {
  const back = await awaitReplacement(stack, name);
  const pid = (await stack.pids())[name];
  if (pid === undefined) throw new Error(`there is no process ${name}`);
  process.kill(pid, 'SIGKILL');
  await back();
}

async function openLakeOf(stack: WholeStack, folder: string, log: (line: string) => void): Promise<Lake> {
  const extensionsDir = await resolveDuckdbExtensions({ report: log, env: process.env });
  const data = { kind: 'local' as const, dir: join(stack.dataDir, 'lake') };
  return openLake({
    databaseUrl: stack.dev.database_url,
    data,
    extensionsDir,
    tempDir: join(folder, 'duckdb'),
    memoryMb: 512,
    threads: 1,
  });
}

/**
 * Remembers how often a process has been replaced so far, and returns a function that waits for the next replacement.
 */
async function awaitReplacement(stack: WholeStack, name: string): Promise<() => Promise<void>> {
  const replacements = (): number => stack.output().split(`${name} works again`).length;
  const before = replacements();
  return async () => {
    await until(
      `${name} after its end`,
      async () => replacements(),
      (now) => now > before,
      REPLACEMENT_MS,
    );
  };
}

interface SeededStack {
  projects: FullStage['projects'];
  site: SiteTarget;
  trainingProject: ChaosProject;
  receivers: Record<ReceiverName, ChaosReceiver>;
  rushReceiver: ChaosReceiver;
}

async function seedStack(stack: WholeStack): Promise<SeededStack> {
  const projects = { main: await mainProject(stack), rush: await newProject(stack, 'Rush') };
  const receiverFor = async (projectId: string): Promise<ChaosReceiver> => {
    const receiver = await startChaosReceiver();
    return receiver.known(await addWebhook(stack, projectId, receiver.url));
  };
  const [steady, second, troubled] = await Promise.all(RECEIVERS.map(() => receiverFor(projects.main.id)));
  if (!steady || !second || !troubled) throw new Error('a receiver is missing');
  const site = await mainSite(stack);
  const trainingProject = await newProject(stack, 'Learning');
  const rushReceiver = await receiverFor(projects.rush.id);
  return { projects, site, trainingProject, receivers: { steady, second, troubled }, rushReceiver };
}
