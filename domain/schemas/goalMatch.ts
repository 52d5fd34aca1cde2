/** Validation of a goal's `match` for the goal's type. */
import type { FieldFault } from './fieldFaults.ts';
import { compileWithin, type PatternLimits } from './patternLimits.ts';
import type { GoalType, GoalMatch, Goal } from '../sites/goalDefinition.ts';

/** The members of each type's match: the required and the optional ones. */
const FORMS: Record<GoalType, { needs: readonly (keyof GoalMatch)[]; may: readonly (keyof GoalMatch)[] }> = {
  url: { needs: ['op', 'value'], may: [] },
  event: { needs: ['name'], may: [] },
  form: { needs: [], may: ['form_id'] },
  js: { needs: [], may: [] },
  purchase: { needs: [], may: [] },
};

/** Returns the faults of a match whose members each have the right type. */
export function goalMatchFaults(type: GoalType, match: GoalMatch | null): FieldFault[] {
  const { needs, may } = FORMS[type];
  if (match === null) return needs.length === 0 ? [] : [{ field: 'match', code: 'required' }];
  if (needs.length + may.length === 0) return [{ field: 'match', code: 'invalid_value' }];
  const given = Object.keys(match) as (keyof GoalMatch)[];
  const faults: FieldFault[] = [
    ...needs
      .filter((name) => !given.includes(name))
      .map((name) => ({ field: `match.${name}`, code: 'required' as const })),
    ...given
      .filter((name) => !needs.includes(name) && !may.includes(name))
      .map((name) => ({ field: `match.${name}`, code: 'unknown_field' as const })),
  ];
  if (match.op === 'regex' && match.value !== undefined && compileWithin(match.value, GOAL_PATTERN) === null)
    faults.push({ field: 'match.value', code: 'invalid_value' });
  return faults;
}

/**
 * Every page view is matched with every url goal: an address of 2 KB costs at most about 30 ns for each instruction and
 * character, or 20 ms at 300 instructions. A usual pattern has under a hundred.
 */
export const GOAL_PATTERN: PatternLimits = { characters: 1_000, instructions: 300 };

/**
 * Maximum number of instructions of the patterns of all enabled goals of a site: 200 goals of 20, or 13 of the largest.
 */
const MAX_SITE_PROGRAM = 4_000;

/**
 * Returns true when a goal may be matched with every page view in addition to the site's others. It compiles no more of
 * them than necessary.
 */
export function isAffordable(goal: Goal, others: readonly Goal[]): boolean {
  let left = MAX_SITE_PROGRAM - programOf(goal);
  if (left === MAX_SITE_PROGRAM) return true;
  for (const other of others) {
    left -= programOf(other);
    if (left < 0) return false;
  }
  return true;
}

/** Returns the number of instructions of its pattern; 0 for a goal that has none or is disabled. */
function programOf({ enabled, type, match }: Goal): number {
  if (!enabled || type !== 'url' || match?.op !== 'regex' || match.value === undefined) return 0;
  return compileWithin(match.value, GOAL_PATTERN)?.programSize() ?? 0;
}
