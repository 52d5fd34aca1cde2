/** The load: lives of eight kinds, started at a fixed rate. */
import type { Load } from '../fault.ts';
import { ClientLog } from './clientLog.ts';
import { Expected } from './expected.ts';
import { createEventScenario } from './eventLife.ts';
import { addAnalysis, bodyOf, createItemScenario, createVideoScenario } from './itemLife.ts';
import { createItemBatchScenario } from './itemBatchLife.ts';
import type { Scenario, ScenarioDeps } from './scenarios.ts';
import { createOutputScenario } from './outputLife.ts';
import { OpenLoop } from './openLoop.ts';
import { createOrderScenario } from './orderLife.ts';
import { createPersonScenario } from './personLife.ts';
import { createSender, type Sender, type Target } from './sender.ts';
import { createTrainingScenario } from './trainingLife.ts';
import { createVisitorScenario } from './visitorLife.ts';

export interface LoadOptions {
  targets: ScenarioDeps['targets'];
  site: ScenarioDeps['site'];
  training: ScenarioDeps['training'];
  mediaUrl: string;
  /** Path of the client's log, in JSON lines. */
  logPath: string;
  seed: number;
  /** Fraction of the usual rate; 1 is the full rate. */
  pace: number;
  signal: AbortSignal;
}

export interface RunningLoad extends Load {
  readonly expected: Expected;
  readonly log: ClientLog;
  readonly sender: Sender;
  readonly targets: Record<'main' | 'rush', Target>;
  /** Unexpected ends of lives: a refused write, a fault of the load itself. */
  readonly faults: readonly string[];
  /** Starts a video that does not wait for its random turn. */
  beginVideo(): void;
  close(): Promise<void>;
}

/**
 * Lives started per second. Together: about 5 items, 300 events, 3 order writes, 2 links, 8 hits, 6 batches of
 * conversions and orders, 5 recommendations, and a training every 10 s.
 */
const PER_SECOND = {
  items: 3,
  itemBatches: 0.25,
  events: 5,
  orders: 2,
  people: 1.6,
  visitors: 1.5,
  output: 5,
  trainings: 0.1,
} as const;
const KINDS = Object.keys(PER_SECOND) as (keyof typeof PER_SECOND)[];
const BASE_ITEMS = 30;
/** Age of the first event, so that no clock in the test sees an event in the future. */
const EPOCH_BACK_MS = 7_200_000;

/** Writes the items that events and orders refer to; the load can then be resumed. */
export async function createLoad({
  targets,
  site,
  training,
  mediaUrl,
  logPath,
  seed,
  pace,
  signal,
}: LoadOptions): Promise<RunningLoad> {
  const log = new ClientLog(logPath);
  const sender = createSender(log, signal);
  const expected = new Expected();
  const baseItems = Array.from({ length: BASE_ITEMS }, (_, n) => `base-${n}`);
  const epoch = Date.now() - EPOCH_BACK_MS;
  let occurrences = 0;
  const deps: ScenarioDeps = {
    sender,
    targets,
    site,
    training,
    expected,
    mediaUrl,
    baseItems,
    signal,
    occurrence: () => new Date(epoch + (occurrences += 1)).toISOString(),
  };
  await writeBaseItems(deps);

  const lives = livesOf(deps);
  const kinds = KINDS.map((name) => ({ name, life: lives[name], perSecond: PER_SECOND[name] * pace }));
  const loop = new OpenLoop(kinds, { seed, signal });
  const liveVideo = createVideoScenario(deps);
  let videos = 0;
  return {
    expected,
    log,
    sender,
    targets,
    faults: loop.faults,
    counts: log.counts,
    accepted: (more) => log.accepted(more),
    resume: () => loop.resume(),
    pause: () => loop.pause(),
    beginVideo() {
      videos += 1;
      loop.follow(`video ${videos}`, liveVideo(videos));
    },
    async close() {
      await loop.whenEnded();
      await sender.close();
      await log.close();
    },
  };
}

function livesOf(deps: ScenarioDeps): Record<keyof typeof PER_SECOND, Scenario> {
  return {
    items: createItemScenario(deps),
    itemBatches: createItemBatchScenario(deps),
    events: createEventScenario(deps),
    orders: createOrderScenario(deps),
    people: createPersonScenario(deps),
    visitors: createVisitorScenario(deps),
    output: createOutputScenario(deps),
    trainings: createTrainingScenario(deps),
  };
}

async function writeBaseItems({ sender, targets, expected, baseItems }: ScenarioDeps): Promise<void> {
  for (const id of baseItems) {
    const content = {
      type: 'text',
      title: `About ${id}`,
      description: null,
      body: `What there is to say about ${id}.`,
      available: true,
      media: [],
    } as const;
    await sender.write(targets.main, { method: 'PUT', path: `/items/${id}`, body: bodyOf(content) });
    const item = {
      project: 'main' as const,
      id,
      content,
      deleted: false,
      events: { min: 0, max: 0 },
      units: { min: 0, max: 0 },
    };
    addAnalysis(item, content);
    expected.items.set(`main/${id}`, item);
  }
}
