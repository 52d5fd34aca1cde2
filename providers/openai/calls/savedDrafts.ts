import type { CallContext, Usage } from '../../types.ts';
import { NO_CALLS } from './callUsage.ts';

/**
 * Returns the answer that an earlier attempt of this run paid for, else a new one, which is saved for the next attempt.
 * @param part see Drafts; a change of the answer's shape needs another name
 * @param ask must throw instead of returning an answer that must not be saved
 */
export async function withDraft<T extends { usage: Usage }>(
  context: CallContext,
  part: string,
  ask: () => Promise<T>,
): Promise<T> {
  const kept = (await context.drafts?.load(part)) as Omit<T, 'usage'> | undefined;
  if (kept) return { ...kept, usage: NO_CALLS } as T;
  const answer = await ask();
  const { usage: _paid, ...rest } = answer;
  await context.drafts?.save(part, rest);
  return answer;
}
