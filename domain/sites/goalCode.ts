/** The code of a goal: lowercase latin letters, digits, _ and -; as a part of patterns, like those of domain/uuid.ts. */
export const GOAL_CODE = '[a-z0-9_-]{1,64}';

const WHOLE = new RegExp(`^${GOAL_CODE}$`);

export function isGoalCode(text: string): boolean {
  return WHOLE.test(text);
}
