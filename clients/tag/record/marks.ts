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
/**
 * Number of characters of a message that are read, as in domain/recordings/marks.ts: a message may be a whole document,
 * and reading it would hold up the page.
 */
const MAX_READ = MAX_MESSAGE + 1_000;
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
      if (target && event.isTrusted && !isPrivate(event)) add('svc-click', { selector: selectorOf(target) });
    });
  const tell = (error: unknown, message: () => string): void =>
    quietly(() => {
      errors += 1;
      if (errors > MAX_ERRORS) return;
      // Where all text is masked, an error message may quote some of it.
      const said = masksTexts ? ((error as Error | null)?.name ?? 'Error') : shortened(message());
      add('svc-error', { message: said });
    });
  const onError = ({ error, message }: ErrorEvent): void => tell(error, () => message);
  // The page may reject with an object that cannot be turned into text.
  const onRejection = ({ reason }: PromiseRejectionEvent): void => tell(reason, () => String(reason));
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

/** Contacts are removed before the message is cut to its length, because a part of one would not be recognised. */
function shortened(message: string): string {
  return cut(withoutContacts(cut(message, MAX_READ)), MAX_MESSAGE);
}
