/** A goal as its site defines it; domain/visits/goalConversions.ts decides which hits reach it. */

export const GOAL_TYPES = ['js', 'url', 'event', 'form', 'purchase'] as const;
export type GoalType = (typeof GOAL_TYPES)[number];

export const URL_GOAL_OPS = ['eq', 'contains', 'starts', 'regex'] as const;

/** js and purchase have none; a form goal without form_id matches every form. */
export interface GoalMatch {
  op?: (typeof URL_GOAL_OPS)[number];
  value?: string;
  name?: string;
  form_id?: string;
}

export interface Goal {
  code: string;
  title: string;
  type: GoalType;
  match: GoalMatch | null;
  /** In the site's currency, unless the conversion has its own value. */
  value: number | null;
  enabled: boolean;
}
