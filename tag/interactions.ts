/** Clicks, links and forms. Nothing inside an element with data-svc-private is reported. */
import { isDownload, isOwnHost, pageUrl } from './address.ts';
import type { EventFields, EventType } from './event.ts';
import { placeIn, sizes } from './layout.ts';
import { LIMITS } from './limits.ts';
import type { Options } from './options.ts';
import { quietly } from './page.ts';
import { selectorOf } from './selector.ts';
import { cut } from './text.ts';

export interface Reporter {
  report(type: EventType, fields: Partial<EventFields>): void;
  options: Options;
  /** Of the visitor's cookie. */
  domain: string | null;
}

export function watchInteractions(reporter: Reporter): void {
  const onClick = (event: MouseEvent): void => quietly(() => clicked(reporter, event));
  document.addEventListener('click', onClick, true);
  document.addEventListener('auxclick', onClick, true);
  document.addEventListener('submit', (event) => quietly(() => submitted(reporter, event)), true);
}

function clicked(reporter: Reporter, event: MouseEvent): void {
  const target = targetOf(event);
  if (target === null || isPrivate(target)) return;
  // The right button opens a menu; a script's click is nobody's; x and y of a key are those of nothing.
  if (event.button !== 2 && event.isTrusted && reporter.options.clicks) {
    const place =
      event.detail > 0 ? { x: Math.round(event.pageX), y: Math.round(event.pageY), ...placeIn(target, event) } : {};
    reporter.report('click', { ...place, selector: selectorOf(target), ...sizes() });
  }
  const link = event.button === 2 ? null : target.closest('a[href],area[href]');
  if (link !== null) followed(reporter, link);
}

function followed({ report, options, domain }: Reporter, link: Element): void {
  const address = new URL(String(link.getAttribute('href')), document.baseURI);
  if (!/^https?:$/.test(address.protocol)) return; // mailto: and tel: are personal data
  if (isDownload(address.pathname) || link.hasAttribute('download')) {
    if (options.downloads) report('download', { target: pageUrl(address.href) });
  } else if (options.outbound && !isOwnHost(address.hostname, location.hostname, domain)) {
    report('outbound', { target: pageUrl(address.href) });
  }
}

/** The form by its id or name; what was entered is never read. */
function submitted({ report, options }: Reporter, event: Event): void {
  const form = targetOf(event);
  if (form === null || isPrivate(form) || !options.forms) return;
  // Attributes, since fields called "id" or "name" hide the form's own properties.
  const name = form.getAttribute('id') || form.getAttribute('name') || selectorOf(form);
  report('form', { name: cut(name, LIMITS.name) });
}

/** Inside open shadow trees too. */
function targetOf(event: Event): Element | null {
  const target = event.composedPath()[0];
  return target instanceof Element ? target : null;
}

function isPrivate(element: Element): boolean {
  let at: Element | null = element;
  while (at !== null) {
    if (at.closest('[data-svc-private]') !== null) return true;
    const root: Node = at.getRootNode();
    at = root instanceof ShadowRoot ? root.host : null;
  }
  return false;
}
