import { useMutation } from '@tanstack/react-query';
import { api, AttuneError } from '../../data/client.ts';
import { openSignIn } from '../../ui/messages/signInAddress.ts';

/** Signs out, here or on all devices. */
export function useSignOut() {
  return useMutation({
    mutationFn: (where: 'here' | 'everywhere') => (where === 'here' ? api.logout() : api.logoutEverywhere()),
    // Opens another document, so that no data of this user stays for the next one.
    onSuccess: () => openSignIn(null),
    onError: (error) => {
      if (error instanceof AttuneError && error.status === 401) openSignIn(null);
    },
  });
}
