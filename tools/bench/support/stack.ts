/** A separate development stack for a benchmark: new folder, free ports, stopped with the benchmark. */
import { liftLimits as liftStackLimits } from '../../../test/support/whole/client.ts';
import { startStack, type WholeStack } from '../../../test/support/whole/stack.ts';
import { endWithBench } from './endWithBench.ts';

export interface BenchStack {
  contentUrl: string;
  cabinetApiUrl: string;
  cabinetToken: string;
  databaseUrl: string;
  project: { id: string; key: string };
  pids: Record<string, number>;
  dataDir: string;
  stop(): Promise<void>;
  whole: WholeStack;
}

/**
 * @param caFile certificates of the benchmark's own servers
 * @param env settings besides the usual ones
 */
export async function startBenchStack(caFile: string, env: Record<string, string> = {}): Promise<BenchStack> {
  const starting = startStack({ env: { NODE_EXTRA_CA_CERTS: caFile, LOG_LEVEL: 'warn', ...env } });
  const stop = endWithBench(starting, (started) => started.stop());
  const whole = await starting;
  const { dev, dataDir } = whole;
  return {
    contentUrl: dev.content_url,
    cabinetApiUrl: `${dev.cabinet_url}/api`,
    cabinetToken: dev.cabinet_token,
    databaseUrl: dev.database_url,
    project: dev.project,
    pids: dev.pids,
    dataDir,
    stop,
    whole,
  };
}

/** Lifts the project's documented rate limits, so that the benchmark meets the machine instead of the limiter. */
export const liftLimits = ({ whole }: BenchStack): Promise<void> => liftStackLimits(whole);
