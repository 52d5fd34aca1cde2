/** Finds the webhooks that have deliveries in a lane. */
import type { Lane } from '../../../domain/webhooks/deliveryStates.ts';

/**
 * Returns the body of a recursive CTE `name` (project_id, webhook_id). It steps from webhook to webhook in the lane's
 * partial index (a loose index scan), so a long backlog of one webhook costs a single step.
 */
export function headsOf(lane: Lane, name: string): string {
  return `
    (select project_id, webhook_id from deliveries where lane = '${lane}' order by project_id, webhook_id limit 1)
    union all
    select n.project_id, n.webhook_id
      from ${name} h
     cross join lateral (
       select d.project_id, d.webhook_id from deliveries d
        where d.lane = '${lane}' and (d.project_id, d.webhook_id) > (h.project_id, h.webhook_id)
        order by d.project_id, d.webhook_id limit 1) n`;
}
