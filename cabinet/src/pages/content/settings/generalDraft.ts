/** The settings of a project as form fields, and their changes. */
import type { cabinet } from '../../../data/client.ts';
import { exhaustiveList } from '../../../data/exhaustiveList.ts';

export type Limit = keyof cabinet.Project['limits'];
export const LIMITS = exhaustiveList<Limit>({ requests_per_second: true, output_per_second: true });

export interface Draft {
  title: string;
  state: cabinet.Project['state'];
  fingerprints: boolean;
  /** Numbers as typed. */
  volume: string;
  limits: Readonly<Record<Limit, string>>;
}

/** The typed changes. They are shown over the current settings, which others may have changed meanwhile. */
export interface DraftChanges extends Partial<Omit<Draft, 'limits'>> {
  limits?: Partial<Draft['limits']>;
}

export function withChanges(draft: Draft, changes: DraftChanges): Draft {
  return { ...draft, ...changes, limits: { ...draft.limits, ...changes.limits } };
}

export function draftOf({ title, state, fingerprints, monthly_volume: volume, limits }: cabinet.Project): Draft {
  return {
    title,
    state,
    fingerprints,
    volume: volume === null ? '' : String(volume),
    limits: Object.fromEntries(LIMITS.map((limit) => [limit, String(limits[limit])])) as Draft['limits'],
  };
}

/** Returns whether a text is a whole number of at least `least`, or empty, which means none. */
export function isWhole(text: string, least: 0 | 1): boolean {
  const trimmed = text.trim();
  return trimmed === '' || (/^\d{1,10}$/.test(trimmed) && Number(trimmed) >= least);
}

/**
 * Returns only the changes: limits are the administrator's to change, and concurrent changes by others are kept.
 * @returns null if a value is invalid
 */
export function changeOf(project: cabinet.Project, draft: Draft): cabinet.ProjectPatch | null {
  const before = draftOf(project);
  const isRight = isWhole(draft.volume, 0) && LIMITS.every((limit) => isWhole(draft.limits[limit], 1));
  if (draft.title.trim() === '' || !isRight) return null;
  const changed = LIMITS.filter((limit) => draft.limits[limit] !== before.limits[limit]);
  const limits = Object.fromEntries(changed.map((limit) => [limit, numberOf(draft.limits[limit])]));
  return {
    ...(draft.title !== before.title && { title: draft.title.trim() }),
    ...(draft.state !== before.state && { state: draft.state }),
    ...(draft.fingerprints !== before.fingerprints && { fingerprints: draft.fingerprints }),
    ...(draft.volume !== before.volume && { monthly_volume: numberOf(draft.volume) }),
    ...(changed.length > 0 && { limits }),
  };
}

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));
