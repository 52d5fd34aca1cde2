/** One run of a provider, with what it leaves beside its result: its cost, and a line of what it had to leave out. */
import type pg from 'pg';
import { readDraft, saveDraft, type DraftWork } from '../../db/analysis/drafts.ts';
import { recordUsage } from '../../db/analysis/evidence.ts';
import type { Capability, Drafts, Provenance, ProviderResult, Usage } from '../../providers/types.ts';
import { currentLogFields } from '../logFields.ts';
import type { WorkContext } from '../runActivity.ts';
import type { AiActivityDeps } from './deps.ts';

export interface CallOptions {
  /** Where the run may keep paid answers for the next attempt; whoever ends the step removes them. */
  drafts?: Drafts;
  /** Whether an answer uses up the analysis volume of its subject; yes unless told otherwise. */
  countsVolume?: boolean;
}

/**
 * Runs a provider. Costs are recorded as they arise, so that a run that fails after paid answers is
 * paid for in the books too.
 */
export async function callProvider<I, O>(
  deps: AiActivityDeps,
  work: DraftWork,
  context: WorkContext,
  capability: Capability<I, O>,
  input: I,
  { drafts, countsVolume = true }: CallOptions = {},
): Promise<ProviderResult<O>> {
  let isBilled = false;
  const onUsage = async (provenance: Provenance, usage: Usage): Promise<void> => {
    isBilled = true;
    await recordUsage(deps.pool, work, provenance, usage, countsVolume);
  };
  const result = await capability.run(input, {
    signal: context.signal,
    progress: () => context.progress(),
    onUsage,
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

/** Known to be nothing, as with an answer from the drafts; unknown (null) is something. */
function isNothing(usage: Usage): boolean {
  return Object.values(usage).every((amount) => amount === 0);
}

/** Drafts of one attempt, and whether it needed any. */
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
    save: (part, value) => saveDraft(pool, work, part, value),
  };
}
