/** Gauges of values that are read at each scrape: all those of one state in one query, with a timeout. */
import { Gauge, type Registry } from 'prom-client';
import { nullOnTimeout } from '../concurrency/nullOnTimeout.ts';
import { sharedRead } from '../concurrency/sharedRead.ts';

/** Prometheus does not wait: a value that is unknown by then has no series. */
export const SCRAPE_TIMEOUT_MS = 2_000;

export interface StateGauge<T> {
  name: string;
  help: string;
  valueOf(state: T): number;
}

export function registerStateGauges<T>(
  registry: Registry,
  read: () => Promise<T>,
  gauges: readonly StateGauge<T>[],
): void {
  const ask = sharedRead(() => nullOnTimeout(read(), SCRAPE_TIMEOUT_MS));
  for (const { name, help, valueOf } of gauges) {
    const gauge: Gauge = new Gauge({
      name,
      help: `${help}; no series when it cannot be read`,
      registers: [registry],
      async collect() {
        const state = await ask();
        if (state === null) gauge.remove();
        else gauge.set(valueOf(state));
      },
    });
  }
}
