/** The condition under which a visit has ended, by the database's clock; for hits see domain/visits/visitByPause.ts. */
import { VISIT_PAUSE_MS } from '../../domain/visits/visitPause.ts';

/** Returns the condition on a row of site_visits that its last hit is longer ago than the pause that ends a visit. */
export const isOver = (visit: string): string =>
  `${visit}.last_hit_at < now() - interval '${VISIT_PAUSE_MS} milliseconds'`;
