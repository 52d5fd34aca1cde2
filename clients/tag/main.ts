/** Entry point of tag.js: takes over the command queue that the snippet started. */
import { createCommands, type Arguments } from './commands.ts';
import { optionsOff } from './data/options.ts';
import { quietly } from './page/page.ts';
import type { RecordingHost } from './recording.ts';

interface Svc extends RecordingHost {
  (...given: unknown[]): void;
  /** Commands from before the script loaded: the snippet's array at first, later an object whose `push` runs them. */
  q?: { push(given: Arguments): unknown };
  /** Set once the tag is loaded, so that a script that is included twice does nothing. */
  on?: true;
}

declare global {
  interface Window {
    svc?: Svc;
  }
  interface Document {
    /** Chromium: true while the page is prerendered before it is shown. */
    readonly prerendering?: boolean;
  }
  interface Navigator {
    /** https://www.w3.org/TR/gpc/: the visitor asks that personal data be neither sold nor shared. */
    readonly globalPrivacyControl?: boolean;
  }
}

/**
 * Returns null when the script's text was copied into the page, because then the address for hits is unknown. The getter
 * is called by itself, because an element of the page with the name `currentScript` hides the property.
 */
function ownScript(): HTMLScriptElement | null {
  const current: unknown = Object.getOwnPropertyDescriptor(Document.prototype, 'currentScript')?.get?.call(document);
  return current instanceof HTMLScriptElement && current.src !== '' ? current : null;
}

function begin(script: HTMLScriptElement): void {
  const earlier = window.svc;
  const key = script.getAttribute('data-key');
  if (earlier?.on) {
    if (key !== null) earlier('init', key);
    return;
  }
  // Code that kept the snippet's function goes on calling it; that function pushes to the queue of whatever is at
  // `svc`.
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
