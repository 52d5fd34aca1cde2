import { describe, expect, it } from '@jest/globals';
import { faultOf } from '../../activities/analysisFaults.ts';
import { OutgoingError, type OutgoingErrorCode } from '../../platform/outgoing/errors.ts';

describe('a medium that could not be downloaded', () => {
  // proves: decisions-items/permanent, decisions-items/deferred
  it.each<[number, 'permanent' | 'temporary', string]>([
    [400, 'permanent', 'media_http_error'],
    [401, 'permanent', 'media_access_denied'],
    [403, 'permanent', 'media_access_denied'],
    [404, 'permanent', 'media_not_found'],
    [405, 'permanent', 'media_http_error'],
    [408, 'temporary', 'media_unavailable'],
    [410, 'permanent', 'media_not_found'],
    [425, 'temporary', 'media_unavailable'],
    [429, 'temporary', 'media_unavailable'],
    [451, 'permanent', 'media_http_error'],
    [500, 'temporary', 'media_unavailable'],
    [503, 'temporary', 'media_unavailable'],
  ])('because its host answers %i is a fault of the kind: %s', (status, kind, code) => {
    expect(faultOf(new OutgoingError('http_status', { status }))).toMatchObject({ kind, error: { code } });
  });

  // proves: decisions-items/permanent, decisions-items/deferred
  it.each<[OutgoingErrorCode, 'permanent' | 'temporary', string]>([
    ['too_large', 'permanent', 'media_too_large'],
    ['redirect', 'permanent', 'media_redirect'],
    ['forbidden_address', 'permanent', 'forbidden_address'],
    ['invalid_url', 'permanent', 'forbidden_address'],
    ['tls', 'temporary', 'media_tls'],
    ['dns', 'temporary', 'media_dns'],
    ['timeout', 'temporary', 'media_unavailable'],
    ['connection', 'temporary', 'media_unavailable'],
  ])('because of %s is a fault of the kind: %s', (given, kind, code) => {
    expect(faultOf(new OutgoingError(given))).toMatchObject({ kind, error: { code } });
  });
});
