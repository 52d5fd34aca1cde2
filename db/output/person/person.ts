/** The data that a request reads about its person. */
import type { Queryable } from '../../pool.ts';
import { readCompanions } from '../../training/companions.ts';
import { readHistory, type OutputType } from './history.ts';
import { unpackHistory, type ExclusionEvent, type PackedHistory } from './historyParts.ts';
import { NO_SIGNALS, signalsOf, type OutputProfile, type PersonSignals } from './personSignals.ts';
import { DAY_MS } from '../../../domain/timeUnits.ts';

export interface OutputPerson {
  /** The identity under which snapshots are stored (decimal). */
  rootId: string;
  /** All identities under which history is stored. */
  memberIds: readonly string[];
  personalization: boolean;
  excludedInterests: readonly string[];
  hiddenAuthors: readonly string[];
  /** Items hidden by an event whose type hides. */
  hiddenItems: readonly string[];
  /**
   * Items whose similar items are unwanted for a while, by events of types with suppress_similar_days; the latest
   * first.
   */
  suppressedItems: readonly string[];
  /** Items that people keep using together with one of the suppressed items. */
  suppressedCompanions: readonly string[];
  /** Empty for a person who does not want personalization, and when they were not requested. */
  signals: PersonSignals;
}

/** A person as a statement returns them (db/output/readBeforeRanking.ts); what it does not read is missing. */
export interface PersonRow extends PackedHistory {
  rootId?: string | null;
  /** Living identities, the root first. */
  memberIds?: string[] | null;
  /** Types that have a weight, hide or suppress. */
  types?: OutputType[] | null;
  /** Profiles, that of the root first. */
  profiles?: OutputProfile[] | null;
}

/**
 * Returns the person of a row. The history of a person with several identities is not in it, and is read here.
 * @returns null for an unknown person
 */
export async function readPersonFrom(
  pool: Queryable,
  projectId: string,
  { rootId, memberIds, types: someTypes, profiles: someProfiles, ...packed }: PersonRow,
  wanted: { signals: boolean },
): Promise<OutputPerson | null> {
  if (typeof rootId !== 'string' || !memberIds || memberIds.length === 0) return null;
  const types = someTypes ?? [];
  const profiles = someProfiles ?? [];
  const personalization = profiles.every((profile) => profile.personalization !== false);
  const signals = wanted.signals && personalization;
  const history =
    memberIds.length === 1 ? unpackHistory(packed) : await readHistory(pool, projectId, { memberIds, types, signals });
  const exclusions = exclusionsOf(history.marks, types);
  return {
    rootId,
    memberIds,
    personalization,
    // The exclusions of every profile apply: before a link is finished, the device still has one of its own.
    excludedInterests: profiles.flatMap(({ excluded_interests: interests }) => interests ?? []),
    hiddenAuthors: profiles.flatMap(({ hidden_authors: authors }) => authors ?? []),
    ...exclusions,
    suppressedCompanions: await readCompanions(pool, projectId, exclusions.suppressedItems),
    signals: signals ? signalsOf(history, { types, profiles }) : NO_SIGNALS,
  };
}

function exclusionsOf(
  marks: readonly ExclusionEvent[],
  types: readonly OutputType[],
): Pick<OutputPerson, 'hiddenItems' | 'suppressedItems'> {
  const byCode = new Map(types.map((type) => [type.code, type]));
  const now = Date.now();
  const suppressed = marks
    .filter(({ type, occurredAt }) => now - occurredAt < (byCode.get(type)?.suppress_similar_days ?? 0) * DAY_MS)
    .toSorted((a, b) => b.occurredAt - a.occurredAt);
  return {
    hiddenItems: itemsOf(marks.filter(({ type }) => byCode.get(type)?.hides_item)),
    suppressedItems: itemsOf(suppressed),
  };
}

function itemsOf(marks: readonly ExclusionEvent[]): string[] {
  return [...new Set(marks.map(({ itemId }) => itemId))];
}
