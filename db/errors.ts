/** What an error of the PostgreSQL driver means to whoever called. */

/**
 * SQLSTATE classes of faults that the same statement meets again: data (22), integrity (23),
 * syntax or access (42). Everything else (connection, shutdown, resources, deadlock) may pass.
 */
const PERMANENT_CLASSES = new Set(['22', '23', '42']);

/** True when a retry of the same statement cannot succeed. */
export function isPermanentDatabaseError(error: unknown): boolean {
  const code = sqlState(error);
  return code !== null && PERMANENT_CLASSES.has(code.slice(0, 2));
}

function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null;
}
