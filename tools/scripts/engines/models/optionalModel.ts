/**
 * Resolves the files of a model that the product can do without: a setting names their folder, or they are downloaded.
 */
import type { EngineContext, Found } from '../fetch/sources.ts';

export interface OptionalModel {
  setting: string;
  label: string;
  /** The disadvantage of doing without it, for the report. */
  without: string;
  /** Files that the folder of the setting must contain. */
  files: string;
  fetch: (context: EngineContext, timeoutMs?: number) => Promise<Found>;
}

/** Limit of the wait for optional data at a start: 33 MB at 0.6 MB/s. */
const OPTIONAL_TIMEOUT_MS = 60_000;

/** Returns the folder of the files; null when they are unavailable, which is reported. */
export async function resolveOptionalModel(model: OptionalModel, context: EngineContext): Promise<string | null> {
  const setting = context.env[model.setting]?.trim();
  if (setting) return setting;
  const found = await model.fetch(context, context.optionalTimeoutMs ?? OPTIONAL_TIMEOUT_MS);
  if ('path' in found) return found.path;
  context.report(
    `${model.label}: ${model.without} (${found.reason}): set ${model.setting} to a folder with ${model.files}`,
  );
  return null;
}
