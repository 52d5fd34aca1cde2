/**
 * Adds the marks that the cabinet lists for a recording to rrweb's own events: pages of one document, clicks and script
 * errors.
 */
import { withoutPersonalAddress } from '../../../domain/privacy/addresses.ts';
import { withoutContacts } from '../../../domain/privacy/contactsInTexts.ts';
import { pageUrl } from '../page/address.ts';
import { isPrivate, targetOf } from '../page/elements.ts';
import { quietly } from '../page/page.ts';
import { selectorOf } from '../page/selector.ts';
import { cut } from '../data/storableText.ts';

const MAX_MESSAGE = 300;
/** Limit that keeps an error in a loop from filling the recording. */
const MAX_ERRORS = 50;

export interface Marks {
  /** Reports a new address, if the page has one. */
  checkAddress(): void;
  stop(): void;
}

/** @param add puts an event of rrweb's type `custom` into the recording */
export function watchMarks(add: (tag: string, payload: object) => void, masksTexts: boolean): Marks {
  let page = pageUrl(location.href);
  let errors = 0;
  const checkAddress = (): void => {
    const now = pageUrl(location.href);
    if (now === page) return;
    page = now;
    add('svc-page', { href: withoutPersonalAddress(now) });
  };
  const onClick = (event: MouseEvent): void =>
    quietly(() => {
      const target = targetOf(event);
      if (target && event.isTrusted && !isPrivate(target)) add('svc-click', { selector: selectorOf(target) });
    });
  const tell = (error: unknown, message: string): void =>
    quietly(() => {
      errors += 1;
      if (errors > MAX_ERRORS) return;
      // Where all text is masked, an error message may quote some of it. A contact that is cut would not be recognised.
      const said = masksTexts ? ((error as Error | null)?.name ?? 'Error') : cut(withoutContacts(message), MAX_MESSAGE);
      add('svc-error', { message: said });
    });
  const onError = ({ error, message }: ErrorEvent): void => tell(error, message);
  const onRejection = ({ reason }: PromiseRejectionEvent): void => tell(reason, String(reason));
  document.addEventListener('click', onClick, true);
  addEventListener('error', onError);
  addEventListener('unhandledrejection', onRejection);
  return {
    checkAddress,
    stop() {
      document.removeEventListener('click', onClick, true);
      removeEventListener('error', onError);
      removeEventListener('unhandledrejection', onRejection);
    },
  };
}
