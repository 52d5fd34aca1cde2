/**
 * The users that the signed-in user manages: an administrator manages everybody, an owner the viewers of the owner's
 * projects and sites.
 */
import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../../../data/account/account.ts';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { Users } from './Users.tsx';

export function UsersPage() {
  const { users } = useWords();
  const { data: me } = useQuery(meQuery);
  if (!me) return null;
  if (me.role !== 'viewer') return <Users me={me} />;
  return (
    <Page title={users.title}>
      <Empty title={users.noRights} />
    </Page>
  );
}
