import { useState } from 'react';
import type { SiteStatus } from '../../../data/sites/siteSettings.ts';
import { useSiteChange } from '../../../data/sites/siteSettings.ts';
import type { Site } from '../../../data/account/tenants.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { DataTable, type Column } from '../../../ui/tables/DataTable.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';

type Refused = SiteStatus['refused_hosts'][number];

interface Props {
  site: Site;
  hosts: readonly Refused[];
  isViewer: boolean;
}

/** Lists hosts whose hits are refused; a click allows one. */
export function RefusedHosts({ site, hosts, isViewer }: Props) {
  const words = useWords();
  const { tag } = words.siteSettings;
  const format = useFormat();
  const allow = useSiteChange(site);
  const [allowed, setAllowed] = useState<string | null>(null);
  const isAllowing = (host: string): boolean => allow.isPending && host === allowed;
  const press = (host: string): void => {
    setAllowed(host);
    allow.mutate(({ hosts: newest }) => ({ hosts: [...newest, host] }));
  };
  if (hosts.length === 0) return null;
  const columns: Column<Refused>[] = [
    { key: 'host', title: tag.refused, cell: ({ host }) => host || tag.noHost },
    { key: 'requests', title: tag.requests, kind: 'number', cell: ({ requests }) => format.number(requests) },
    { key: 'last', title: tag.last, cell: ({ last_at: at }) => format.moment(at) },
    {
      key: 'actions',
      title: words.settings.keys.columns.actions,
      kind: 'actions',
      cell: ({ host }) =>
        host !== '' && (
          <Button
            // The list is sent as a whole, so a second host waits for the first one.
            isDisabled={isViewer || (allow.isPending && !isAllowing(host))}
            isPending={isAllowing(host)}
            aria-label={tag.allowNamed(host)}
            onPress={() => press(host)}
          >
            {tag.allow}
          </Button>
        ),
    },
  ];
  return (
    <>
      {allow.error && <Problem error={allow.error} />}
      <DataTable label={tag.refused} columns={columns} rows={hosts} idOf={({ host }) => host} />
      <Hint>{isViewer ? words.refusals.owner : tag.refusedAbout}</Hint>
    </>
  );
}
