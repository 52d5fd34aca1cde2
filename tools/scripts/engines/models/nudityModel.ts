/**
 * The nudity classifier of the built-in vision: the weights of the package `nsfwjs` (MIT), which the product reads
 * itself. Optional: without it the safety of pictures stays unknown, and the start reports that.
 */
import { NUDITY_FILE_NAMES } from '../../../../providers/builtin/nudity/classifierFiles.ts';
import { fetchTarball, type NpmTarball } from '../fetch/npmTarball.ts';
import { resolveOptionalModel } from './optionalModel.ts';
import type { EngineContext, Found } from '../fetch/sources.ts';

const TIMEOUT_MS = 600_000;

const TARBALL: NpmTarball = {
  name: 'nsfwjs',
  version: '4.4.0',
  sha256: '585cd178f3b994337c4d10a87b080d342fc52f8b9bf0085c4d1f345a3a1c5382',
  megabytes: 25,
  files: ['LICENSE', ...NUDITY_FILE_NAMES.map((name) => `dist/models/mobilenet_v2_mid/${name}`)],
};

/** Returns the folder of the files and of their licence, or the reason why there is none. */
export function fetchNudityModel(context: EngineContext, timeoutMs: number = TIMEOUT_MS): Promise<Found> {
  return fetchTarball(TARBALL, context, timeoutMs);
}

/** Returns the folder of the classifier's three files. The first call downloads 25 MB, of which 6 are kept. */
export function resolveNudityModel(context: EngineContext): Promise<string | null> {
  return resolveOptionalModel(
    {
      setting: 'NUDITY_MODEL_DIR',
      label: 'nudity',
      without: 'pictures will not be judged',
      files: `the files of ${TARBALL.name} ${TARBALL.version} that are named in providers/builtin/nudity/classifierFiles.ts`,
      fetch: fetchNudityModel,
    },
    context,
  );
}
