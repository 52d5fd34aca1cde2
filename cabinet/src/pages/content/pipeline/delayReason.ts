import type { Pipeline } from '../../../data/items/pipeline.ts';
import { STEPS } from '../../../data/items/steps.ts';
import type { Words } from '../../../words/en/index.ts';
import { reasonText } from '../../../words/reasonText.ts';

type Waiting = Pipeline['oldest'][number];

/**
 * Returns what delays an item, in words: the running step, else one that was postponed, waits for volume or is queued.
 */
export function delayReason({ processing, processing_errors: errors }: Waiting, words: Words): string {
  for (const state of ['running', 'deferred', 'waiting', 'queued'] as const) {
    const step = STEPS.find((one) => processing[one] === state);
    if (step === undefined) continue;
    const code = errors?.[step]?.code;
    const why = code === undefined ? words.states[state] : reasonText(words, code);
    return words.pipeline.inStep(words.steps[step], why);
  }
  return '';
}
