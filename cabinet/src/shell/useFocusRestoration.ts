import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

const DIALOGS = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';

/**
 * Keeps the focus of keyboard users. If the focused element disappears, focus moves to the title of the page after a
 * change of page, and back to the last control of the page after a dialog.
 */
export function useFocusRestoration(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation !== undefined && pathChanged && isLost()) focusTitle();
      }),
    [router],
  );
  useEffect(() => {
    let last: HTMLElement | null = null;
    const remember = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLElement && target.closest(DIALOGS) === null) last = target;
    };
    const restore = (): void => {
      if (!isLost() || document.querySelector(DIALOGS) !== null) return;
      if (last?.isConnected) last.focus();
      if (isLost()) focusTitle();
    };
    // Dialogs and menus are children of the body. Most restore focus themselves, in the frame after they close.
    const closing = new MutationObserver((changes) => {
      if (changes.some(({ removedNodes }) => removedNodes.length > 0)) afterNextFrame(restore);
    });
    document.addEventListener('focusin', remember);
    closing.observe(document.body, { childList: true });
    return () => {
      document.removeEventListener('focusin', remember);
      closing.disconnect();
    };
  }, []);
}

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

function focusTitle(): void {
  const title = document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main');
  if (!title) return;
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
}

function afterNextFrame(then: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(then));
}
