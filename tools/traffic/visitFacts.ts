import type { Chance } from './chance.ts';
import type { Person } from './people.ts';
import type { Arrival } from './sources.ts';

/** The inputs of a visit. */
export interface VisitFacts {
  person: Person;
  arrival: Arrival;
  chance: Chance;
  /** Index of the visit, used in the ids of its orders and events. */
  visitIndex: number;
}
