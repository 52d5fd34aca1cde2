import type { Chance } from './chance.ts';
import type { Person } from './people.ts';
import type { Arrival } from './sources.ts';

/** What a visit is made of. */
export interface VisitFacts {
  person: Person;
  arrival: Arrival;
  chance: Chance;
  /** Names orders and events of this visit. */
  visitIndex: number;
}
