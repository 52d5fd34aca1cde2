/** Applies published models to catalogues: the latest one of each project, while questions continue to be answered. */
import type { Logger } from '../../../platform/process/logger.ts';
import type { StoredItemModel } from '../../models/modelFile.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';

/** A published model, with the id and the file that its row names. */
export interface PublishedModel {
  id: string;
  blobKey: string;
}

/** The place that models are read from. */
export interface ModelSource {
  /** Returns the current model; null before the first one. @throws when the database does not answer */
  published(projectId: string): Promise<PublishedModel | null>;
  /** Returns those of the published models whose files are kept. @throws when the database does not answer */
  kept(projectId: string, ids: readonly string[]): Promise<readonly PublishedModel[]>;
  /** Reads a model; null when another one is current by now. @throws when the file is missing or damaged */
  read(model: PublishedModel): Promise<StoredItemModel | null>;
}

export interface ModelFollower {
  /**
   * Applies the project's current model unless the catalogue has it. If it cannot be read or does not fit, the previous
   * model stays.
   * @param makeRoom frees memory for a number of bytes; returns false when they do not fit
   * @throws when the database does not answer
   */
  follow(projectId: string, catalogue: Catalogue, makeRoom: (bytes: number) => boolean): Promise<void>;
}

/** Delay before a model that could not be applied is tried again. */
const AGAIN_MS = 60_000;

export function createModelFollower(source: ModelSource, logger: Logger): ModelFollower {
  /** By project: the model that could not be applied, and when to try again. */
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
        logger.warn(
          { err: error, projectId, model: published.id },
          'could not load a model: the older one stays in use',
        );
      }
    },
  };
}
