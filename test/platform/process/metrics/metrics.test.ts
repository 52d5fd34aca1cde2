import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { Counter, Gauge } from 'prom-client';
import { fetch } from 'undici';
import { createRegistry, startMetrics } from '../../../../platform/process/metrics/metrics.ts';
import { freePort } from '../../../../tools/scripts/engines/servers/freePort.ts';

describe('startMetrics', () => {
  it('serves the registry at /metrics and nothing else', async () => {
    const port = await freePort();
    const registry = createRegistry('test');
    new Counter({ name: 'attune_test_total', help: 'A test', registers: [registry] }).inc(3);
    const metrics = await startMetrics({ metricsHost: '127.0.0.1', metricsPort: port }, registry);
    const response = await fetch(`http://127.0.0.1:${port}/metrics?x=1`);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    const text = await response.text();
    expect(text).toContain('attune_test_total{service="test"} 3');
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(404);
    await metrics.close();
    await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow('fetch failed');
  });

  it('reports at /alive that the process is alive, even while a figure cannot be read', async () => {
    const port = await freePort();
    const registry = createRegistry('test');
    const never = (): Promise<void> => new Promise(() => {});
    registry.registerMetric(new Gauge({ name: 'attune_test_stuck', help: 'A test', registers: [], collect: never }));
    const metrics = await startMetrics({ metricsHost: '127.0.0.1', metricsPort: port }, registry);
    expect((await fetch(`http://127.0.0.1:${port}/alive`)).status).toBe(204);
    await metrics.close();
  });

  it('names the setting of a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    await expect(startMetrics({ metricsHost: '127.0.0.1', metricsPort: port }, createRegistry('test'))).rejects.toThrow(
      `port ${port} on 127.0.0.1 is taken by another program: set METRICS_PORT to a free one`,
    );
    taken.close();
  });

  it('opens nothing for port 0', async () => {
    const metrics = await startMetrics({ metricsHost: '127.0.0.1', metricsPort: 0 }, createRegistry('test'));
    await expect(metrics.close()).resolves.toBeUndefined();
  });
});
