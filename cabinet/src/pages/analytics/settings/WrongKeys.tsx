import type { SiteStatus } from '../../../data/sites/siteSettings.ts';
import { DataTable, type Column } from '../../../ui/tables/DataTable.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';

type WrongKey = SiteStatus['wrong_keys'][number];

/** Lists pages that send an invalid key. */
export function WrongKeys({ keys }: { keys: readonly WrongKey[] }) {
  const { tag } = useWords().siteSettings;
  const format = useFormat();
  if (keys.length === 0) return null;
  const columns: Column<WrongKey>[] = [
    { key: 'host', title: tag.wrongKeyOn, cell: ({ host }) => host || tag.noHost },
    {
      key: 'key',
      title: tag.key,
      cell: ({ prefix, revoked }) =>
        prefix === '' ? tag.keyless : revoked ? tag.revoked(prefix) : tag.unknown(prefix),
    },
    { key: 'requests', title: tag.requests, kind: 'number', cell: ({ requests }) => format.number(requests) },
    { key: 'last', title: tag.last, cell: ({ last_at: at }) => format.moment(at) },
  ];
  return (
    <>
      <DataTable
        label={tag.wrongKeyOn}
        columns={columns}
        rows={keys}
        idOf={({ host, prefix, revoked }) => `${host} ${prefix} ${revoked}`}
      />
      <Hint>{tag.wrongKeyAbout}</Hint>
    </>
  );
}
