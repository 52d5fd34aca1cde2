import type { cabinet } from '../../../data/client.ts';
import { useChoosePreferences } from '../../../data/account/storedPreferences.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { Row } from '../../../ui/fields/Form.tsx';
import { useFormat } from '../../../words/format.ts';
import { LANGUAGES, type Language } from '../../../words/load.ts';
import { THEMES, usePreferences, useWords } from '../../../words/preferences.tsx';
import styles from './AccountPage.module.css';

/** Shows the user's profile and preferences. */
export function AboutMe({ me }: { me: cabinet.Me }) {
  const { account, profile } = useWords();
  const format = useFormat();
  const { language, theme } = usePreferences();
  const choose = useChoosePreferences();
  const sees =
    me.projects === null || me.sites === null
      ? profile.everything
      : profile.scope(format.number(me.projects.length), format.number(me.sites.length));
  return (
    <Card title={profile.you}>
      <dl className={styles.facts}>
        <div>
          <dt>{profile.email}</dt>
          <dd>{me.email ?? me.name}</dd>
        </div>
        <div>
          <dt>{profile.role}</dt>
          <dd>{account.roles[me.role]}</dd>
        </div>
        <div>
          <dt>{profile.sees}</dt>
          <dd>{sees}</dd>
        </div>
        {me.site_quota !== null && (
          <div>
            <dt>{profile.quota}</dt>
            <dd>{profile.quotaOf(format.number(me.sites?.length ?? 0), format.number(me.site_quota))}</dd>
          </div>
        )}
      </dl>
      <Row>
        <SelectField
          label={account.language}
          value={language}
          options={(Object.entries(LANGUAGES) as [Language, string][]).map(([value, text]) => ({ value, text }))}
          onChange={choose.language}
        />
        <SelectField
          label={account.theme}
          value={theme}
          options={THEMES.map((value) => ({ value, text: account.themes[value] }))}
          onChange={choose.theme}
        />
      </Row>
    </Card>
  );
}
