/** Models of one catalogue besides the published one: those that variants of experiments name. */
import type { SlotModel } from './slotModel.ts';

/** Maximum number of models: as many as an experiment has variants. */
const MAX_CACHED = 4;
/** Idle time after which an unused model is evicted. */
const IDLE_MS = 10 * 60_000;

export class NamedModels {
  readonly #kept = new Map<string, { model: SlotModel; usedAt: number }>();

  get bytes(): number {
    let bytes = 0;
    for (const { model } of this.#kept.values()) bytes += model.bytes;
    return bytes;
  }

  get ids(): string[] {
    return [...this.#kept.keys()];
  }

  /**
   * True when a further model has to wait until one of these is idle: if one in use were evicted, it would be loaded
   * again and evict another, over and over.
   */
  get isFull(): boolean {
    return this.#kept.size >= MAX_CACHED;
  }

  find(id: string): SlotModel | undefined {
    const known = this.#kept.get(id);
    if (known) known.usedAt = performance.now();
    return known?.model;
  }

  keep(model: SlotModel): void {
    this.#kept.set(model.id, { model, usedAt: performance.now() });
  }

  /** Keeps only the models that are still wanted and in use. */
  retain(isWanted: (id: string) => boolean): void {
    const since = performance.now() - IDLE_MS;
    for (const [id, { usedAt }] of this.#kept) if (usedAt < since || !isWanted(id)) this.#kept.delete(id);
  }
}
