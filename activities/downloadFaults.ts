/** Classifies the answers of a medium's host, and the faults on the way to it. */
import type { FaultCode } from '../domain/items/errorCodes.ts';
import type { OutgoingError } from '../platform/outgoing/errors.ts';

/** `permanent`: ends the step. `temporary`: the download is tried again. */
type DownloadFault = ['permanent' | 'temporary', FaultCode];

export function downloadFault(error: OutgoingError): DownloadFault {
  switch (error.code) {
    case 'http_status':
      return httpFault(error.status ?? 0);
    case 'too_large':
      return ['permanent', 'media_too_large'];
    case 'redirect':
      return ['permanent', 'media_redirect'];
    case 'forbidden_address':
    case 'invalid_url':
      return ['permanent', 'forbidden_address'];
    case 'tls':
      return ['temporary', 'media_tls'];
    case 'dns':
      return ['temporary', 'media_dns'];
    case 'timeout':
    case 'connection':
      return ['temporary', 'media_unavailable'];
  }
}

/** Classifies an HTTP status: 408, 425 and 429 invite a retry; any other 4xx would recur. */
function httpFault(status: number): DownloadFault {
  if (status === 404 || status === 410) return ['permanent', 'media_not_found'];
  if (status === 401 || status === 403) return ['permanent', 'media_access_denied'];
  if ([408, 425, 429].includes(status) || status >= 500) return ['temporary', 'media_unavailable'];
  return ['permanent', 'media_http_error'];
}
