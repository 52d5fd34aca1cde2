/** What is asked of selection about the person of a request. */
import { NO_SIGNALS, readSignals, type PersonSignals } from '../../db/output/signals.ts';
import type { OutputPerson } from '../../db/output/person.ts';
import type { Queryable } from '../../db/pool.ts';
import { interestKeys } from '../interests.ts';
import type { Taste } from '../selection/messages.ts';
import type { OutputRequest } from './request.ts';

/** Empty for a path that does not go by a person, for somebody unknown, and for whoever does not want personalization. */
export async function readTaste(
  pool: Queryable,
  { projectId, path }: OutputRequest,
  person: OutputPerson | null,
): Promise<Taste> {
  return tasteOf(path.isPersonal ? await readSignals(pool, projectId, person) : NO_SIGNALS);
}

function tasteOf({ items, interests, followedAuthors }: PersonSignals): Taste {
  return {
    items,
    followedAuthors,
    interests: interests.flatMap((value) => interestKeys([value]).map((key) => ({ key, value }))),
  };
}
