/** Temporal search attributes, by which operators find a job (docs/operations.md has the queries). */
export const SEARCH_ATTRIBUTES = {
  /** Project or site id. */
  tenant: 'AttuneTenant',
  /** `item`, `delivery`, … */
  kind: 'AttuneKind',
  /** The item's own id, or the delivery's. */
  entity: 'AttuneEntity',
  /** The webhook that a delivery goes to. */
  webhook: 'AttuneWebhook',
  /** How it ended ({@link WorkOutcome}), or `deferred` for an item with a step that was put off. Absent until there is something to tell. */
  outcome: 'AttuneOutcome',
  /** The steps of an item that failed or were put off. */
  step: 'AttuneStep',
  /** Their codes as in `processing_errors`; for a delivery the code of its last failed attempt. */
  errorCode: 'AttuneErrorCode',
} as const;

export type SearchAttribute = (typeof SEARCH_ATTRIBUTES)[keyof typeof SEARCH_ATTRIBUTES];

/** Types by the SDK's names; a list is found by any of its values. */
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

/** The values that a workflow gives its search attributes. */
export interface Told {
  /** Null while there is nothing to tell: the value from before stays. */
  outcome: WorkOutcome | null;
  steps?: readonly string[];
  errorCodes?: readonly string[];
}
