/** What the analysis of an item results in, whoever did it. Unknown is `null` throughout. */

/** What a provider call cost. Unknown is `null`, never 0. */
export interface Usage {
  inputTokens: number | null;

/** Who produced a result. `requestId` is the provider's own, for its support desk. */
export interface Provenance {
  provider: string;

export interface TranscriptSegment {
  /** Seconds from the start of the medium. */
  start: number;

export interface Transcript {
  /** ISO 639-1 code, or null when unknown. */
  language: string | null;

export interface FrameDescription {
  id: string;

export type ModerationLevel = 'none' | 'low' | 'medium' | 'high';

export interface Moderation {
  level: ModerationLevel | null;

export interface Summary {
  summary: string;
