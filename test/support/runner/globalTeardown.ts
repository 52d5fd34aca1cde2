/** Tells the broker to stop its servers, and waits until no process of the run is left. */
import { once } from 'node:events';

export default async function globalTeardown(): Promise<void> {
  const broker = globalThis.attuneTestBroker;
  if (broker === undefined || broker.exitCode !== null) return;
  const ended = once(broker, 'exit');
  broker.stdin?.end();
  await ended;
}
