/** Language and theme, stored with the account and so shared by all browsers of the user. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { usePreferences, type Theme } from '../../words/preferences.tsx';
import type { Language } from '../../words/load.ts';
import { meQuery } from './account.ts';
import { api, type cabinet } from '../client.ts';
import { queryClient } from './queryClient.ts';

/** Choices are stored one after the other, so that the last one of a user wins. */
const STORING = { mutationKey: ['preferences'], scope: { id: 'preferences' } };

/**
 * Returns functions that apply a choice in this browser immediately and store it. If storing fails, it applies only
 * here.
 */
export function useChoosePreferences(): { language: (chosen: Language) => void; theme: (chosen: Theme) => void } {
  const { setLanguage, setTheme } = usePreferences();
  const { mutate } = useMutation({
    ...STORING,
    mutationFn: (body: cabinet.PreferencesPatch) => api.patchPreferences({ body }),
    onSuccess: async ({ data }) => {
      // Whatever else arrives now was read before: it would bring back the former choice for a while.
      await queryClient.cancelQueries({ queryKey: meQuery.queryKey });
      if (queryClient.isMutating(STORING) === 1) queryClient.setQueryData(meQuery.queryKey, data);
    },
  });
  return {
    language: (chosen) => {
      setLanguage(chosen);
      mutate({ language: chosen });
    },
    theme: (chosen) => {
      setTheme(chosen);
      mutate({ theme: chosen });
    },
  };
}

/** Applies choices made in another browser. */
export function useSyncPreferences(): void {
  const { data: me } = useQuery(meQuery);
  const { setLanguage, setTheme } = usePreferences();
  const language = me?.language ?? null;
  const theme = me?.theme ?? null;
  useEffect(() => {
    if (language !== null) setLanguage(language);
    // Runs when a different stored choice arrives, not after a choice on this page.
  }, [language]);
  useEffect(() => {
    if (theme !== null) setTheme(theme);
  }, [theme]);
}
