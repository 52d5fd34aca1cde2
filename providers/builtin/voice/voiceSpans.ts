/** Converts probabilities of speech to the stretches of a recording with speech. Pure. */
import type { TimeSpan } from '../../types.ts';

/** A stretch begins at the first probability and ends below the second: the package's defaults. */
const BEGINS_AT = 0.5;
const ENDS_BELOW = 0.35;
/** A shorter pause does not end a stretch, seconds. */
const MIN_PAUSE = 0.3;
/** Anything shorter is a click or a cough, seconds. */
const MIN_SPEECH = 0.25;

/** @param pieceSec length of the sound of each probability */
export function spansOf(probabilities: Float32Array, pieceSec: number): TimeSpan[] {
  const spans: TimeSpan[] = [];
  let speaks = false;
  for (const [index, probability] of probabilities.entries()) {
    speaks = probability >= (speaks ? ENDS_BELOW : BEGINS_AT);
    if (speaks) extend(spans, index * pieceSec, (index + 1) * pieceSec);
  }
  return spans.filter((span) => span.end - span.start >= MIN_SPEECH);
}

/** Extends the last stretch if the pause since then is short, else begins a new one. */
function extend(spans: TimeSpan[], start: number, end: number): void {
  const last = spans.at(-1);
  if (last && start - last.end < MIN_PAUSE) last.end = end;
  else spans.push({ start, end });
}
