/** Session recordings: the second script is loaded only when the server wants one. */

/** What tag-record.js leaves on the `svc` function. */
export type StartRecording = (options: RecordingOptions) => StopRecording;
export type StopRecording = () => void;

export interface RecordingOptions {
  /** Where chunks go. */
  url: string;
  key: string;
  visitorId(): string;
}

export interface RecordingHost {
  recorder?: StartRecording;
}

export interface Recording {
  /** What the answer of /collect says: "on", "full" (the day's quota is used up: begin none), or nothing. */
  hear(word: unknown): void;
}

export interface RecordingSettings extends RecordingOptions {
  scriptUrl: string;
  /** Of the page's Content-Security-Policy. */
  nonce: string;
  host: RecordingHost;
  /** A recording of this visit has begun in this tab. */
  hasBegun(): boolean;
}

export function createRecording(settings: RecordingSettings): Recording {
  let wanted = false;
  let isLoading = false;
  let stop: StopRecording | null = null;
  const start = (): void => {
    if (wanted && stop === null && settings.host.recorder) stop = settings.host.recorder(settings);
  };
  return {
    hear(word) {
      wanted = word === 'on' || (word === 'full' && (stop !== null || settings.hasBegun()));
      if (!wanted) {
        stop?.();
        stop = null;
      } else if (isLoading || settings.host.recorder) {
        start();
      } else {
        isLoading = true;
        load(settings, start);
      }
    },
  };
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** A script that a trusted script adds runs under a policy of nonces and `strict-dynamic` too. */
function load({ scriptUrl, nonce }: RecordingSettings, onLoad: () => void): void {
  const script = document.createElement('script');
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('svc-tag', { createScriptURL: (url) => url });
  script.src = policy ? policy.createScriptURL(scriptUrl) : scriptUrl;
  script.async = true;
  if (nonce !== '') script.nonce = nonce;
  script.addEventListener('load', onLoad);
  document.head.append(script);
}
