/** Renders a page into the document, in the user's language and theme. */
import { StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import '../ui/tokens.css';
import { loadWords } from '../words/load.ts';
import { PreferencesProvider, readLanguage, applyLanguage } from '../words/preferences.tsx';

export async function start(page: ReactNode): Promise<void> {
  const root = document.getElementById('root');
  if (root === null) throw new Error('the page has no place for the app');
  const language = readLanguage();
  applyLanguage(language);
  const words = await loadWords(language);
  createRoot(root).render(
    <StrictMode>
      <PreferencesProvider first={{ language, words }}>{page}</PreferencesProvider>
    </StrictMode>,
  );
}
