/** Scripts for the providers in tests of the workflow `item`, and assertions on its history. */
import { expect } from '@jest/globals';
import { ProviderError } from '../../../providers/errors.ts';
import type { CallContext, Providers } from '../../../providers/types.ts';
import { eventually } from '../eventually.ts';
import { fakeResult } from './fakeProviders.ts';
import type { ItemStage } from './itemStage.ts';
import { plain, summaryOf } from './items.ts';
import { textItem } from '../project.ts';
import type { History } from '../workflows/replay.ts';

type Summarise = NonNullable<Providers['summary']>['run'];

/** Lets the test decide the result of each call of the summariser, which sends heartbeats like a real one. */
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

/** A call that ends only when it is cancelled. */
export const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
  });

export const outOfQuota = () => new ProviderError('quota', 'provider_quota_exceeded', 'out of quota');

/** Puts an item whose summary fails because the provider is out of quota. */
export async function putDeferred(stage: ItemStage, itemId: string): Promise<void> {
  Object.assign(stage.providers.summary ?? {}, { run: () => Promise.reject(outOfQuota()) });
  await stage.put(itemId, textItem());
  await eventually(async () => timersOf(await stage.history(itemId)).length > 0, 'the wait to begin');
  expect(plain((await stage.look(itemId)).steps)).toMatchObject({ summary: 'deferred', embedding: 'queued' });
  expect(await stage.look(itemId)).toMatchObject({ status: 'deferred', events: [] });
}

/** Returns the timers of the history, in seconds. */
export function timersOf(history: History): number[] {
  return (history.events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
    timer ? [Number(timer.startToFireTimeout?.seconds ?? 0)] : [],
  );
}
