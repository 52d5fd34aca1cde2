import type { Role } from '../../../data/account/rights.ts';
import { useSiteChange } from '../../../data/sites/siteSettings.ts';
import type { cabinet } from '../../../data/client.ts';
import type { Site } from '../../../data/account/tenants.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Checkbox } from '../../../ui/choices/Checkbox.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';

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
  const plain = (name: 'recordings' | 'mask_texts' | 'honour_gpc' | 'fingerprints'): Switch => ({
    text: collecting[name],
    isOn: site[name],
    change: (isOn) => ({ [name]: isOn }),
  });
  const shared = (name: keyof Site['network']): Switch => ({
    text: collecting.network[name],
    isOn: network[name],
    change: (isOn) => ({ network: { [name]: isOn } }),
  });
  const groups: [title: string, switches: Switch[]][] = [
    [collecting.visitors, [plain('honour_gpc'), plain('fingerprints')]],
    [collecting.sessions, [plain('recordings'), plain('mask_texts')]],
    [collecting.robotsAbout, [robot('user_agents'), robot('frequency'), robot('no_javascript'), robot('data_centres')]],
    [collecting.networkAbout, [shared('enabled'), shared('sensitive_topics')]],
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
