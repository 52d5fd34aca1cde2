/**
 * Files that outlive the process that made them (audio, frames and subtitles of media, uploads), by key. A key is a
 * relative path of plain names; a file appears under its key completely or not at all.
 */
import type { Readable } from 'node:stream';

/** A remote store is unavailable or refuses a request; its own error is the cause. */
export class BlobStoreError extends Error {
  override readonly name = 'BlobStoreError';
}

export interface BlobStore {
  /**
   * Puts a finished file into the store, moving it if possible; replaces an existing blob. After it returns, the blob
   * survives a power cut.
   */
  putFile(key: string, sourcePath: string): Promise<void>;
  /**
   * Returns the blob's bytes from `start` on (0 by default), at most `length` of them, and their number. Null when
   * there is no such blob, or it has no byte in that range. Callers that need only a part should pass its length: a
   * remote store sends what was requested. The caller must consume or destroy the stream.
   */
  open(key: string, start?: number, length?: number): Promise<{ stream: Readable; size: number } | null>;
  /**
   * Runs `use` with paths of local files that hold the blobs' bytes, in the order of the keys, for programs that need
   * paths. They are read-only, and may be deleted afterwards.
   * @throws when there is no such blob
   */
  withLocalFiles<T>(keys: readonly string[], use: (paths: string[]) => Promise<T>): Promise<T>;
  /** Removes every blob whose key begins with the folder. @throws when one of them could not be removed */
  removeFolder(folder: string): Promise<void>;
}
