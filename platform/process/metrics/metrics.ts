/** Prometheus metrics of a process, on a port of their own that is not public. */
import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { StartError, type RunningProcess } from '../lifecycle.ts';
import { readSdkMetrics } from './sdkMetrics.ts';

/**
 * Interval of the timer by which the lag of the event loop is measured. The library's 10 ms would wake each process a
 * hundred times a second, which is most of what an idle one does. The percentiles of the lag include the interval.
 */
const LAG_TIMER_MS = 50;

/** Returns a registry with the process metrics (memory, CPU, event loop lag, …), labelled with the service. */
export function createRegistry(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_TIMER_MS });
  return registry;
}

/**
 * Serves the registry and the metrics of Temporal's SDK at /metrics. /alive answers as long as the event loop turns,
 * and depends on nothing else. Nothing is served when the port is 0.
 * @throws {StartError} when the port is taken
 */
export async function startMetrics(
  config: { metricsHost: string; metricsPort: number },
  registry: Registry,
): Promise<RunningProcess> {
  const { metricsHost: host, metricsPort: port } = config;
  if (port === 0) return { close: () => Promise.resolve() };
  const server = createServer((request, response) => {
    const path = request.method === 'GET' ? request.url?.split('?')[0] : undefined;
    if (path === '/alive') return void response.writeHead(204).end();
    if (path !== '/metrics') return void response.writeHead(404).end();
    Promise.all([registry.metrics(), readSdkMetrics()]).then(
      (texts) => response.writeHead(200, { 'content-type': registry.contentType }).end(texts.join('\n')),
      () => response.writeHead(500).end(),
    );
  });
  await listen(server, { host, port, setting: 'METRICS_PORT', exclusive: true });
  return { close: () => closeServer(server) };
}

export interface ListenOptions {
  host: string;
  port: number;
  /** The setting that names the port, for the error message. */
  setting: string;
  /** True when it is never shared with other processes of a pool (platform/process/workerPool.ts). */
  exclusive?: boolean;
}

/** Listens. @throws {StartError} when the port is taken or may not be used */
export function listen(server: Server, { host, port, setting, exclusive = false }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      const reason = error.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${error.code})`;
      reject(new StartError(`port ${port} on ${host} ${reason}: set ${setting} to a free one`));
    };
    server.once('error', onError);
    server.listen({ port, host, exclusive }, () => {
      server.off('error', onError);
      resolve();
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
