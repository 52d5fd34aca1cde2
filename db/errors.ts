/** Classifies errors of the PostgreSQL driver for callers. */
import { isNativeError } from 'node:util/types';

/**
 * SQLSTATE classes of errors that the same statement would get again: data (22), integrity (23), syntax or access (42).
 * Everything else (connection, shutdown, resources, deadlock) may be transient.
 */
const PERMANENT_CLASSES = new Set(['22', '23', '42']);

/** Returns true when a retry of the same statement cannot succeed. */
export function isPermanentDatabaseError(error: unknown): boolean {
  const code = sqlState(error);
  return code !== null && PERMANENT_CLASSES.has(code.slice(0, 2));
}

/** Returns true when a transaction lost a conflict with another one (40001, 40P01); a retry may succeed. */
export function isConflict(error: unknown): boolean {
  const code = sqlState(error);
  return code === '40001' || code === '40P01';
}

/** Returns true when a lock requested with `nowait` was held by somebody else (55P03). */
export function isLockNotAvailable(error: unknown): boolean {
  return sqlState(error) === '55P03';
}

/** Returns true when PostgreSQL cancelled a statement because it took too long (57014). */
export function isStatementTimeout(error: unknown): boolean {
  return sqlState(error) === '57014';
}

/** Returns true when PostgreSQL refused a statement because an earlier one of its transaction had failed (25P02). */
export function isRefusedAfterError(error: unknown): boolean {
  return sqlState(error) === '25P02';
}

function sqlState(error: unknown): string | null {
  if (!isNativeError(error) || !('code' in error)) return null;
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null;
}

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
]);

/**
 * SQLSTATEs of a server that is stopping, starting or full, or that cancelled a statement: class 08 (connection), 53
 * (resources), 57P0x (shutdown, starting), 57014 (statement timeout), 40001 and 40P01 (retry), 25006 (a standby). See
 * appendix A of the PostgreSQL documentation.
 */
const SERVER_CODE = /^(08...|53...|57P0.|57014|40001|40P01|25006)$/;

/** Messages of errors to which node-postgres gives no code. */
const DRIVER_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/;

/** Returns true when PostgreSQL cannot be reached or is overloaded; the caller may retry. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  const isFromSocket = 'syscall' in error || error.name === 'AggregateError';
  if (isFromSocket && NETWORK_CODES.has(code)) return true;
  // The Unix socket does not exist; any other ENOENT is about a file of this product.
  if (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect') return true;
  if (SERVER_CODE.test(code) || DRIVER_MESSAGE.test(error.message)) return true;
  return error.cause !== undefined && isDatabaseUnavailable(error.cause);
}
