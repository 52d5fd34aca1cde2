/** Brings published models into catalogues: the latest one of each project, while its questions go on being answered. */
import type { Logger } from '../../process/logger.ts';
import type { StoredItemModel } from '../models/modelFile.ts';
import type { Catalogue } from './catalogue.ts';

/** A model that was published, by the id and the file that its row names. */
export interface PublishedModel {
  id: string;
  blobKey: string;
}

/** Where models come from. */
export interface ModelSource {
  /** The model that holds; null before the first one. @throws when the database does not answer */
  published(projectId: string): Promise<PublishedModel | null>;
  /** Those of the published models of a project whose files are kept. @throws when the database does not answer */
  kept(projectId: string, ids: readonly string[]): Promise<readonly PublishedModel[]>;
  /** Null when another one holds by now. @throws when the file is away, or broken */
  read(model: PublishedModel): Promise<StoredItemModel | null>;
}

export interface ModelFollower {
  /**
   * Takes the project's model in unless the catalogue has it. What cannot be read or does not fit leaves the model that
   * was there before.
   * @param makeRoom makes room for so many bytes more; false when they do not fit
   * @throws when the database does not answer
   */
  follow(projectId: string, catalogue: Catalogue, makeRoom: (bytes: number) => boolean): Promise<void>;
}

/** A model that could not be taken is tried again after this. */
const AGAIN_MS = 60_000;

export function createModelFollower(source: ModelSource, logger: Logger): ModelFollower {
  /** By project: the model that could not be taken, and when to try again. */
  const refused = new Map<string, { id: string; until: number }>();

  const isRefused = (projectId: string, id: string): boolean => {
    const known = refused.get(projectId);
    return known?.id === id && performance.now() < known.until;
  };
  return {
    async follow(projectId, catalogue, makeRoom) {
      const published = await source.published(projectId);
      if (!published || published.id === catalogue.model?.id || isRefused(projectId, published.id)) return;
      try {
        const read = await source.read(published);
        if (read === null) return;
        const model = await catalogue.place({ ...read, id: published.id });
        if (!makeRoom(model.bytes - (catalogue.model?.bytes ?? 0)))
          throw new Error(`its ${model.bytes} bytes do not fit into SELECTION_CATALOGUE_MB`);
        catalogue.model = model;
        refused.delete(projectId);
      } catch (error) {
        refused.set(projectId, { id: published.id, until: performance.now() + AGAIN_MS });
        logger.warn({ err: error, projectId, model: published.id }, 'a model was not taken: the older one stays');
      }
    },
  };
}
