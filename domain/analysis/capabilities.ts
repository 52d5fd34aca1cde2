import type { Step } from './steps.ts';

/** The capabilities of analysis providers; each is configured separately (`SPEECH_BASE_URL`, …). */
export const PROVIDER_CAPABILITIES = ['speech', 'vision', 'summary', 'moderation', 'embedding'] as const;

export type ProviderCapability = (typeof PROVIDER_CAPABILITIES)[number];

/**
 * All kinds of requests to a provider. Vectors of pictures are only in this list, because they have settings of their
 * own and no built-in provider.
 */
export const ASKED_CAPABILITIES = [...PROVIDER_CAPABILITIES, 'pictures'] as const;

export type AskedCapability = (typeof ASKED_CAPABILITIES)[number];

/**
 * The step that uses each capability. The name of a step's model joins the names of its capabilities' models, and a
 * step takes milliseconds only if all of its capabilities are local.
 */
const STEP_OF_CAPABILITY: Readonly<Record<AskedCapability, Step>> = {
  speech: 'speech',
  vision: 'vision',
  summary: 'summary',
  moderation: 'summary',
  embedding: 'embedding',
  pictures: 'embedding',
};

/** Returns the capabilities that a step uses, its own first. */
export function capabilitiesOf(step: Step): AskedCapability[] {
  return ASKED_CAPABILITIES.filter((capability) => STEP_OF_CAPABILITY[capability] === step);
}

/** The capabilities that are used by a step with a different name. */
export const FURTHER_CAPABILITIES = ASKED_CAPABILITIES.filter(
  (capability) => STEP_OF_CAPABILITY[capability] !== capability,
);

/** The result of checking a capability. `builtin`: nothing outside the worker is called. */
export const CHECK_STATES = ['works', 'fails', 'builtin', 'off'] as const;
export type CheckState = (typeof CHECK_STATES)[number];

/** Codes of missing files without which a built-in capability, or voice detection, still works, but less well. */
export const MISSING_FILES = [
  'voice_files_missing',
  'nudity_files_missing',
  'russian_ocr_missing',
  'picture_files_missing',
  'reader_files_missing',
  'encoder_files_missing',
  'text_files_missing',
] as const;
export type MissingFiles = (typeof MISSING_FILES)[number];

/** Codes that stand for two others: a check reports one code. */
const COMBINED_CODES: readonly { code: MissingFiles; parts: readonly MissingFiles[] }[] = [
  { code: 'picture_files_missing', parts: ['nudity_files_missing', 'russian_ocr_missing'] },
  { code: 'text_files_missing', parts: ['reader_files_missing', 'encoder_files_missing'] },
];

/** Returns the one code for all files that a capability lacks; null if it lacks none. */
export function codeOfMissing(missing: readonly MissingFiles[]): MissingFiles | null {
  const combined = COMBINED_CODES.find(({ parts }) => parts.every((part) => missing.includes(part)));
  return combined?.code ?? missing[0] ?? null;
}
