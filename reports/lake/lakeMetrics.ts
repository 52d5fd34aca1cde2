/** Prometheus metrics of the lake's upkeep. */
import type { Registry } from 'prom-client';
import type { Queryable } from '../../db/pool.ts';
import { LAKE_STATE } from '../../db/installation/waitingWorkGauges.ts';
import { registerStateGauges } from '../../platform/process/metrics/stateGauges.ts';

export function watchLake(registry: Registry, pool: Queryable): void {
  registerStateGauges(registry, () => LAKE_STATE.read(pool), LAKE_STATE.gauges);
}
