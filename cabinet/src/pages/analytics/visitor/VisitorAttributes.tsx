import type { VisitorDetail } from '../../../data/sites/visitors.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { DataTable, type Column } from '../../../ui/tables/DataTable.tsx';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { useWords } from '../../../words/preferences.tsx';

type Attribute = VisitorDetail['attributes'][number];

/** Shows attributes from the visitor, the site and the network, and the linked users. */
export function VisitorAttributes({ visitor: { attributes, user_ids: users } }: { visitor: VisitorDetail }) {
  const { visitor: words, rowCodes } = useWords();
  const { knownColumns: columns } = words;
  const shown: Column<Attribute>[] = [
    { key: 'what', title: columns.what, cell: ({ attribute, param }) => param ?? nameOf(words.attributes, attribute) },
    {
      key: 'value',
      title: columns.value,
      cell: ({ attribute, value, name, strength }) => {
        const texts = attribute === 'gender' ? rowCodes.gender : rowCodes.yesNo;
        const text = name ?? nameOf(texts, value ?? '—');
        return strength === null || strength < 2 ? text : `${text} × ${strength}`;
      },
    },
    { key: 'source', title: columns.source, cell: ({ source }) => rowCodes.valueSource[source] },
  ];
  return (
    <Card title={words.known}>
      {users.length > 0 && <p>{words.users(users.join(', '))}</p>}
      {attributes.length === 0 ? (
        <Empty title={words.nothingKnown}>
          <p>{words.nothingKnownHint}</p>
        </Empty>
      ) : (
        <DataTable
          label={words.known}
          columns={shown}
          rows={attributes}
          idOf={({ attribute, param, value }) => `${attribute} ${param} ${value}`}
        />
      )}
    </Card>
  );
}

function nameOf(names: Readonly<Record<string, string>>, code: string): string {
  return names[code] ?? code;
}
