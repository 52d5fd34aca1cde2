/** Lets the broker stop its servers, and waits until nothing of the run is left. */
import { once } from 'node:events';

export default async function globalTeardown(): Promise<void> {
  const broker = globalThis.attuneTestBroker;
  if (broker === undefined || broker.exitCode !== null) return;
  const ended = once(broker, 'exit');
  broker.stdin?.end();
  await ended;
}
