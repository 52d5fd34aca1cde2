import { describe, expect, it } from '@jest/globals';
import { faultOf, toFailure } from '../../activities/analysisFaults.ts';
import { MediaError, MEDIA_FAULTS, type MediaErrorCode } from '../../activities/mediaErrors.ts';
import { FAULT_MESSAGES } from '../../domain/items/errorCodes.ts';
import { FfmpegError } from '../../platform/process/decoders/ffmpeg.ts';
import { ProviderError, type ProviderErrorKind } from '../../providers/errors.ts';

describe('faultOf', () => {
  it.each(Object.keys(MEDIA_FAULTS) as MediaErrorCode[])(
    "reports a medium's fault %s with its own code and text",
    (code) => {
      const { permanent, message } = MEDIA_FAULTS[code];
      expect(faultOf(new MediaError(code, '/secret/path'))).toEqual({
        kind: permanent ? 'permanent' : 'temporary',
        error: { code, message },
        retryAfterMs: null,
      });
    },
  );

  // proves: decisions-items/permanent
  it('ends the step for whatever is wrong with a medium, and not for what is wrong with this machine', () => {
    const kinds = Object.keys(MEDIA_FAULTS).map((code) => [code, faultOf(new MediaError(code as MediaErrorCode)).kind]);
    expect(kinds.filter(([, kind]) => kind !== 'permanent').sort()).toEqual([
      ['decoder_unavailable', 'temporary'],
      ['processing_interrupted', 'temporary'],
      ['storage_full', 'temporary'],
    ]);
  });

  // proves: decisions-media/faults
  it.each<[ProviderErrorKind, number | null, string]>([
    ['retryable', null, 'temporary'],
    ['retryable', 60_000, 'temporary'],
    ['retryable', 60_001, 'exhausted'],
    ['quota', null, 'exhausted'],
    ['permanent', null, 'permanent'],
    ['permanent', 99_000, 'permanent'],
    ['refused', null, 'permanent'],
  ])("classifies a provider's error of the kind %s with a wait of %j as %s", (kind, wait, expected) => {
    const fault = faultOf(new ProviderError(kind, 'provider_timeout', 'words', wait));
    expect(fault).toMatchObject({ kind: expected, error: { code: 'provider_timeout' } });
    expect(Object.values(FAULT_MESSAGES)).toContain(fault.error.message);
  });

  it.each(['provider_bad_answer', 'provider_answer_truncated'] as const)(
    'says about %s that the answer is unusable, not that it is missing',
    (code) => expect(faultOf(new ProviderError('retryable', code, 'words')).error.message).toMatch(/непригоден/),
  );

  it.each(['ENOSPC', 'EDQUOT'])('treats a full disk (%s) as a temporary fault of the service', (code) => {
    const { message } = MEDIA_FAULTS.storage_full;
    expect(faultOf(Object.assign(new Error('at /secret'), { code }))).toEqual({
      kind: 'temporary',
      error: { code: 'storage_full', message },
      retryAfterMs: null,
    });
    expect(faultOf(new FfmpegError('storage_full', 'at /secret')).error).toEqual({ code: 'storage_full', message });
  });

  it.each([new Error('SELECT secret'), 'text', null, undefined, { code: 'x' }])(
    'treats %p as a temporary fault of the service',
    (error) => {
      expect(faultOf(error)).toEqual({
        kind: 'temporary',
        error: { code: 'internal', message: FAULT_MESSAGES.internal },
        retryAfterMs: null,
      });
    },
  );
});

describe('toFailure', () => {
  const cause = new Error('a secret');
  const error = { code: 'internal', message: 'x' };

  it('allows retries only for temporary faults, after the wait they ask for', () => {
    expect(toFailure({ kind: 'temporary', error, retryAfterMs: 5_000 }, cause)).toMatchObject({
      type: 'Temporary',
      nonRetryable: false,
      nextRetryDelay: 5_000,
      details: [error],
    });
    expect(toFailure({ kind: 'temporary', error, retryAfterMs: null }, cause).nextRetryDelay).toBeUndefined();
    expect(toFailure({ kind: 'exhausted', error, retryAfterMs: 5_000 }, cause)).toMatchObject({
      type: 'Exhausted',
      nonRetryable: true,
    });
    expect(toFailure({ kind: 'permanent', error, retryAfterMs: null }, cause)).toMatchObject({
      type: 'Permanent',
      nonRetryable: true,
    });
  });

  it('does not repeat what an unknown error says', () => {
    const failure = toFailure({ kind: 'temporary', error, retryAfterMs: null }, cause);
    expect(failure.message).toBe('internal: Error');
    expect(JSON.stringify([failure.message, failure.details, failure.cause ?? null])).not.toContain('secret');
  });
});
