/** How often the new items of a catalogue were shown and opened. */
import type { TriedItem } from '../../../db/output/trials.ts';

/** Counts by slot; 0 where nothing was counted. */
export interface Trials {
  impressions(slot: number): number;
  opens(slot: number): number;
}

export const NO_TRIALS: Trials = { impressions: () => 0, opens: () => 0 };

export function trialsOf(tried: readonly TriedItem[], slotOf: (id: string) => number | undefined): Trials {
  const bySlot = new Map(tried.map((one) => [slotOf(one.id) ?? -1, one]));
  return {
    impressions: (slot) => bySlot.get(slot)?.impressions ?? 0,
    opens: (slot) => bySlot.get(slot)?.opens ?? 0,
  };
}
