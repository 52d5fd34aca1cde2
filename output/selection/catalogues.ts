/** The catalogues that a selection process holds: each is loaded when it is first asked for, and followed from then on. */
import type pg from 'pg';
import { readCatalogueChanges } from '../../db/output/catalogue.ts';
import type { Logger } from '../../process/logger.ts';
import { Catalogue } from './catalogue.ts';

const PAGE = 1_000;

interface Held {
  catalogue: Catalogue;
  isLoaded: boolean;
  /** The step in hand; a project is never followed twice at a time. */
  running: Promise<void> | null;
}

export interface CataloguesDeps {
  pool: pg.Pool;
  logger: Logger;
}

export class Catalogues {
  readonly #deps: CataloguesDeps;
  /** In the order of their use. */
  readonly #held = new Map<string, Held>();

  constructor(deps: CataloguesDeps) {
    this.#deps = deps;
  }

  /** Null while it is being loaded, which the first question begins. */
  find(projectId: string): Catalogue | null {
    const held = this.#held.get(projectId);
    if (held) return held.isLoaded ? held.catalogue : null;
    const fresh: Held = { catalogue: new Catalogue(), isLoaded: false, running: null };
    this.#held.set(projectId, fresh);
    void this.#follow(projectId, fresh);
    return null;
  }

  /** Items held, by project. */
  sizes(): { projects: number; items: number } {
    const items = [...this.#held.values()].reduce((sum, { catalogue }) => sum + catalogue.size, 0);
    return { projects: this.#held.size, items };
  }

  /** Brings all catalogues up to date. */
  async followAll(): Promise<void> {
    await Promise.all([...this.#held].map(([projectId, held]) => this.#follow(projectId, held)));
  }

  async #follow(projectId: string, held: Held): Promise<void> {
    held.running ??= this.#readOn(projectId, held).finally(() => (held.running = null));
    await held.running;
  }

  /** A fault leaves what is held as it is: the next turn goes on from there. */
  async #readOn(projectId: string, held: Held): Promise<void> {
    const { pool, logger } = this.#deps;
    try {
      for (;;) {
        const changes = await readCatalogueChanges(pool, projectId, held.catalogue.position, PAGE);
        held.catalogue.apply(changes);
        if (changes.length < PAGE) break;
      }
      held.isLoaded = true;
    } catch (error) {
      logger.warn({ err: error, projectId }, 'a catalogue could not be followed');
    }
  }
}
