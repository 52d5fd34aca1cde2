/** Frames that were only measured (their colours, for example): nothing looked at what they show. */

export interface LookedAt {
  description: string;
  ocrText: string | null;
  tags: string[] | null;
  /** The description is made of measures. */
  isMeasured: boolean;
}

interface Described<F extends LookedAt> {
  title: string | null;
  description: string | null;
  body: string | null;
  transcripts: readonly { text: string }[];
  frames: F[];
}

/**
 * The evidence without measures: colours would make unrelated pictures look alike to a search, and are no tags of
 * a subject. They stay as descriptions where there is no other word, so that the item has something to be found by.
 */
export function withoutMeasures<F extends LookedAt, E extends Described<F>>(evidence: E): E {
  const isNeeded = !wordsOf(evidence).some((text) => text?.trim());
  const frames = evidence.frames.map((frame) =>
    frame.isMeasured ? { ...frame, description: isNeeded ? frame.description : '', tags: null } : frame,
  );
  return { ...evidence, frames };
}

function wordsOf({ title, description, body, transcripts, frames }: Described<LookedAt>): (string | null)[] {
  return [
    title,
    description,
    body,
    ...transcripts.map(({ text }) => text),
    ...frames.flatMap((frame) => [frame.ocrText, frame.isMeasured ? null : frame.description]),
  ];
}
