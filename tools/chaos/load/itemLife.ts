/** Lives of items: written once, changed with and without a new analysis, deleted, restored, changed in a rush. */
import { setTimeout as delay } from 'node:timers/promises';
import { unitsOf, type ExpectedItem, type ItemContent, type ProjectName } from './expected.ts';
import type { Scenario, ScenarioDeps } from './scenarios.ts';
import type { Random } from '../../load/random.ts';

type Course = 'once' | 'touched' | 'edited' | 'patched' | 'deleted' | 'revived' | 'rushed';

/** Shares of items, in percent. */
const COURSES: readonly [Course, number][] = [
  ['once', 53],
  ['touched', 13],
  ['edited', 12],
  ['patched', 8],
  ['deleted', 5],
  ['revived', 3],
  ['rushed', 6],
];
const IMAGES_PERCENT = 6;
const VIDEOS_PERCENT = 4;
const FINAL = new Set(['ready', 'partial', 'failed']);
const POLL_MS = 500;
/** After a longer wait for an analysis, the scenario leaves the item as it is. */
const FINAL_PATIENCE_MS = 60_000;

export function createItemScenario(deps: ScenarioDeps): Scenario {
  const { put, putNewText, isFinal, remove, patch } = createItemWrites(deps);
  const courses: Record<Course, (item: ExpectedItem, n: number, random: Random) => Promise<void>> = {
    once: async () => {},
    async touched(item) {
      await put(item, { ...item.content, available: false });
      item.isGone = true;
    },
    async edited(item, n, random) {
      if (await isFinal(item))
        await putNewText(item, { ...item.content, title: `Edited ${n}`, body: textOf(n, random) });
    },
    async patched(item, n) {
      if (await isFinal(item)) await patch(item, { description: `Patched ${n}` });
    },
    async deleted(item) {
      if (!(await isFinal(item))) return;
      await remove(item);
      item.isGone = true;
    },
    async revived(item) {
      if (!(await isFinal(item))) return;
      await remove(item);
      await put(item, item.content);
    },
    async rushed(item, n, random) {
      for (const title of [`Second ${n}`, `Third ${n}`])
        await putNewText(item, { ...item.content, title, body: textOf(n, random) });
      // A result that a newer write outdates may or may not have been announced and paid for.
      item.events.min = 1;
      item.units.min = unitsOf(item.content);
    },
  };

  return async (n, random) => {
    const course = chooseCourse(random);
    const project: ProjectName = course === 'rushed' ? 'rush' : 'main';
    const content = contentOf(n, random, deps.mediaUrl);
    const item: ExpectedItem = {
      project,
      id: `item-${n}`,
      content,
      deleted: false,
      events: { min: 0, max: 0 },
      units: { min: 0, max: 0 },
    };
    await putNewText(item, content);
    await courses[course](item, n, random);
  };
}

/** The writes of one item, each of which also records what to expect of it. */
function createItemWrites({ expected, sender, targets, signal }: ScenarioDeps) {
  async function put(item: ExpectedItem, content: ItemContent): Promise<void> {
    await sender.write(targets[item.project], { method: 'PUT', path: `/items/${item.id}`, body: bodyOf(content) });
    item.content = content;
    item.deleted = false;
    expected.items.set(`${item.project}/${item.id}`, item);
  }

  /** Writes a new text, which leads to one more analysis and one more event. */
  async function putNewText(item: ExpectedItem, content: ItemContent): Promise<void> {
    await put(item, content);
    addAnalysis(item, content);
  }

  async function isFinal({ project, id }: ExpectedItem): Promise<boolean> {
    const deadline = performance.now() + FINAL_PATIENCE_MS;
    while (performance.now() < deadline) {
      const detail = await sender.read<{ status: string }>(targets[project], `/items/${id}`);
      if (detail && FINAL.has(detail.status)) return true;
      await delay(POLL_MS, undefined, { signal });
    }
    return false;
  }

  async function remove(item: ExpectedItem): Promise<void> {
    await sender.write(targets[item.project], { method: 'DELETE', path: `/items/${item.id}` });
    item.deleted = true;
    item.events.min = 0; // an event that has not been sent yet is dropped
  }

  async function patch(item: ExpectedItem, change: Partial<ItemContent>): Promise<void> {
    await sender.write(targets[item.project], { method: 'PATCH', path: `/items/${item.id}`, body: change });
    item.content = { ...item.content, ...change };
    addAnalysis(item, item.content);
  }

  return { put, putNewText, isFinal, remove, patch };
}

/** Creates lives of videos besides the random ones: written once. */
export function createVideoScenario({
  expected,
  sender,
  targets,
  mediaUrl,
}: ScenarioDeps): (n: number) => Promise<void> {
  return async (n) => {
    const content = videoOf({ title: `Video ${n}`, description: null, available: true }, mediaUrl);
    const item: ExpectedItem = {
      project: 'main',
      id: `video-${n}`,
      content,
      deleted: false,
      events: { min: 0, max: 0 },
      units: { min: 0, max: 0 },
    };
    await sender.write(targets.main, { method: 'PUT', path: `/items/${item.id}`, body: bodyOf(content) });
    addAnalysis(item, content);
    expected.items.set(`main/${item.id}`, item);
  };
}

/** Records one more analysis, and the event with which it ends. */
export function addAnalysis(item: ExpectedItem, content: ItemContent): void {
  for (const bound of ['min', 'max'] as const) {
    item.events[bound] += 1;
    // A changed text is counted again, unchanged media are not.
    item.units[bound] += item.units[bound] === 0 ? unitsOf(content) : unitsOf({ ...content, media: [] });
  }
}

function chooseCourse(random: Random): Course {
  let left = random.next() * 100;
  for (const [course, percent] of COURSES) {
    left -= percent;
    if (left < 0) return course;
  }
  return 'once';
}

function contentOf(n: number, random: Random, mediaUrl: string): ItemContent {
  const lot = random.next() * 100;
  const plain = { title: `Item ${n}`, description: `Of the harbour, number ${n}.`, available: true };
  if (lot < VIDEOS_PERCENT) return videoOf(plain, mediaUrl);
  if (lot < VIDEOS_PERCENT + IMAGES_PERCENT)
    return { ...plain, type: 'image', body: null, media: [{ kind: 'image', url: `${mediaUrl}/image.png` }] };
  return { ...plain, type: 'text', body: textOf(n, random), media: [] };
}

function videoOf(plain: Pick<ItemContent, 'title' | 'description' | 'available'>, mediaUrl: string): ItemContent {
  return { ...plain, type: 'video', body: null, media: [{ kind: 'video', url: `${mediaUrl}/video.mp4` }] };
}

/** Returns mostly a short text; some are too long for the quick steps (docs/decisions/quick-steps.md). */
export function textOf(n: number, random: Random): string {
  const sentences = random.percent(90) ? 3 + random.below(10) : 120;
  return Array.from(
    { length: sentences },
    (_, index) => `Ship ${index} of note ${n} calls at Eastport ${random.below(1_000_000)} times.`,
  ).join(' ');
}

export function bodyOf({ type, title, description, body, available, media }: ItemContent): Record<string, unknown> {
  return { type, title, description, body, available, ...(media.length > 0 && { media }) };
}
