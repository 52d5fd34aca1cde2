/** The language of the analysis of a project's items, and its allowed topics. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type cabinet } from '../../../data/client.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import { queryClient } from '../../../data/account/queryClient.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { Form } from '../../../ui/fields/Form.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { TextArea } from '../../../ui/fields/TextArea.tsx';
import { usePreferences } from '../../../words/preferences.tsx';

const AUTO = 'auto';
/** Options of the menu; the API accepts any ISO 639-1 code. */
const LANGUAGES = [
  'ru',
  'en',
  'be',
  'de',
  'es',
  'fr',
  'hy',
  'it',
  'ka',
  'kk',
  'ky',
  'pt',
  'tg',
  'tr',
  'uk',
  'uz',
  'zh',
];

interface Props {
  project: cabinet.Project;
  isViewer: boolean;
}

export function LanguageAndTopics({ project, isViewer }: Props) {
  const { words, language: shown } = usePreferences();
  const { analysis, save: saveText, saved } = words.settings;
  const [changes, setChanges] = useState<{ language?: string; topics?: string }>({});
  const { language = project.language, topics = project.topics.join('\n') } = changes;
  const save = useMutation({
    mutationFn: (body: cabinet.ProjectPatch) => api.patchProject({ path: { id: project.id }, body }),
    onSuccess: ({ data }) => queryClient.setQueryData(['project', project.id], data),
  });
  const edit = (change: typeof changes): void => {
    save.reset();
    setChanges((former) => ({ ...former, ...change }));
  };
  const submit = (): void => save.mutate(requestOf(changes), { onSuccess: () => setChanges({}) });
  const names = new Intl.DisplayNames([shown], { type: 'language' });
  const codes = [...new Set([AUTO, project.language, ...LANGUAGES])];
  return (
    <Card title={analysis.title}>
      <Form onSubmit={submit} error={save.error} fields={['language', 'topics']}>
        <SelectField
          label={analysis.language}
          hint={analysis.languageHint}
          isDisabled={isViewer}
          value={language}
          options={codes.map((value) => ({ value, text: value === AUTO ? analysis.auto : (names.of(value) ?? value) }))}
          onChange={(value) => edit({ language: value })}
          fault={faultOf(save.error, 'language', words)}
        />
        <TextArea
          label={analysis.topics}
          hint={analysis.topicsHint}
          rows={5}
          isDisabled={isViewer}
          value={topics}
          onChange={(value) => edit({ topics: value })}
          fault={faultOf(save.error, 'topics', words)}
        />
        <Buttons>
          <Button kind="primary" type="submit" isDisabled={isViewer} isPending={save.isPending}>
            {saveText}
          </Button>
        </Buttons>
        {isViewer && <Hint>{words.refusals.owner}</Hint>}
        {save.isSuccess && <p role="status">{saved}</p>}
      </Form>
    </Card>
  );
}

/** Returns only the changes, so that concurrent changes by others are kept. */
function requestOf({ language, topics }: { language?: string; topics?: string }): cabinet.ProjectPatch {
  return {
    ...(language !== undefined && { language }),
    ...(topics !== undefined && { topics: linesOf(topics) }),
  };
}

/** Returns one topic per line, without empty lines and duplicates in any case; the first spelling stays. */
function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim().replaceAll(/\s+/g, ' '));
  const folded = lines.map((line) => line.toLowerCase());
  return lines.filter((line, at) => line !== '' && folded.indexOf(line.toLowerCase()) === at);
}
