/** Loads the models that questions name, in the background: until one is loaded, the published model ranks. */
import type { Logger } from '../../../platform/process/logger.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { ModelSource } from './modelFollower.ts';

export interface NamedModelReader {
  /**
   * Starts to load a model unless the catalogue has it, and returns at once.
   * @param makeRoom frees memory for a number of bytes; returns false when they do not fit
   */
  want(projectId: string, catalogue: Catalogue, id: string, makeRoom: (bytes: number) => boolean): void;
  /** Drops unused models and those whose files were deleted. @throws when the database does not answer */
  follow(projectId: string, catalogue: Catalogue): Promise<void>;
  /** Resolves when no read is running. */
  close(): Promise<void>;
}

/** Maximum number of concurrent reads: a file may be a gigabyte. */
const READS = 1;
/** Delay before a model that could not be loaded is tried again. */
const RETRY_MS = 60_000;

export function createNamedModelReader(source: ModelSource, logger: Logger): NamedModelReader {
  const reading = new Set<Promise<void>>();
  /** Models that could not be loaded, and when to try again. */
  const refused = new Map<string, number>();

  const read = async (
    projectId: string,
    catalogue: Catalogue,
    id: string,
    makeRoom: (bytes: number) => boolean,
  ): Promise<void> => {
    try {
      const [kept] = await source.kept(projectId, [id]);
      const stored = kept ? await source.read(kept) : null;
      if (stored === null) throw new Error('its file no longer exists');
      const model = await catalogue.mapToSlots({ ...stored, id });
      if (!makeRoom(model.bytes)) throw new Error(`its ${model.bytes} bytes do not fit into SELECTION_CATALOGUE_MB`);
      catalogue.named.keep(model);
    } catch (error) {
      refuse(`${projectId} ${id}`);
      logger.warn({ err: error, projectId, model: id }, "could not load a variant's model: the published one is used");
    }
  };
  const refuse = (name: string): void => {
    const now = performance.now();
    for (const [other, until] of refused) if (until < now) refused.delete(other);
    refused.set(name, now + RETRY_MS);
  };
  const isRefused = (name: string): boolean => performance.now() < (refused.get(name) ?? 0);

  return {
    want(projectId, catalogue, id, makeRoom) {
      if (id === catalogue.model?.id || catalogue.named.find(id) || catalogue.named.isFull) return;
      if (reading.size >= READS || isRefused(`${projectId} ${id}`)) return;
      const run = read(projectId, catalogue, id, makeRoom).finally(() => reading.delete(run));
      reading.add(run);
    },
    async follow(projectId, catalogue) {
      const { ids } = catalogue.named;
      if (ids.length === 0) return;
      const kept = new Set((await source.kept(projectId, ids)).map(({ id }) => id));
      // A model that is the published one again need not be held twice.
      catalogue.named.retain((id) => kept.has(id) && id !== catalogue.model?.id);
    },
    async close() {
      await Promise.all(reading);
    },
  };
}
