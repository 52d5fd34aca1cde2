/** A surface in its editor: form fields, and parts that the form does not show and leaves unchanged. */
import type { cabinet } from '../client.ts';
import { isRecord } from '../isRecord.ts';

export type Boost = cabinet.OutputBoost;
export type Pin = cabinet.OutputPin;
export type Defaults = cabinet.SurfaceDefaults;

export interface VariantDraft {
  name: string;
  /** In percent. */
  share: string;
  /** As JSON. */
  settings: string;
  /** The share as it was read, which `share` shows rounded; absent for a new variant. */
  storedShare?: number;
}

export interface ExperimentDraft {
  id: string;
  /** In the format of date and time inputs, in the user's time zone. */
  from: string;
  until: string;
  variants: VariantDraft[];
  /** The times as they were read, which `from` and `until` show rounded; absent for a new experiment. */
  stored?: Pick<NonNullable<cabinet.Surface['experiment']>, 'from' | 'until'>;
}

export interface SurfaceDraft {
  defaults: Defaults;
  boosts: Boost[];
  pins: Pin[];
  experiment: ExperimentDraft | null;
}

const MINUTE_MS = 60_000;
/** Maximum decimal places at which a share in percent is converted back exactly. */
const SHARE_DIGITS = 6;

/** @param surface null if it is not set up yet */
export function draftOf(surface: cabinet.Surface | null): SurfaceDraft {
  if (!surface) return { defaults: {}, boosts: [], pins: [], experiment: null };
  const { defaults, boosts, pins, experiment } = surface;
  return {
    defaults,
    // The API description declares them as arbitrary objects; a response has what was stored.
    boosts: boosts as unknown as Boost[],
    pins: pins as unknown as Pin[],
    experiment: experiment && {
      id: experiment.id,
      from: asLocal(experiment.from),
      until: experiment.until === null ? '' : asLocal(experiment.until),
      variants: experiment.variants.map(({ name, share, settings }) => ({
        name,
        share: percentOf(share),
        settings: JSON.stringify(settings, null, 2),
        storedShare: share,
      })),
      stored: { from: experiment.from, until: experiment.until },
    },
  };
}

/** Returns an experiment of two halves that begins now. */
export function newExperiment(now: Date, names: readonly [string, string]): ExperimentDraft {
  return {
    id: '',
    from: asLocal(now.toISOString()),
    until: '',
    variants: names.map((name) => ({ name, share: '50', settings: '{}' })),
  };
}

/** Returns the number of the first variant whose settings are not a JSON object; null if there is none. */
export function faultyVariant({ experiment }: SurfaceDraft): number | null {
  const at = (experiment?.variants ?? []).findIndex(({ settings }) => settingsOf(settings) === null);
  return at === -1 ? null : at;
}

function settingsOf(text: string): cabinet.VariantSettings | null {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    return isRecord(value) ? (value as cabinet.VariantSettings) : null;
  } catch {
    return null;
  }
}

/** Returns the request body; empty fields are omitted, and a time or share that is shown rounded is kept exactly. */
export function putOf({ defaults, boosts, pins, experiment }: SurfaceDraft): cabinet.SurfacePut {
  const said = Object.entries(defaults).filter(([, value]) => value !== undefined);
  return {
    defaults: Object.fromEntries(said),
    boosts,
    pins,
    experiment: experiment && {
      id: experiment.id.trim(),
      from: momentOf(experiment.from, experiment.stored?.from),
      until: experiment.until === '' ? null : momentOf(experiment.until, experiment.stored?.until),
      variants: experiment.variants.map(({ name, share, settings, storedShare }) => ({
        name: name.trim(),
        share: shareOf(share, storedShare),
        settings: settingsOf(settings) ?? {},
      })),
    },
  };
}

function percentOf(share: number): string {
  return String(Number((share * 100).toFixed(3)));
}

/** @param stored returned if the text shows it */
function shareOf(percent: string, stored: number | undefined): number {
  if (stored !== undefined && percentOf(stored) === percent) return stored;
  return Number((Number(percent.replace(',', '.')) / 100).toFixed(SHARE_DIGITS));
}

/** Rounds down to the minute. */
function asLocal(iso: string): string {
  const at = new Date(iso);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS);
  return local.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}

/**
 * Returns an empty text if there is no time; the API then rejects the field.
 * @param stored returned if the text shows it
 */
function momentOf(local: string, stored: string | null = null): string {
  if (stored !== null && asLocal(stored) === local) return stored;
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}
