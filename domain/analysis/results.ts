/** Results of the analysis of an item, from whichever provider. Unknown is `null` throughout. */

/** Cost of a provider call. Unknown is `null`, never 0. */
export interface Usage {
  inputTokens: number | null;
  outputTokens: number | null;
  audioSeconds: number | null;
  images: number | null;
}

/** The source of a result. `requestId` is the provider's own, for its support desk. */
export interface Provenance {
  provider: string;
  model: string;
  requestId: string | null;
}

export interface TranscriptSegment {
  /** Seconds from the start of the medium. */
  start: number;
  end: number;
  text: string;
  speaker: string | null;
}

export interface Transcript {
  /** ISO 639-1 code, or null when unknown. */
  language: string | null;
  /** `model` when the times were measured, `estimated` when they were derived from text length. */
  timestamps: 'model' | 'estimated';
  text: string;
  segments: TranscriptSegment[];
  /** Some of what is said is missing, because it could not be recognised. */
  isPartial?: boolean;
}

/** A part of a recording. */
export interface Chapter {
  /** Seconds from the start of the medium. */
  start: number;
  end: number;
  title: string;
}

/** A chapter with its medium. */
export interface MediumChapter extends Chapter {
  mediumId: string;
}

export interface FrameDescription {
  id: string;
  description: string;
  ocrText: string | null;
  tags: string[] | null;
  /** Category → level; null when the provider does not judge safety. */
  safety: Record<string, unknown> | null;
}

/** From harmless to severe. */
export const MODERATION_LEVELS = ['none', 'low', 'medium', 'high'] as const;
export type ModerationLevel = (typeof MODERATION_LEVELS)[number];

/** A result in its own right, stored in addition to the summary: activities/ai/moderation.ts makes it. */
export interface Moderation {
  level: ModerationLevel | null;
  categories: Record<string, unknown> | null;
  evidence: Record<string, unknown>[] | null;
}

export interface Summary {
  summary: string;
  description: string | null;
  topics: string[];
  tags: string[];
  entities: Record<string, unknown>[];
  /** ISO 639-1 code, or null when unknown. */
  language: string | null;
  ageRating: '0+' | '6+' | '12+' | '16+' | '18+' | null;
}
