/** What tests of the workflow `item` let its providers do, and what they look for in a history. */
import { expect } from '@jest/globals';
import { ProviderError } from '../../providers/errors.ts';
import type { CallContext, Providers } from '../../providers/types.ts';
import { eventually } from './eventually.ts';
import { fakeResult } from './fakeProviders.ts';
import type { ItemStage } from './itemStage.ts';
import { plain, summaryOf } from './items.ts';
import { textItem } from './project.ts';
import type { History } from './replay.ts';

type Summarise = NonNullable<Providers['summary']>['run'];

/** Lets the test decide what each call of the summariser does; beats like a real one. */
export function scriptSummaries(
  stage: ItemStage,
  run: (call: number, body: string, context: CallContext) => Promise<string>,
): { calls: () => number } {
  let calls = 0;
  const summarise: Summarise = async (input, context) => {
    calls += 1;
    const beat = setInterval(context.progress, 20);
    try {
      return fakeResult(summaryOf(await run(calls, input.body ?? '', context)));
    } finally {
      clearInterval(beat);
    }
  };
  Object.assign(stage.providers.summary ?? {}, { run: summarise });
  return { calls: () => calls };
}

/** A call that ends only with its cancellation. */
export const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
  });

export const outOfQuota = () => new ProviderError('quota', 'provider_quota_exceeded', 'out of quota');

/** Puts an item whose summary finds the provider out of quota. */
export async function putDeferred(stage: ItemStage, itemId: string): Promise<void> {
  Object.assign(stage.providers.summary ?? {}, { run: () => Promise.reject(outOfQuota()) });
  await stage.put(itemId, textItem());
  await eventually(async () => timersOf(await stage.history(itemId)).length > 0, 'the wait to begin');
  expect(plain((await stage.look(itemId)).steps)).toMatchObject({ summary: 'deferred', embedding: 'queued' });
  expect(await stage.look(itemId)).toMatchObject({ status: 'deferred', events: [] });
}

/** The timers of the history, in seconds. */
export function timersOf(history: History): number[] {
  return (history.events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
    timer ? [Number(timer.startToFireTimeout?.seconds ?? 0)] : [],
  );
}
