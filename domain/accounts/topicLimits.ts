/** Limits of a project's topics: every structured-output server accepts this many as one list of choices. */
export const TOPIC_LIMITS = { count: 200, length: 60 } as const;
