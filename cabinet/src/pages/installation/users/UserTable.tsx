import { useQuery } from '@tanstack/react-query';
import type { cabinet } from '../../../data/client.ts';
import { projectsQuery, sitesQuery } from '../../../data/account/tenants.ts';
import type { User } from '../../../data/account/users.ts';
import { ActionMenu, type Action } from '../../../ui/buttons/ActionMenu.tsx';
import { Badge, type Tone } from '../../../ui/messages/Badge.tsx';
import { DataTable, RowTitle, type Column } from '../../../ui/tables/DataTable.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import styles from './UserTable.module.css';

const TONES: Record<User['state'], Tone> = { active: 'good', blocked: 'bad', invited: 'busy' };
/** Maximum number of names shown; the others are only counted. */
const NAMED = 3;

interface Props {
  rows: User[];
  me: cabinet.Me;
  onChange: (user: User) => void;
  onLink: (user: User) => void;
  onInvitation: (user: User) => void;
  onBlock: (user: User) => void;
  onUnblock: (user: User) => void;
  onRemove: (user: User) => void;
}

export function UserTable({ rows, me, ...acts }: Props) {
  const { account, users } = useWords();
  const format = useFormat();
  const seenBy = useAccessText();
  const columns: Column<User>[] = [
    {
      key: 'email',
      title: users.columns.email,
      cell: ({ id, email }) => <RowTitle title={email} {...(id === me.id && { detail: users.you })} />,
    },
    { key: 'role', title: users.columns.role, cell: ({ role }) => account.roles[role] },
    {
      key: 'state',
      title: users.columns.state,
      cell: ({ state }) => <Badge tone={TONES[state]}>{users.states[state]}</Badge>,
    },
    { key: 'sees', title: users.columns.sees, cell: seenBy },
    {
      key: 'login',
      title: users.columns.login,
      cell: ({ last_login_at: login }) => (login === null ? users.never : format.moment(login)),
    },
    {
      key: 'actions',
      title: users.columns.actions,
      kind: 'actions',
      cell: (user) => <UserActions user={user} me={me} {...acts} />,
    },
  ];
  return (
    <div className={styles.frame}>
      <DataTable label={users.title} columns={columns} rows={rows} idOf={({ id }) => id} />
    </div>
  );
}

function UserActions({ user, me, ...acts }: Omit<Props, 'rows'> & { user: User }) {
  const { users } = useWords();
  const { refusals } = users;
  const isInvited = user.state === 'invited';
  const yourself = user.id === me.id ? refusals.yourself : null;
  const unaccepted = isInvited ? refusals.invited : null;
  const actions: Action[] = [
    { text: users.change, refusal: yourself ?? unaccepted, onAction: () => acts.onChange(user) },
    {
      text: users.link,
      refusal: unaccepted ?? (user.state === 'blocked' ? refusals.blocked : null),
      onAction: () => acts.onLink(user),
    },
    { text: users.invitation, onAction: () => acts.onInvitation(user) },
    user.state === 'blocked'
      ? { text: users.unblock, onAction: () => acts.onUnblock(user) }
      : { text: users.block, refusal: yourself ?? unaccepted, isDanger: true, onAction: () => acts.onBlock(user) },
    {
      text: isInvited ? users.removeInvitation : users.remove,
      refusal: yourself,
      isDanger: true,
      onAction: () => acts.onRemove(user),
    },
  ];
  return <ActionMenu label={users.actionsOf(user.email)} actions={actions} />;
}

/** Returns a function that lists a user's projects and sites, with the titles of the first few. */
function useAccessText(): (user: User) => string {
  const { users } = useWords();
  const format = useFormat();
  const { data: projects = [] } = useQuery(projectsQuery);
  const { data: sites = [] } = useQuery(sitesQuery);
  const titles = new Map([...projects, ...sites].map(({ id, title }) => [id, title]));
  return (user) => {
    if (user.role === 'admin') return users.everything;
    const names = [...user.projects, ...user.sites].map((id) => titles.get(id) ?? id);
    if (names.length === 0) return users.nothing;
    const others = names.length - NAMED;
    return [...names.slice(0, NAMED), ...(others > 0 ? [users.more(format.number(others))] : [])].join(', ');
  };
}
