/** Filter of items whose analysis stopped at a step for one reason, as in the address. */
import { oneOf } from '../searchValues.ts';
import { STEPS, type Step } from './steps.ts';

export interface StoppedAt {
  step?: Step | undefined;
  /** Only valid with a step. */
  code?: string | undefined;
}

/** Reads both from the query of an address; malformed values are left out. */
export function stoppedAtOf({ step, code }: Record<string, unknown>): StoppedAt {
  const known = oneOf(STEPS, step);
  return { step: known, code: known && typeof code === 'string' && /^\w{1,100}$/.test(code) ? code : undefined };
}
