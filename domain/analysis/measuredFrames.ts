/** Frames that were only measured (their colours, for example), so that nobody described their content. */

export interface DescribedFrame {
  description: string;
  ocrText: string | null;
  tags: string[] | null;
  /** The description consists of measurements. */
  isMeasured: boolean;
}

/**
 * Returns the evidence without measurements: colours would make unrelated pictures look alike to a search, and are not
 * tags of a subject. They are shown with their frame and used nowhere else, even where an item has no text at all: a
 * search cannot find such an item, as its status shows.
 */
export function withoutMeasurements<F extends DescribedFrame, E extends { frames: F[] }>(evidence: E): E {
  const frames = evidence.frames.map((frame) => (frame.isMeasured ? { ...frame, description: '', tags: null } : frame));
  return { ...evidence, frames };
}
