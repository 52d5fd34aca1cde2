/**
 * Media are analysed up to this time, in seconds. Anything after it, real or only claimed by the file, is neither read
 * (activities/media/medium/mediaLimits.ts) nor counted (volume.ts). It has a file of its own because the confined
 * decoder may read only a few source files (activities/media/decoderProcess.ts).
 */
export const MAX_ANALYSED_SEC = 4 * 3600;
