import type { Role } from '../../../data/account/rights.ts';
import { exhaustiveList } from '../../../data/exhaustiveList.ts';
import { useSiteChange } from '../../../data/sites/siteSettings.ts';
import type { cabinet } from '../../../data/client.ts';
import type { Site } from '../../../data/account/tenants.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Checkbox } from '../../../ui/choices/Checkbox.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';

type BooleanSetting = {
  [Name in keyof cabinet.SitePatch]-?: NonNullable<cabinet.SitePatch[Name]> extends boolean ? Name : never;
}[keyof cabinet.SitePatch];

/** The group of each switch. That of `require_user_hash` is in Identity.tsx. */
const GROUPS: Readonly<Record<Exclude<BooleanSetting, 'require_user_hash'>, 'visitors' | 'sessions'>> = {
  honour_gpc: 'visitors',
  fingerprints: 'visitors',
  recordings: 'sessions',
  mask_texts: 'sessions',
};
const ROBOTS = exhaustiveList<keyof Site['robots']>({
  user_agents: true,
  frequency: true,
  no_javascript: true,
  data_centres: true,
});
const NETWORK = exhaustiveList<keyof Site['network']>({ enabled: true, sensitive_topics: true });

interface Switch {
  text: string;
  isOn: boolean;
  change: (isOn: boolean) => cabinet.SitePatch;
}

/** Settings of recording, robots and sharing, each applied immediately. */
export function Collecting({ site, role }: { site: Site; role: Role }) {
  const words = useWords();
  const { collecting } = words.siteSettings;
  const save = useSiteChange(site);
  const { robots, network } = site;
  const robot = (name: keyof Site['robots']): Switch => ({
    text: collecting.robots[name],
    isOn: robots[name],
    change: (isOn) => ({ robots: { [name]: isOn } }),
  });
  const plain = (name: keyof typeof GROUPS): Switch => ({
    text: collecting[name],
    isOn: site[name],
    change: (isOn) => ({ [name]: isOn }),
  });
  const ofGroup = (group: 'visitors' | 'sessions'): Switch[] =>
    (Object.keys(GROUPS) as (keyof typeof GROUPS)[]).filter((name) => GROUPS[name] === group).map(plain);
  const shared = (name: keyof Site['network']): Switch => ({
    text: collecting.network[name],
    isOn: network[name],
    change: (isOn) => ({ network: { [name]: isOn } }),
  });
  const groups: [title: string, switches: Switch[]][] = [
    [collecting.visitors, ofGroup('visitors')],
    [collecting.sessions, ofGroup('sessions')],
    [collecting.robotsAbout, ROBOTS.map(robot)],
    [collecting.networkAbout, NETWORK.map(shared)],
  ];
  return (
    <Card title={collecting.title}>
      {save.error && <Problem error={save.error} />}
      {groups.map(([title, switches]) => (
        <div key={title} role="group" aria-label={title}>
          <Hint>{title}</Hint>
          {switches.map(({ text, isOn, change }) => (
            <Checkbox
              key={text}
              isSelected={isOn}
              isDisabled={role === 'viewer'}
              onChange={(next) => save.mutate(change(next))}
            >
              {text}
            </Checkbox>
          ))}
        </div>
      ))}
      <Hint>{role === 'viewer' ? words.refusals.owner : collecting.atOnce}</Hint>
      {save.isSuccess && <p role="status">{words.settings.saved}</p>}
    </Card>
  );
}
