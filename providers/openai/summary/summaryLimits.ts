/** Limits of the parts of a summary that a model writes; anything beyond is left out. */

/** Maximum lengths, in code points. */
export const MAX_LENGTHS = { summary: 4_000, description: 1_000, topic: 100, tag: 100, entity: 200 } as const;

/** Maximum numbers. */
export const MAX_COUNTS = { topics: 10, tags: 30, entities: 50 } as const;
