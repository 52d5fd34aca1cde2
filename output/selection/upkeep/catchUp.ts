/**
 * Brings a catalogue up to date with what is committed now. Totals and facets count what a page will show, so a
 * question that needs them must see every write that was acknowledged before the question arrived. One pass serves all
 * questions that arrived before it began.
 */
import type pg from 'pg';
import { listChangesAfter, readChangesOf } from '../../../db/output/catalogueChanges.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Catalogues } from './catalogues.ts';

/**
 * Maximum number of changes after the catalogue's position that are listed; the rest are followed in the regular turns
 * (catalogues.ts).
 */
const MAX_LISTED = 20_000;
/** Maximum number of listed changes that are read for a question. */
const MAX_READ = 1_000;
const PAGE = 200;

interface Looks {
  running: Promise<boolean>;
  /** Starts when the running pass has ended. */
  next: Promise<boolean> | null;
}

export class CatchUp {
  readonly #pool: pg.Pool;
  readonly #catalogues: Catalogues;
  readonly #looks = new WeakMap<Catalogue, Looks>();

  constructor(pool: pg.Pool, catalogues: Catalogues) {
    this.#pool = pool;
    this.#catalogues = catalogues;
  }

  /**
   * @returns false when too much has changed to be read for one question, or the catalogue is no longer held
   * @throws when the database does not answer
   */
  async reach(projectId: string, catalogue: Catalogue): Promise<boolean> {
    const looks = this.#looks.get(catalogue);
    if (!looks) return this.#begin(projectId, catalogue);
    looks.next ??= looks.running.then(
      () => this.#begin(projectId, catalogue),
      () => this.#begin(projectId, catalogue),
    );
    return looks.next;
  }

  #begin(projectId: string, catalogue: Catalogue): Promise<boolean> {
    const running = this.#look(projectId, catalogue);
    const looks: Looks = { running, next: null };
    this.#looks.set(catalogue, looks);
    const forget = (): void => {
      if (this.#looks.get(catalogue) === looks && looks.next === null) this.#looks.delete(catalogue);
    };
    running.then(forget, forget);
    return running;
  }

  async #look(projectId: string, catalogue: Catalogue): Promise<boolean> {
    const changed = await listChangesAfter(this.#pool, projectId, catalogue.position, MAX_LISTED);
    const missing = changed.filter(({ id, micros }) => !catalogue.hasTaken(id, micros)).map(({ id }) => id);
    if (changed.length === MAX_LISTED || missing.length > MAX_READ) return false;
    for (let from = 0; from < missing.length; from += PAGE) {
      const changes = await readChangesOf(this.#pool, projectId, missing.slice(from, from + PAGE));
      if (!(await this.#catalogues.takeAhead(projectId, catalogue, changes))) return false;
    }
    return this.#catalogues.holds(projectId, catalogue);
  }
}
