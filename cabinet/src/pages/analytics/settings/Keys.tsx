import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type cabinet } from '../../../data/client.ts';
import { exhaustiveList } from '../../../data/exhaustiveList.ts';
import { queryClient } from '../../../data/account/queryClient.ts';
import { siteKeysQuery, siteTagQuery } from '../../../data/sites/siteSettings.ts';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { KeysCard } from '../../../ui/keys/KeysCard.tsx';
import { useWords } from '../../../words/preferences.tsx';

type Kind = cabinet.SiteKey['kind'];
const KINDS = exhaustiveList<Kind>({ api: true, tag: true });

/** The keys of a site: the tag's key is in every page, server keys are shown once. */
export function Keys({ site, isViewer }: { site: string; isViewer: boolean }) {
  const { keys } = useWords().siteSettings;
  const [kind, setKind] = useState<Kind>('api');
  const make = async (name: string): Promise<string | null> => {
    const { data } = await api.createSiteKey({ path: { id: site }, body: { name, kind } });
    setKind('api');
    return data.kind === 'api' ? data.key : null;
  };
  return (
    <KeysCard
      query={useInfiniteQuery(siteKeysQuery(site))}
      isViewer={isViewer}
      texts={keys}
      detailOf={({ prefix, public_key: whole }) => whole ?? `${prefix}…`}
      columns={[{ key: 'kind', title: keys.kind, cell: (key) => keys.kinds[key.kind] }]}
      make={make}
      asked={
        <SelectField
          label={keys.kind}
          value={kind}
          options={KINDS.map((value) => ({ value, text: keys.kinds[value] }))}
          onChange={setKind}
        />
      }
      revoke={({ id }) => api.revokeSiteKey({ path: { id: site, key_id: id } })}
      revokeAbout={(key) => (key.kind === 'tag' ? keys.revokeTag : null)}
      refresh={() =>
        Promise.all(
          [siteKeysQuery(site), siteTagQuery(site)].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
        )
      }
    />
  );
}
