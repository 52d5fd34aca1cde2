/** One-time links for invited users, shown once. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type cabinet } from '../../../data/client.ts';
import type { User } from '../../../data/account/users.ts';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';

interface Shown {
  title: string;
  about: string;
  address: string;
}

type Invited = Pick<cabinet.UserWithInvitation, 'email' | 'invitation' | 'invitation_expires_at'>;

/** The secret is in the fragment, which browsers do not send to servers. */
const addressOf = (invitation: string): string => `${location.origin}/cabinet/invitation#${invitation}`;

export function useAccessLinks() {
  const { users } = useWords();
  const format = useFormat();
  const [shown, setShown] = useState<Shown | null>(null);
  /** Shows an invitation if there is one. */
  const show = ({ email, invitation, invitation_expires_at: end }: Invited): void => {
    if (invitation === null || end === null) return;
    setShown({
      title: users.invitationTitle(email),
      about: users.invitationAbout(format.moment(end)),
      address: addressOf(invitation),
    });
  };
  const invite = useMutation({
    mutationFn: ({ id }: User) => api.createInvitation({ path: { id } }),
    onSuccess: ({ data }, { email }) => show({ ...data, email }),
  });
  const link = useMutation({
    mutationFn: ({ id }: User) => api.createSignInLink({ body: { user: id } }),
    onSuccess: ({ data }, { email }) =>
      setShown({ title: users.linkTitle(email), about: users.linkAbout, address: data.url }),
  });
  return {
    shown,
    show,
    hide: () => setShown(null),
    invite: (user: User) => {
      link.reset();
      invite.mutate(user);
    },
    link: (user: User) => {
      invite.reset();
      link.mutate(user);
    },
    error: invite.error ?? link.error,
  };
}
