/** Reports clicks, links and forms. Nothing inside an element with data-svc-private is reported. */
import { isOwnHost, pageUrl } from './address.ts';
import { isDownload } from './downloads.ts';
import { aroundEvent, isPrivate, targetOf } from './elements.ts';
import type { EventFields, EventType } from '../data/event.ts';
import { positionIn, sizes } from './layout.ts';
import { NAME_MAX_LENGTH } from '../../../domain/collect/tagEventLimits.ts';
import type { Options } from '../data/options.ts';
import { quietly } from './page.ts';
import { selectorOf } from './selector.ts';
import { cut } from '../data/storableText.ts';

export interface Reporter {
  report(type: EventType, fields: Partial<EventFields>): void;
  options: Options;
  /** Domain of the visitor's cookie. */
  domain: string | null;
}

export function watchInteractions(reporter: Reporter): void {
  const onClick = (event: MouseEvent): void => quietly(() => clicked(reporter, event));
  document.addEventListener('click', onClick, true);
  document.addEventListener('auxclick', onClick, true);
  watchForms((event) => quietly(() => submitted(reporter, event)));
}

/**
 * Unlike clicks and keys, the submission of a form in a shadow tree is not visible outside that tree. So each tree in
 * which the visitor does something is watched from then on.
 */
function watchForms(onForm: (event: Event) => void): void {
  let last: Event | null = null;
  const onSubmit = (event: Event): void => {
    // The event of a page's form that is shown within a component passes both the document and the component's tree.
    if (event !== last) onForm(event);
    last = event;
  };
  const watchTrees = (event: Event): void =>
    quietly(() => {
      for (const node of event.composedPath())
        if (node instanceof ShadowRoot) node.addEventListener('submit', onSubmit, true);
    });
  for (const type of ['click', 'focusin', 'keydown']) document.addEventListener(type, watchTrees, true);
  document.addEventListener('submit', onSubmit, true);
}

function clicked(reporter: Reporter, event: MouseEvent): void {
  const target = targetOf(event);
  if (target === null || isPrivate(event)) return;
  // Ignores the right button, which opens a menu, and clicks by scripts. A key press has no x and y.
  if (event.button !== 2 && event.isTrusted && reporter.options.clicks) {
    const place =
      event.detail > 0 ? { x: Math.round(event.pageX), y: Math.round(event.pageY), ...positionIn(target, event) } : {};
    reporter.report('click', { ...place, selector: selectorOf(target), ...sizes() });
  }
  const link = event.button === 2 ? null : aroundEvent(event, 'a[href],area[href]');
  if (link !== null) followed(reporter, link);
}

function followed({ report, options, domain }: Reporter, link: Element): void {
  const address = new URL(String(link.getAttribute('href')), document.baseURI);
  if (!/^https?:$/.test(address.protocol)) return; // mailto: and tel: contain personal data
  if (isDownload(address.pathname) || link.hasAttribute('download')) {
    if (options.downloads) report('download', { target: pageUrl(address.href) });
  } else if (options.outbound && !isOwnHost(address.hostname, location.hostname, domain)) {
    report('outbound', { target: pageUrl(address.href) });
  }
}

/** Reports the form by its id or name; its values are never read. */
function submitted({ report, options }: Reporter, event: Event): void {
  const form = targetOf(event);
  if (form === null || isPrivate(event) || !options.forms) return;
  // Reads attributes, because fields called "id" or "name" hide the form's own properties.
  const name = form.getAttribute('id') || form.getAttribute('name') || selectorOf(form);
  report('form', { name: cut(name, NAME_MAX_LENGTH) });
}
