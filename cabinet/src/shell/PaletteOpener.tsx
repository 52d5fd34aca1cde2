/** Opens the palette: by a button, and by Ctrl-K or ⌘K everywhere. */
import { Search } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { prepareWords } from '../words/load.ts';
import { useWords } from '../words/preferences.tsx';
import { lazyWithReload } from '../loading/reloadOutdated.ts';
import type { PaletteContext } from './palette/useDestinations.ts';
import styles from './Shell.module.css';

const Palette = lazyWithReload(async () => {
  // The palette names the pages of all areas.
  const [{ Palette: loaded }] = await Promise.all([
    import('./palette/Palette.tsx'),
    prepareWords(['content', 'analytics', 'installation']),
  ]);
  return loaded;
});

export function PaletteOpener(around: PaletteContext) {
  const { palette } = useWords();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isAsked = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.code === 'KeyK';
      if (!isAsked) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button type="button" className={styles.jump} aria-keyshortcuts="Control+K Meta+K" onClick={() => setOpen(true)}>
        <Search aria-hidden size={18} />
        <span className="heard">{palette.open}</span>
        <kbd className={styles.key}>{palette.key}</kbd>
      </button>
      {isOpen && (
        <Suspense>
          <Palette {...around} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
