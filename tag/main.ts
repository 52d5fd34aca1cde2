/** Entry of tag.js: takes over the queue of commands that the snippet began. */
import { createCommands, type Arguments } from './commands.ts';
import { optionsOff } from './options.ts';
import { quietly } from './page.ts';
import type { RecordingHost } from './recording.ts';

interface Svc extends RecordingHost {
  (...given: unknown[]): void;
  /** Commands from before the script came: an array of the snippet's making, and what takes its place. */
  q?: { push(given: Arguments): unknown };
  /** The tag is there: a script that is included twice does nothing. */
  on?: true;
}

declare global {
  interface Window {
    svc?: Svc;
  }
  interface Document {
    /** Chromium: the page is made ready before anybody sees it. */
    readonly prerendering?: boolean;
  }
  interface Navigator {
    /** https://www.w3.org/TR/gpc/: the visitor asks that his data be neither sold nor shared. */
    readonly globalPrivacyControl?: boolean;
  }
}

/** Null when the text of the script was copied into the page: nobody knows where hits go. */
function ownScript(): HTMLScriptElement | null {
  const current = document.currentScript;
  return current instanceof HTMLScriptElement && current.src !== ''
    ? current
    : document.querySelector<HTMLScriptElement>('script[src*="/tag.js"]');
}

function begin(script: HTMLScriptElement): void {
  const earlier = window.svc;
  const key = script.getAttribute('data-key');
  if (earlier?.on) {
    if (key !== null) earlier('init', key);
    return;
  }
  // Who keeps the snippet's function calls that one for ever: it fills the queue of what is at `svc`.
  const before: Arguments[] = [];
  let push = (given: Arguments): void => void before.push(given);
  const svc: Svc = (...given) => push(given);
  svc.on = true;
  svc.q = { push: (given) => push(given) };
  const commands = createCommands({ scriptUrl: script.src, nonce: script.nonce, host: svc });
  window.svc = svc;
  const start = (): void => {
    push = (given) => quietly(() => commands.run(given));
    if (key !== null) svc('init', key, optionsOff(script.getAttribute('data-off') ?? ''));
    for (const given of (earlier?.q as Arguments[] | undefined) ?? []) push(given);
    for (const given of before) push(given);
  };
  if (document.prerendering) document.addEventListener('prerenderingchange', start, { once: true });
  else start();
}

quietly(() => {
  const script = ownScript();
  if (script !== null) begin(script);
});
