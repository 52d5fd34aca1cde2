/** Remedies for each reason why a step was not done. */
import type { Item } from '../../../../data/items/items.ts';
import { isNamed, type NamedStep, type Step } from '../../../../data/items/steps.ts';
import type { Words } from '../../../../words/en/index.ts';

const REMEDIES = [
  'address',
  'server',
  'file',
  'size',
  'content',
  'refused',
  'settings',
  'quota',
  'again',
  'none',
] as const;
export type Remedy = (typeof REMEDIES)[number];

/** The codes for which each remedy helps: every code of the service once (test/cabinet/errorCodes.test.ts). */
export const CODES: Readonly<Record<Remedy, readonly string[]>> = {
  address: ['media_not_found', 'media_access_denied', 'media_redirect', 'forbidden_address'],
  server: ['media_http_error', 'media_unavailable', 'media_tls', 'media_dns'],
  file: [
    'empty_media',
    'unsupported_media',
    'media_kind_mismatch',
    'no_video_stream',
    'no_audio_stream',
    'too_many_streams',
    'media_truncated',
    'decode_failed',
    'audio_unreadable',
    'frames_unreadable',
    'subtitles_unreadable',
  ],
  size: [
    'media_too_large',
    'subtitles_too_large',
    'image_too_large',
    'resolution_too_large',
    'processing_timeout',
    'provider_input_too_large',
    'text_too_complex',
  ],
  content: ['no_content'],
  refused: ['provider_refused', 'provider_content_filter'],
  settings: [
    'no_speech_provider',
    'no_vision_provider',
    'no_summary_provider',
    'no_embedding_provider',
    'provider_rejected',
    'provider_bad_request',
    'provider_unsupported',
    'provider_unauthorized',
    'provider_forbidden',
    'provider_model_not_found',
    'provider_endpoint_not_found',
    'provider_redirected',
    'ffmpeg_missing',
  ],
  quota: ['provider_quota', 'provider_quota_exceeded'],
  again: [
    'internal',
    'worker_lost',
    'speech_partial',
    'processing_interrupted',
    'decoder_unavailable',
    'storage_full',
    'provider_unavailable',
    'provider_unreachable',
    'provider_timeout',
    'provider_rate_limited',
    'provider_bad_answer',
    'provider_answer_truncated',
    'empty_text',
    'batch_too_large',
    'text_analysis_failed',
    'analysis_interrupted',
    'audio_timeout',
    'audio_interrupted',
  ],
  none: ['no_audio', 'no_frames', 'nothing_to_summarise'],
};

/** Returns the remedy. An unknown reason may be temporary, and a retry is never wrong. */
export function remedyOf(code: string): Remedy {
  return REMEDIES.find((remedy) => CODES[remedy].includes(code)) ?? 'again';
}

/** Returns why a step was not done, in the language of the page; undefined if there is no reason. */
export function reasonOf({ processing_errors: errors }: Item, step: Step, words: Words): string | undefined {
  const error = errors?.[step];
  return error && reasonOrOther(error.code, words);
}

/**
 * Returns a reason in the language of the page, because the server's own text is always Russian. If this version does
 * not know the code, the text says that there was another reason.
 */
export function reasonOrOther(code: string, { reasons, item }: Words): string {
  return reasons[code] ?? item.otherReason;
}

/** Steps that are blocked for one reason. */
export interface Blocker {
  /** Null: they wait for analysis volume. */
  code: string | null;
  /** The affected medium. */
  position: number | null;
  steps: Step[];
  /** Time of the next automatic retry. */
  retryAt: string | null;
  isFailed: boolean;
}

const BLOCKED_STATES: ReadonlySet<string> = new Set(['failed', 'deferred', 'waiting']);

/**
 * Returns why the analysis of an item is blocked: failures first. A step that waits for another one has no reason of
 * its own.
 */
export function blockersOf(item: Item): Blocker[] {
  const found: Blocker[] = [];
  for (const [step, { retry_at: retryAt }] of Object.entries(item.steps) as [Step, Item['steps'][Step]][]) {
    const state = item.processing[step];
    const error = item.processing_errors?.[step];
    if (!BLOCKED_STATES.has(state) || (state !== 'waiting' && !error)) continue;
    const [code, position] = [error?.code ?? null, error?.media_position ?? null];
    const known = found.find((one) => one.code === code && one.position === position);
    if (known) known.steps.push(step);
    else found.push({ code, position, steps: [step], retryAt, isFailed: state === 'failed' });
  }
  return found.sort((a, b) => Number(b.isFailed) - Number(a.isFailed));
}

/** Returns the steps to name in a rerun; null, which reruns everything, if one of them cannot be named. */
export function stepsToRun(blockers: readonly Blocker[]): NamedStep[] | null {
  const steps = blockers.flatMap(({ steps: some }) => some);
  const named = steps.filter(isNamed);
  return named.length < steps.length ? null : named;
}
