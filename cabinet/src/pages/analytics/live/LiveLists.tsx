import { Bars, type Bar } from '../../../charts/Bars.tsx';
import type { cabinet } from '../../../data/client.ts';
import { CardGrid } from '../../../ui/layout/CardGrid.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';

/** Shows the pages of current visitors, and their sources. */
export function LiveLists({ realtime: { pages, sources } }: { realtime: cabinet.Realtime }) {
  const { live, codes } = useWords();
  const typeOf = (code: string): string => codes.source_type[code as keyof typeof codes.source_type] ?? codes.unknown;
  // If all pages are on one domain, it is not shown.
  const isOneDomain = new Set(pages.map(({ domain }) => domain)).size < 2;
  const ofPages = pages.map(({ domain, path, people }) => ({
    key: `${domain}${path}`,
    label: isOneDomain ? path : `${domain ?? ''}${path}`,
    value: people,
  }));
  const ofSources = sources.map(({ source_type: type, source_name: name, people }) => ({
    key: `${type} ${name}`,
    label: name === null ? typeOf(type) : <SourceName name={name} type={typeOf(type)} />,
    value: people,
  }));
  return (
    <CardGrid>
      <List title={live.pages} bars={ofPages} />
      <List title={live.sources} bars={ofSources} />
    </CardGrid>
  );
}

function SourceName({ name, type }: { name: string; type: string }) {
  return (
    <>
      {name} <small>{type}</small>
    </>
  );
}

function List({ title, bars }: { title: string; bars: readonly Bar[] }) {
  const { live } = useWords();
  const format = useFormat();
  return (
    <Card title={title}>
      {bars.length > 0 ? <Bars title={title} bars={bars} format={format.number} /> : <Hint>{live.nobody}</Hint>}
    </Card>
  );
}
