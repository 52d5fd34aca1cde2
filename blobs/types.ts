/**
 * Files that outlive the process that made them (audio, frames and subtitles of media, uploads), by
 * key. A key is a relative path of plain names; a file appears under its key whole or not at all.
 */
import type { Readable } from 'node:stream';

/** A store behind a network is away or refuses; what it said is the cause. */
export class BlobStoreError extends Error {
  override readonly name = 'BlobStoreError';
}

export interface BlobStore {
  /**
   * Puts a finished file into the store, moving it when that is possible; replaces what was there.
   * Once it returns the blob outlives a power cut.
   */
  putFile(key: string, sourcePath: string): Promise<void>;
  /**
   * The blob's bytes from `start` on (0 unless told otherwise), at most `length` of them, and how many
   * they are. Null when there is no such blob, or no byte of it in that range. Whoever wants a part
   * only says its length: a store behind a network sends what was asked for. The caller consumes or
   * destroys the stream.
   */
  open(key: string, start?: number, length?: number): Promise<{ stream: Readable; size: number } | null>;
  /**
   * Runs `use` with local files that hold the blobs' bytes, in the order of the keys, for programs that
   * want paths. They are read only, and may be gone afterwards. @throws when there is no such blob
   */
  withLocalFiles<T>(keys: readonly string[], use: (paths: string[]) => Promise<T>): Promise<T>;
  /** Removes every blob whose key begins with the folder. @throws when one could not be removed */
  removeFolder(folder: string): Promise<void>;
}
