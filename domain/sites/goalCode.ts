/** The code of a goal: lowercase Latin letters, digits, _ and -. Without anchors, so that other patterns can use it. */
export const GOAL_CODE = '[a-z0-9_-]{1,64}';

const WHOLE = new RegExp(`^${GOAL_CODE}$`);

export function isGoalCode(text: string): boolean {
  return WHOLE.test(text);
}
