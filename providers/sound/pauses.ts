/**
 * The pauses of a recording, in which it is cut into pieces: quieter than this for at least so many seconds. They are
 * long enough for a cut, and present every few seconds of talk.
 */
const PAUSE = { quieterThanDb: -40, minSec: 0.35 } as const;

/** The filter of ffmpeg that finds them. */
export const PAUSE_FILTER = `silencedetect=noise=${PAUSE.quieterThanDb}dB:duration=${PAUSE.minSec}`;
