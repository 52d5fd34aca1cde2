/** The media that a running step works on. Each has a scope of its own, so one can be given up while the others go on. */
import { CancellationScope } from '@temporalio/workflow';

export class MediaAtWork {
  readonly #scopes = new Map<string, CancellationScope>();
  readonly #removed = new Set<string>();

  /**
   * Runs the work on a medium. Rejects as soon as it is cancelled, without waiting for the activity to notice: its
   * worker may have died, and the other media need not wait until that is known.
   */
  run(mediumId: string, work: () => Promise<unknown>): Promise<unknown> {
    const scope = new CancellationScope();
    this.#scopes.set(mediumId, scope);
    return scope.run(() => Promise.race([work(), scope.cancelRequested]));
  }

  /** Cancels the work on media that the item no longer has. A medium never comes back: added again, it has a new id. */
  cancelRemoved(present: readonly string[]): void {
    for (const [mediumId, scope] of this.#scopes) {
      if (present.includes(mediumId) || this.#removed.has(mediumId)) continue;
      this.#removed.add(mediumId);
      scope.cancel();
    }
  }

  /** Returns true if the medium was removed while the step ran: how its work ended does not matter then. */
  isRemoved(mediumId: string): boolean {
    return this.#removed.has(mediumId);
  }
}
