/** The one fault of the machine that passes by itself and is nobody's mistake: no space left. */

const CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/** Whether the file system refused to write, for want of space or by its quota. By code, for the error may come from another realm. */
export function isDiskFull(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && CODES.has(error.code);
}
