import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import {
  addedTo,
  depthOf,
  JOINS,
  removedAt,
  replacedAt,
  type FilterLeaf,
  type Group,
  type MetricLeaf,
  type Node,
  type Path,
} from '../../../data/report/conditions.ts';
import type { ReportFields } from '../../../data/report/reportFields.ts';
import type { Filter } from '../../../data/report/reportAddress.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { Chips } from '../parts/Chips.tsx';
import { FilterDialog } from '../parts/filters/FilterDialog.tsx';
import { useReportText } from '../parts/useReportText.ts';
import { AddButtons } from './AddButtons.tsx';
import { MetricCondition } from './MetricCondition.tsx';
import styles from './SegmentPage.module.css';

interface Props {
  site: string;
  fields: ReportFields;
  /** The root of the tree. */
  root: Group;
  /** The path of the group in it. */
  path: Path;
  /** Whether sending was attempted. */
  isTried: boolean;
  onChange: (root: Group) => void;
}

const NEW_METRIC: MetricLeaf = { kind: 'metric', metric: 'pageviews', op: 'gte', value: '' };
const NEW_GROUP: Group = { kind: 'group', join: 'any', members: [] };

/** Edits a group of conditions and nested groups. */
export function GroupEditor(props: Props) {
  const { site, fields, root, path, onChange } = props;
  const { segments } = useWords();
  /** The member being edited; null for a new one. */
  const [asking, setAsking] = useState<{ index: number | null } | null>(null);
  const group = groupAt(root, path);
  if (!group) return null;
  const add = (node: Node): void => onChange(addedTo(root, path, node));
  const replace = (index: number, node: Node): void => onChange(replacedAt(root, [...path, index], () => node));
  const number = path.map((index) => index + 1).join('.');
  const asked = asking?.index === null ? null : group.members[asking?.index ?? -1];
  const apply = (filter: Filter): void => {
    const leaf: FilterLeaf = { kind: 'filter', ...filter };
    if (asking?.index === null) add(leaf);
    else if (asking) replace(asking.index, leaf);
    setAsking(null);
  };
  return (
    <fieldset className={styles.group} aria-label={number === '' ? segments.root : segments.group(number)}>
      <div className={styles.head}>
        <SelectField
          label={segments.join}
          value={group.join}
          options={JOINS.map((value) => ({ value, text: segments.joins[value] }))}
          onChange={(join) => onChange(replacedAt(root, path, () => ({ ...group, join })))}
        />
        {path.length > 0 && (
          <Button kind="quiet" aria-label={segments.removeGroup} onPress={() => onChange(removedAt(root, path))}>
            <Trash2 aria-hidden size={16} />
          </Button>
        )}
      </div>
      {group.members.map((member, index) => (
        <Member
          // A member has no name but its path.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          {...props}
          member={member}
          index={index}
          onAsk={() => setAsking({ index })}
          onReplace={(node) => replace(index, node)}
        />
      ))}
      <AddButtons
        isDeepest={depthOf(addedTo(root, path, FILLED_GROUP)) > fields.limits.segment_depth}
        onDimension={() => setAsking({ index: null })}
        onMetric={() => add(NEW_METRIC)}
        onGroup={() => add(NEW_GROUP)}
      />
      {asking && (
        <FilterDialog
          site={site}
          fields={fields}
          filter={asked?.kind === 'filter' ? asked : null}
          refusalOf={() => null}
          onApply={apply}
          onClose={() => setAsking(null)}
        />
      )}
    </fieldset>
  );
}

/** A new group with its first member. If even this would be too deep, no group can be added. */
const FILLED_GROUP: Group = { ...NEW_GROUP, members: [NEW_METRIC] };

interface MemberProps extends Props {
  member: Node;
  index: number;
  onAsk: () => void;
  onReplace: (node: Node) => void;
}

function Member({ member, index, onAsk, onReplace, ...props }: MemberProps) {
  const { fields, root, path, isTried, onChange } = props;
  const { segments, report } = useWords();
  const { filter } = useReportText(fields);
  const own = [...path, index];
  const remove = (): void => onChange(removedAt(root, own));
  if (member.kind === 'group') return <GroupEditor {...props} path={own} />;
  if (member.kind === 'metric')
    return <MetricCondition fields={fields} leaf={member} isTried={isTried} onChange={onReplace} onRemove={remove} />;
  const text = filter(member);
  return (
    <Chips
      label={text}
      chips={[
        {
          id: text,
          text,
          onChange: onAsk,
          changeLabel: report.change(text),
          removeLabel: segments.removeCondition(text),
          onRemove: remove,
        },
      ]}
    />
  );
}

function groupAt(node: Node, [first, ...rest]: Path): Group | null {
  if (node.kind !== 'group') return null;
  if (first === undefined) return node;
  const member = node.members[first];
  return member ? groupAt(member, rest) : null;
}
