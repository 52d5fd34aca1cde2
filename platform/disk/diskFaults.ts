/** Disk faults that no input causes. They are recognised by code, because the error may come from another realm. */

const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);
/** A failing device, one that is mounted read-only, and the limit of open files. */
const UNAVAILABLE: ReadonlySet<unknown> = new Set([...FULL, 'EIO', 'EROFS', 'EMFILE', 'ENFILE']);

/** Returns true when the file system refused to write for lack of space or because of its quota. */
export function isDiskFull(error: unknown): boolean {
  return FULL.has(codeOf(error));
}

/** Returns true when no file can be read or written for now. */
export function isDiskUnavailable(error: unknown): boolean {
  return UNAVAILABLE.has(codeOf(error));
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
