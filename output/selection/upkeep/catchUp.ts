/**
 * Brings a catalogue up to date with what is committed now. Totals and facets count what a page will show, so a
 * question that needs them must see every write that was acknowledged before the question arrived. A ranking should see
 * them too: a new item appears with the next request. One pass serves all questions that arrived before it began.
 */
import type pg from 'pg';
import { listChangesAfter, readChangesOf } from '../../../db/output/catalogueChanges.ts';
import { nullOnTimeout } from '../../../platform/process/concurrency/nullOnTimeout.ts';
import type { RankQuestion, Timed } from '../../messages/selectionMessages.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Catalogues } from './catalogues.ts';

/**
 * Interval at which changes of items and of popularity are followed. A question that is asked in between takes in those
 * of items that it would miss.
 */
export const FOLLOW_MS = 500;
/**
 * Maximum number of changes after the catalogue's position that are listed; the rest are followed in the regular turns
 * (catalogues.ts).
 */
const MAX_LISTED = 20_000;
/**
 * If a list has more changes than this, rankings do not list changes again until the next regular turn. While a
 * transaction is open, the regular turns cannot pass it, and each ranking would list all that was written since.
 */
const MANY_LISTED = 2_000;
/** Maximum number of listed changes that are read for a question. */
const MAX_READ = 1_000;
const PAGE = 200;
/** Share of the remaining time for which a ranking waits: an answer without the latest changes is better than none. */
const WAIT_SHARE = 0.5;

/** The latest change before a question (selectionMessages.ts); undefined when it is not known. */
type ChangedAt = number | null | undefined;

interface CatchUpRuns {
  running: Promise<boolean>;
  /** Starts when the running pass has ended. */
  next: Promise<boolean> | null;
}

export class CatchUp {
  readonly #pool: pg.Pool;
  readonly #catalogues: Catalogues;
  readonly #looks = new WeakMap<Catalogue, CatchUpRuns>();
  /** The latest turn of following in which a catalogue's list of changes was too long. */
  readonly #longLists = new WeakMap<Catalogue, number>();

  constructor(pool: pg.Pool, catalogues: Catalogues) {
    this.#pool = pool;
    this.#catalogues = catalogues;
  }

  /**
   * Takes in what was written before the question of a ranking, as far as its time allows. It does nothing for a
   * catalogue that is far behind: the catalogue would still lack other changes, and listing them would take longest.
   * Never throws.
   */
  async prepare({ projectId, changedAt, msLeft }: Timed<RankQuestion>): Promise<void> {
    const catalogue = this.#catalogues.find(projectId);
    if (typeof catalogue === 'string' || this.#catalogues.isFarBehind(projectId)) return;
    if (this.#longLists.get(catalogue) === this.#catalogues.turns) return;
    await nullOnTimeout(this.bringUpToDate(projectId, catalogue, changedAt), msLeft * WAIT_SHARE);
  }

  /**
   * @param changedAt the latest change before the question, so that nothing is looked for when the catalogue has it
   * @returns false when too much has changed to be read for one question, or the catalogue is no longer held
   * @throws when the database does not answer
   */
  async bringUpToDate(projectId: string, catalogue: Catalogue, changedAt: ChangedAt): Promise<boolean> {
    if (changedAt !== undefined && this.#catalogues.hasFollowedTo(projectId, changedAt)) return true;
    const looks = this.#looks.get(catalogue);
    if (!looks) return this.#begin(projectId, catalogue);
    looks.next ??= looks.running.then(
      () => this.#begin(projectId, catalogue),
      () => this.#begin(projectId, catalogue),
    );
    return looks.next;
  }

  #begin(projectId: string, catalogue: Catalogue): Promise<boolean> {
    const running = this.#run(projectId, catalogue);
    const looks: CatchUpRuns = { running, next: null };
    this.#looks.set(catalogue, looks);
    const deleteIfLast = (): void => {
      if (this.#looks.get(catalogue) === looks && looks.next === null) this.#looks.delete(catalogue);
    };
    running.then(deleteIfLast, deleteIfLast);
    return running;
  }

  async #run(projectId: string, catalogue: Catalogue): Promise<boolean> {
    const changed = await listChangesAfter(this.#pool, projectId, catalogue.position, MAX_LISTED);
    if (changed.length > MANY_LISTED) this.#longLists.set(catalogue, this.#catalogues.turns);
    const missing = changed.filter(({ id, micros }) => !catalogue.hasApplied(id, micros)).map(({ id }) => id);
    if (changed.length === MAX_LISTED || missing.length > MAX_READ) return false;
    for (let from = 0; from < missing.length; from += PAGE) {
      const changes = await readChangesOf(this.#pool, projectId, missing.slice(from, from + PAGE));
      if (!(await this.#catalogues.applyEarly(projectId, catalogue, changes))) return false;
    }
    return this.#catalogues.holds(projectId, catalogue);
  }
}
