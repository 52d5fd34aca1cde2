/** Identifies the stored media in a new list: those with the same kind, url and version, at any position. */
import type { MediumWrite } from './item.ts';

export interface StoredMediumIdentity extends MediumWrite {
  mediumId: string;
  position: number;
}

export interface MediaDifference {
  /** Stored media that stay, with their present position. */
  kept: { mediumId: string; position: number }[];
  added: (MediumWrite & { position: number })[];
  removed: string[];
  /** True when the position of a kept medium has changed. */
  moved: boolean;
}

/**
 * Matches the wanted list against the stored one. Equal entries are matched in order, so a list that contains the same
 * address twice keeps both results.
 */
export function compareMedia(stored: readonly StoredMediumIdentity[], wanted: readonly MediumWrite[]): MediaDifference {
  const unmatched = new Map<string, StoredMediumIdentity[]>();
  for (const medium of stored) {
    const same = unmatched.get(identityOf(medium));
    if (same) same.push(medium);
    else unmatched.set(identityOf(medium), [medium]);
  }
  const difference: MediaDifference = { kept: [], added: [], removed: [], moved: false };
  for (const [position, medium] of wanted.entries()) {
    const match = unmatched.get(identityOf(medium))?.shift();
    if (!match) {
      difference.added.push({ ...medium, position });
      continue;
    }
    difference.kept.push({ mediumId: match.mediumId, position });
    difference.moved ||= match.position !== position;
  }
  difference.removed = [...unmatched.values()].flat().map((medium) => medium.mediumId);
  return difference;
}

function identityOf(medium: MediumWrite): string {
  return JSON.stringify([medium.kind, medium.url, medium.version]);
}
