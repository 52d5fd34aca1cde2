/** The settings of a project as form fields, and their changes. */
import type { cabinet } from '../../../data/client.ts';

export interface Draft {
  title: string;
  state: cabinet.Project['state'];
  fingerprints: boolean;
  /** Numbers as typed. */
  volume: string;
  requests: string;
  output: string;
}

export function draftOf({ title, state, fingerprints, monthly_volume: volume, limits }: cabinet.Project): Draft {
  return {
    title,
    state,
    fingerprints,
    volume: volume === null ? '' : String(volume),
    requests: String(limits.requests_per_second),
    output: String(limits.output_per_second),
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
  const isRight = isWhole(draft.volume, 0) && isWhole(draft.requests, 1) && isWhole(draft.output, 1);
  if (draft.title.trim() === '' || !isRight) return null;
  const limits = {
    ...(draft.requests !== before.requests && { requests_per_second: numberOf(draft.requests) }),
    ...(draft.output !== before.output && { output_per_second: numberOf(draft.output) }),
  };
  return {
    ...(draft.title !== before.title && { title: draft.title.trim() }),
    ...(draft.state !== before.state && { state: draft.state }),
    ...(draft.fingerprints !== before.fingerprints && { fingerprints: draft.fingerprints }),
    ...(draft.volume !== before.volume && { monthly_volume: numberOf(draft.volume) }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
}

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));
