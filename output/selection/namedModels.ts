/** Models of one catalogue besides the published one: those that variants of experiments name. */
import type { SlotModel } from './slotModel.ts';

/** As many as an experiment has variants. */
const KEPT = 4;
/** A model that no question has named for so long gives its memory back. */
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

  /** Another one has to wait until one of these is idle: models that took turns would be read again and again. */
  get isFull(): boolean {
    return this.#kept.size >= KEPT;
  }

  find(id: string): SlotModel | undefined {
    const known = this.#kept.get(id);
    if (known) known.usedAt = performance.now();
    return known?.model;
  }

  keep(model: SlotModel): void {
    this.#kept.set(model.id, { model, usedAt: performance.now() });
  }

  /** Leaves those that are wanted still, and in use. */
  retain(isWanted: (id: string) => boolean): void {
    const since = performance.now() - IDLE_MS;
    for (const [id, { usedAt }] of this.#kept) if (usedAt < since || !isWanted(id)) this.#kept.delete(id);
  }
}
