import { exhaustiveList } from '../../../data/exhaustiveList.ts';
import type { Installation, InstallationPart } from '../../../data/installation/installation.ts';
import { Badge, type Tone } from '../../../ui/messages/Badge.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { DataTable, RowTitle, type Column } from '../../../ui/tables/DataTable.tsx';
import { useFormat, type Format } from '../../../words/format.ts';
import type { Words } from '../../../words/en/index.ts';
import { useWords } from '../../../words/preferences.tsx';

type Disk = Installation['disks'][number];
type State = InstallationPart['state'];

const TONES: Record<State, Tone> = { ok: 'good', degraded: 'warn', unreachable: 'bad', unknown: 'quiet' };
/** Failures come first. */
const ORDER = exhaustiveList<State>({ unreachable: true, degraded: true, unknown: true, ok: true });
const GB = 1e9;

interface Row {
  id: string;
  title: string;
  detail: string | null;
  state: State;
  about: string;
}

export function Health({ parts, disks }: Pick<Installation, 'parts' | 'disks'>) {
  const words = useWords();
  const { health } = words.installation;
  const format = useFormat();
  const rows = [
    ...parts.map((part) => partRow(part, words, format)),
    ...disks.map((disk) => diskRow(disk, words, format)),
  ].toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state));
  const columns: Column<Row>[] = [
    {
      key: 'part',
      title: health.columns.part,
      cell: ({ title, detail }) => <RowTitle title={title} {...(detail !== null && { detail })} />,
    },
    {
      key: 'state',
      title: health.columns.state,
      cell: ({ state }) => <Badge tone={TONES[state]}>{health.states[state]}</Badge>,
    },
    { key: 'about', title: health.columns.about, cell: ({ about }) => about },
  ];
  return (
    <Card title={health.title}>
      <DataTable label={health.title} columns={columns} rows={rows} idOf={({ id }) => id} />
    </Card>
  );
}

function partRow(part: InstallationPart, words: Words, format: Format): Row {
  const { health } = words.installation;
  return {
    id: `${part.part}/${part.address}`,
    title: health.parts[part.part],
    detail: part.address,
    state: part.state,
    about: aboutPart(part, words, format),
  };
}

function aboutPart(
  { part, state, version, seconds, rejected }: InstallationPart,
  words: Words,
  format: Format,
): string {
  const { health } = words.installation;
  const { none } = words.installation.work;
  const said: string[] = [];
  if (version !== null) said.push(health.version(version));
  if (part === 'temporal' && state === 'unknown') said.push(health.relaySilent);
  if (part === 'relay' && seconds !== null && state !== 'ok') said.push(health.heard(format.duration(seconds)));
  if (part === 'backup' && seconds !== null) said.push(health.backup(format.duration(seconds)));
  const waits = part === 'outbox' || part === 'ingest' || part === 'lake';
  if (waits && seconds !== null && seconds >= 1) said.push(health.waits(format.duration(seconds)));
  if (rejected !== null && rejected > 0) said.push(health.setAside(format.number(rejected)));
  return said.join(' · ') || none;
}

function diskRow({ folder, state, free_bytes: free, total_bytes: total }: Disk, words: Words, format: Format): Row {
  const { health } = words.installation;
  const gigabytes = (bytes: number): string => format.number(Math.round((bytes / GB) * 10) / 10);
  return {
    id: `disk/${folder}`,
    title: health.folders[folder],
    detail: null,
    state,
    about: health.free(gigabytes(free), gigabytes(total)),
  };
}
