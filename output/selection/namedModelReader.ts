/** Reads the models that questions name, behind these questions: until one is there, the published one ranks. */
import type { Logger } from '../../process/logger.ts';
import type { Catalogue } from './catalogue.ts';
import type { ModelSource } from './modelFollower.ts';

export interface NamedModelReader {
  /**
   * Begins to read a model unless the catalogue has it. Returns at once.
   * @param makeRoom makes room for so many bytes more; false when they do not fit
   */
  want(projectId: string, catalogue: Catalogue, id: string, makeRoom: (bytes: number) => boolean): void;
  /** Drops the models that nobody asks for, and those whose files were given up. @throws when the database does not answer */
  follow(projectId: string, catalogue: Catalogue): Promise<void>;
  /** Settles when nothing is being read. */
  close(): Promise<void>;
}

/** Files read at a time: one may have a gigabyte. */
const READS = 1;
/** A model that could not be taken is tried again after this. */
const AGAIN_MS = 60_000;

export function createNamedModelReader(source: ModelSource, logger: Logger): NamedModelReader {
  const reading = new Set<Promise<void>>();
  /** Models that could not be taken, and when to try again. */
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
      if (stored === null) throw new Error('its file was given up');
      const model = await catalogue.place({ ...stored, id });
      if (!makeRoom(model.bytes)) throw new Error(`its ${model.bytes} bytes do not fit into SELECTION_CATALOGUE_MB`);
      catalogue.named.keep(model);
    } catch (error) {
      refuse(`${projectId} ${id}`);
      logger.warn({ err: error, projectId, model: id }, "a variant's model was not taken: the published one ranks");
    }
  };
  const refuse = (name: string): void => {
    const now = performance.now();
    for (const [other, until] of refused) if (until < now) refused.delete(other);
    refused.set(name, now + AGAIN_MS);
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
      // What has become the published one again need not be there twice.
      catalogue.named.retain((id) => kept.has(id) && id !== catalogue.model?.id);
    },
    async close() {
      await Promise.all(reading);
    },
  };
}
