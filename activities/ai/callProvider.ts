/** One call to a provider, with its side results: the cost, and a log line about what had to be left out. */
import type pg from 'pg';
import { readDraft, saveDraft, type DraftWork } from '../../db/analysis/drafts.ts';
import { recordUsage, type CallKind } from '../../db/analysis/usage.ts';
import type { AskedCapability } from '../../domain/analysis/capabilities.ts';
import type { CallContext, Capability, Drafts, Provenance, ProviderResult, Usage } from '../../providers/types.ts';
import { currentLogFields } from '../logFields.ts';
import type { WorkContext } from '../runActivity.ts';
import type { AiActivityDeps } from './deps.ts';

export interface CallOptions extends CallKind {
  capability: AskedCapability;
  /** Keeps paid responses for the next attempt; the code that ends the step deletes them. */
  drafts?: Drafts;
  /** How long the caller waits for a better result (`CallContext`). */
  patience?: Pick<CallContext, 'acceptsGaps' | 'isLastTry' | 'isLastAttempt' | 'wasUnanswered'>;
}

/**
 * Calls a provider. Costs are recorded as they arise, so that a call that fails after paid responses is still accounted
 * for.
 */
export async function callProvider<I, O>(
  deps: AiActivityDeps,
  work: DraftWork,
  context: WorkContext,
  provider: Capability<I, O>,
  input: I,
  { drafts, patience, ...kind }: CallOptions,
): Promise<ProviderResult<O>> {
  let isBilled = false;
  const onUsage = async (provenance: Provenance, usage: Usage): Promise<void> => {
    isBilled = true;
    if (deps.collectCost) deps.collectCost({ work, provenance, usage, kind });
    else await recordUsage(deps.pool, work, provenance, usage, kind);
  };
  const result = await provider.run(input, {
    signal: context.signal,
    progress: () => context.progress(),
    onUsage,
    item: `${work.projectId}/${work.itemId}`,
    ...patience,
    ...(drafts && { drafts }),
  });
  if (!isBilled && !isNothing(result.usage)) await onUsage(result.provenance, result.usage);
  const {
    warnings,
    provenance: { model },
  } = result;
  if (warnings.length > 0) deps.logger.info({ ...currentLogFields(), warnings, model }, 'analysis with warnings');
  return result;
}

/**
 * Returns true for a usage known to be zero, as with a response from the drafts; unknown (null) does not count as zero.
 */
function isNothing(usage: Usage): boolean {
  return Object.values(usage).every((amount) => amount === 0);
}

/** Drafts of one attempt, with a record of whether it used any. */
export interface WorkDrafts extends Drafts {
  used(): boolean;
}

export function draftsOf(pool: pg.Pool, work: DraftWork): WorkDrafts {
  let used = false;
  return {
    used: () => used,
    load: (part) => {
      used = true;
      return readDraft(pool, work, part);
    },
    save: (part, value, isProgress) => saveDraft(pool, work, part, value, isProgress),
  };
}
