/** Sets up the stage through the cabinet API. */
import type { WholeStack } from '../../../test/support/whole/stack.ts';
import type { SiteTarget, TrainingTarget } from '../load/scenarios.ts';
import type { Target } from '../load/sender.ts';
import { CHAOS_GOAL } from '../load/visitorLife.ts';

async function call<T>({ dev }: WholeStack, method: string, path: string, body: unknown): Promise<T> {
  const response = await fetch(`${dev.cabinet_url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${dev.cabinet_token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

export interface ChaosProject extends Target {
  id: string;
}

/** Lifts the documented rate limit, so that the load meets the machine instead of the limiter. */
async function liftLimit(stack: WholeStack, projectId: string): Promise<void> {
  await call(stack, 'PATCH', `/projects/${projectId}`, { limits: { requests_per_second: 10_000 } });
}

export async function mainProject(stack: WholeStack): Promise<ChaosProject> {
  await liftLimit(stack, stack.dev.project.id);
  return { ...stack.dev.project, url: stack.dev.content_url };
}

export async function newProject(stack: WholeStack, title: string): Promise<ChaosProject> {
  const { id } = await call<{ id: string }>(stack, 'POST', '/projects', { title });
  const { key } = await call<{ key: string }>(stack, 'POST', `/projects/${id}/keys`, { name: title });
  await liftLimit(stack, id);
  return { id, key, url: stack.dev.content_url };
}

/** Returns where to request trainings of a project. */
export function trainingsOf({ dev }: WholeStack, { id }: ChaosProject): TrainingTarget {
  return { cabinet: { url: `${dev.cabinet_url}/api`, key: dev.cabinet_token }, path: `/projects/${id}/output/train` };
}

/** Returns the development site with a goal for its server to report, its rate limit lifted as well. */
export async function mainSite(stack: WholeStack): Promise<SiteTarget> {
  const { site, analytics_url: url, collect_url: collect } = stack.dev;
  await call(stack, 'PATCH', `/sites/${site.id}`, { limits: { requests_per_second: 10_000 } });
  await call(stack, 'PUT', `/sites/${site.id}/goals/${CHAOS_GOAL}`, { title: 'Lead', type: 'js' });
  return { id: site.id, origin: new URL(collect).origin, tagKey: site.tag_key, url, key: site.api_key };
}

/** Adds a webhook for the events of the analysis. */
export function addWebhook(stack: WholeStack, projectId: string, url: string): Promise<{ id: string; secret: string }> {
  return call(stack, 'POST', `/projects/${projectId}/webhooks`, {
    url,
    events: ['item.processed', 'item.failed'],
    enabled: true,
  });
}
