/** What every API's GET /health asks: answered in time, shared by those who ask at once, told when it changes. */

export interface HealthReport {
  status: 'ok' | 'degraded';
  /** For the log; the answer carries the status alone. */
  reasons: string[];
}

export interface HealthOptions {
  /** Why the service cannot do its work; nothing when it can. A throw means that the database is away. */
  findReasons(): Promise<string[]>;
  /** Answer after this long at the latest. */
  timeoutMs?: number;
  /** Share one answer among all that ask within this time. */
  cacheMs?: number;
  /** Told when the status or its reasons are others than before. */
  onChange?: ((report: HealthReport) => void) | undefined;
}

export type CheckHealth = () => Promise<HealthReport>;

/** Returns the check. It never throws and never takes longer than its timeout. */
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
    const report = within(timeoutMs, findReasons())
      .then((reasons): HealthReport => ({ status: reasons.length === 0 ? 'ok' : 'degraded', reasons }))
      .then(tellChanges);
    last = { report, expiresAt: performance.now() + cacheMs };
    return report;
  };
}

async function within(timeoutMs: number, reasons: Promise<string[]>): Promise<string[]> {
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
