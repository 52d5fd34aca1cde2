/** A catalogue that is held in memory, and how far it has followed its project. */
import type { Catalogue } from '../catalogue/catalogue.ts';

export interface HeldCatalogue {
  catalogue: Catalogue;
  state: 'waiting' | 'ready' | 'too_large';
  usedAt: number;
  refusedAt: number;
  /** Time up to which all writes had been applied. */
  followedAt: number;
  /** All changes before this moment of the database have been applied, in microseconds since 1970. */
  followedTo: number;
  /** True after a turn that could not apply everything. */
  isFarBehind: boolean;
}

/** Returns a catalogue that waits to be loaded. */
export function newHeldCatalogue(catalogue: Catalogue): HeldCatalogue {
  const now = performance.now();
  return {
    catalogue,
    state: 'waiting',
    usedAt: now,
    refusedAt: 0,
    followedAt: now,
    followedTo: -Infinity,
    isFarBehind: false,
  };
}
