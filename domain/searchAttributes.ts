/** Temporal search attributes (Keyword), by which operators find a job in the UI. */
export const SEARCH_ATTRIBUTES = {
  /** Project or site id. */
  tenant: 'AttuneTenant',
  /** `item`, `delivery`, … */
  kind: 'AttuneKind',
  /** The item's own id, or the delivery's. */
  entity: 'AttuneEntity',
} as const;
