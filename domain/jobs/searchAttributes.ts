/** Temporal search attributes, by which operators find a job (docs/operations.md has the queries). */
export const SEARCH_ATTRIBUTES = {
  /** Project or site id. */
  tenant: 'AttuneTenant',
  /** `item`, `delivery`, … */
  kind: 'AttuneKind',
  /** The id of what the workflow is about: the item, the delivery, the job. */
  entity: 'AttuneEntity',
  /** The webhook of a delivery. */
  webhook: 'AttuneWebhook',
  /** The outcome ({@link WorkOutcome}), or `deferred` for an item with a deferred step. Absent until there is one. */
  outcome: 'AttuneOutcome',
  /** The failed or deferred steps of an item. */
  step: 'AttuneStep',
  /** Their codes as in `processing_errors`; for a delivery the code of its last failed attempt. */
  errorCode: 'AttuneErrorCode',
} as const;

export type SearchAttribute = (typeof SEARCH_ATTRIBUTES)[keyof typeof SEARCH_ATTRIBUTES];

/** Types by the SDK's names; a list matches by any of its values. */
export const SEARCH_ATTRIBUTE_TYPES: Readonly<Record<SearchAttribute, 'KEYWORD' | 'KEYWORD_LIST'>> = {
  AttuneTenant: 'KEYWORD',
  AttuneKind: 'KEYWORD',
  AttuneEntity: 'KEYWORD',
  AttuneWebhook: 'KEYWORD',
  AttuneOutcome: 'KEYWORD',
  AttuneStep: 'KEYWORD_LIST',
  AttuneErrorCode: 'KEYWORD_LIST',
};

/** Values of `AttuneOutcome`. */
export type WorkOutcome =
  | 'ready'
  | 'partial'
  | 'failed'
  | 'deferred'
  | 'waiting'
  | 'delivered'
  | 'dropped'
  | 'gone'
  | 'done';

/** The values of a workflow's search attributes. */
export interface OutcomeAttributes {
  /** Null while there is no outcome: the earlier value stays. */
  outcome: WorkOutcome | null;
  steps?: readonly string[];
  errorCodes?: readonly string[];
}
