/** Reports the outcome of work to operators in search attributes, at the cost of one event per change. */
import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { SEARCH_ATTRIBUTES, type OutcomeAttributes } from '../domain/jobs/searchAttributes.ts';

/** Writes the values that differ from the workflow's search attributes. */
export function reportOutcome({ outcome, steps = [], errorCodes = [] }: OutcomeAttributes): void {
  const changed = [
    ...(outcome !== null && keyword(SEARCH_ATTRIBUTES.outcome) !== outcome
      ? [{ key: { name: SEARCH_ATTRIBUTES.outcome, type: 'KEYWORD' } as const, value: outcome }]
      : []),
    ...listUpdate(SEARCH_ATTRIBUTES.step, steps),
    ...listUpdate(SEARCH_ATTRIBUTES.errorCode, errorCodes),
  ];
  if (changed.length > 0) upsertSearchAttributes(changed);
}

function keyword(name: string): string | undefined {
  return workflowInfo().typedSearchAttributes.get({ name, type: 'KEYWORD' });
}

/** Returns the codes that were last reported. */
export function reportedErrorCodes(): readonly string[] {
  return workflowInfo().typedSearchAttributes.get({ name: SEARCH_ATTRIBUTES.errorCode, type: 'KEYWORD_LIST' }) ?? [];
}

/** An empty list removes the attribute. */
function listUpdate(name: string, values: readonly string[]) {
  const key = { name, type: 'KEYWORD_LIST' } as const;
  const wanted = [...new Set(values)].sort();
  const known = workflowInfo().typedSearchAttributes.get(key) ?? [];
  if (known.toSorted().join('\n') === wanted.join('\n')) return [];
  return [{ key, value: wanted.length === 0 ? null : wanted }];
}
