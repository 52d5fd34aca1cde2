/** What an error of the PostgreSQL driver means to whoever called. */
import { isNativeError } from 'node:util/types';

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

/** True when a transaction lost to another one (40001, 40P01): made again it may well win. */
export function isConflict(error: unknown): boolean {
  const code = sqlState(error);
  return code === '40001' || code === '40P01';
}

/** True when a lock asked for with `nowait` was another one's (55P03). */
export function isLockNotAvailable(error: unknown): boolean {
  return sqlState(error) === '55P03';
}

/** True when PostgreSQL gave a statement up for the time it took (57014). */
export function isStatementTimeout(error: unknown): boolean {
  return sqlState(error) === '57014';
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
 * SQLSTATEs of a server that goes, comes, is full or gave a statement up: class 08 (connection), 53
 * (resources), 57P0x (shutdown, starting), 57014 (statement timeout), 40001 and 40P01 (try again),
 * 25006 (a standby). PostgreSQL documentation, appendix A.
 */
const SERVER_CODE = /^(08...|53...|57P0.|57014|40001|40P01|25006)$/;

/** node-postgres gives these no code. */
const DRIVER_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/;

/** True when PostgreSQL cannot be reached or cannot take more: whoever asked may try again. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  const isFromSocket = 'syscall' in error || error.name === 'AggregateError';
  if (isFromSocket && NETWORK_CODES.has(code)) return true;
  // A Unix socket that is not there; any other ENOENT is a file of ours.
  if (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect') return true;
  if (SERVER_CODE.test(code) || DRIVER_MESSAGE.test(error.message)) return true;
  return error.cause !== undefined && isDatabaseUnavailable(error.cause);
}
