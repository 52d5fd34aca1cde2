/** Applies models to catalogues: the current one of each project, while questions continue to be answered. */
import type { CurrentModel } from '../../../db/training/currentModels.ts';
import type { Logger } from '../../../platform/process/logger.ts';
import type { StoredItemModel } from '../../models/modelFile.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';

/** A model with the id and the file that its row names. */
export type ModelFile = Omit<CurrentModel, 'isPublished'>;

/** The place that models are read from. */
export interface ModelSource {
  /** Returns what is used now; null when there is nothing yet. @throws when the database does not answer */
  current(projectId: string): Promise<CurrentModel | null>;
  /** Returns those of the published models whose files are kept. @throws when the database does not answer */
  kept(projectId: string, ids: readonly string[]): Promise<readonly ModelFile[]>;
  /** Reads a model; null when another one is current by now. @throws when the file is missing or damaged */
  read(model: ModelFile): Promise<StoredItemModel | null>;
}

export interface ModelFollower {
  /**
   * Applies the project's current model unless the catalogue has it, or, while none is published, the pairs of orders
   * of the last training. If it cannot be read or does not fit, what was applied before stays.
   * @param makeRoom frees memory for a number of bytes; returns false when they do not fit
   * @throws when the database does not answer
   */
  follow(projectId: string, catalogue: Catalogue, makeRoom: (bytes: number) => boolean): Promise<void>;
}

/** Interval at which published models are looked for. */
export const FOLLOW_MODELS_MS = 5_000;
/** Delay before a model that could not be applied is tried again. */
const RETRY_MS = 60_000;

export function createModelFollower(source: ModelSource, logger: Logger): ModelFollower {
  /** By project: the model that could not be applied, and when to try again. */
  const refused = new Map<string, { id: string; until: number }>();

  const isRefused = (projectId: string, id: string): boolean => {
    const known = refused.get(projectId);
    return known?.id === id && performance.now() < known.until;
  };
  return {
    async follow(projectId, catalogue, makeRoom) {
      const current = await source.current(projectId);
      const held = catalogue.model ?? catalogue.pairs;
      if (current === null) {
        catalogue.model = null;
        catalogue.pairs = null;
        return;
      }
      if (current.id === held?.id || isRefused(projectId, current.id)) return;
      try {
        const read = await source.read(current);
        if (read === null) return;
        const model = await catalogue.mapToSlots({ ...read, id: current.id });
        if (!makeRoom(model.bytes - (held?.bytes ?? 0)))
          throw new Error(`its ${model.bytes} bytes do not fit into SELECTION_CATALOGUE_MB`);
        catalogue.model = current.isPublished ? model : null;
        catalogue.pairs = current.isPublished ? null : model;
        refused.delete(projectId);
      } catch (error) {
        refused.set(projectId, { id: current.id, until: performance.now() + RETRY_MS });
        logger.warn({ err: error, projectId, model: current.id }, 'could not load a model: the older one stays in use');
      }
    },
  };
}
