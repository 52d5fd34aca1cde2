/** The people of the benchmark: their tastes and their declared profiles. */
import { randomOf, zipf } from './chance.ts';
import type { WorldTopic, WorldTopics } from './topics.ts';

export interface WorldPerson {
  /** Indexes of the tastes, the strongest first. */
  tastes: readonly number[];
  city: string | null;
  country: string | null;
  interests: readonly string[];
  excludedInterests: readonly string[];
  personalization: boolean | null;
}

const MAX_TASTES = 3;
const PLACES = ['Москва', 'Санкт-Петербург', 'Казань', 'Новосибирск', 'Екатеринбург', 'Минск', 'Алматы'];
const HAS_PROFILE = 60;

export function personOf(n: number, { ofTaste }: WorldTopics): WorldPerson {
  const random = randomOf('person', n);
  const tastes = [...new Set(Array.from({ length: 1 + random.below(MAX_TASTES) }, () => random.below(ofTaste.length)))];
  const anyTopic = (taste: number): WorldTopic => random.pick(ofTaste[taste] ?? []);
  const told = random.percent(HAS_PROFILE);
  return {
    tastes,
    city: told ? (PLACES[zipf(random, PLACES.length)] ?? null) : null,
    country: told ? 'Россия' : null,
    interests: told ? tastes.map((taste) => anyTopic(taste).names.ru) : [],
    excludedInterests: random.percent(5) ? [anyTopic(random.below(ofTaste.length)).names.en] : [],
    personalization: random.percent(3) ? false : null,
  };
}
