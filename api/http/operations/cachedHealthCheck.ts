/**
 * The common part of GET /health: the result has a time limit, is shared by concurrent requests, and is reported when
 * it changes.
 */

export interface HealthReport {
  status: 'ok' | 'degraded';
  /** For the log; the response only has the status. */
  reasons: string[];
}

export interface HealthOptions {
  /**
   * Returns the reasons why the service cannot work; empty when it can. An error means that the database is
   * unavailable.
   */
  findReasons(): Promise<string[]>;
  /** Time limit of a response. */
  timeoutMs?: number;
  /** Time during which requests share one result. */
  cacheMs?: number;
  /** Called when the status or its reasons have changed. */
  onChange?: ((report: HealthReport) => void) | undefined;
}

export type CheckHealth = () => Promise<HealthReport>;

/** Returns the check. It never throws and never exceeds its time limit. */
export function createHealthCheckOf({
  findReasons,
  timeoutMs = 1_500,
  cacheMs = 1_000,
  onChange,
}: HealthOptions): CheckHealth {
  let told = '';
  const tellChanges = (report: HealthReport): HealthReport => {
    const reasons = report.reasons.join('; ');
    if (reasons !== told) onChange?.(report);
    told = reasons;
    return report;
  };
  let last: { report: Promise<HealthReport>; expiresAt: number } | null = null;
  return () => {
    if (last && last.expiresAt > performance.now()) return last.report;
    const report = reasonsOrTimeout(timeoutMs, findReasons())
      .then((reasons): HealthReport => ({ status: reasons.length === 0 ? 'ok' : 'degraded', reasons }))
      .then(tellChanges);
    last = { report, expiresAt: performance.now() + cacheMs };
    return report;
  };
}

async function reasonsOrTimeout(timeoutMs: number, reasons: Promise<string[]>): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string[]>((resolve) => {
    timer = setTimeout(() => resolve(['the database does not answer in time']), timeoutMs);
  });
  const answer = reasons.catch(() => ['the database is unavailable']);
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
