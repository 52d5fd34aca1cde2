/** Finds the kinds of requests that the API supports. */
import { REQUEST_KINDS, requestsOf, type RequestKind } from './kinds.ts';
import type { BenchClient } from './load.ts';
import type { World } from './world/fill.ts';

/** @throws when a kind gets a response that no kind should get */
export async function availableKinds(
  client: BenchClient,
  world: World,
  log: (line: string) => void,
): Promise<RequestKind[]> {
  const available: RequestKind[] = [];
  for (const kind of REQUEST_KINDS) {
    const [request] = requestsOf(kind, world, 1, 'there');
    if (!request) continue;
    const { status, body } = await client.send(request);
    if (status === 200) available.push(kind);
    else if (status === 404) log(`the API has no ${request.path}: ${kind.name} is left out`);
    else throw new Error(`${kind.name} answered ${status}: ${JSON.stringify(body)}`);
  }
  return available;
}
