import { CHANGEABLE_FIELDS } from '../../../data/itemFields.ts';
import { Command } from '../../../ui/dialogs/Command.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useWords } from '../../../words/preferences.tsx';
import styles from './ImportsPage.module.css';

const CSV = `id,type,title,body,available
lesson-1,text,How a tram moves,The wire brings the current.,true
lesson-2,text,"Wheels, rails","Steel on steel rolls easily.",true`;

const JSON_LINES = `{"id": "lesson-1", "type": "text", "title": "How a tram moves"}
{"id": "lesson-2", "type": "video", "media": [{"kind": "video", "url": "https://example.com/2.mp4"}]}`;

/** Shows the format of files. */
export function Examples() {
  const { imports } = useWords();
  return (
    <details>
      <summary>{imports.examples}</summary>
      <div className={styles.examples}>
        <div>
          <Hint>{imports.csv}</Hint>
          <Command text={CSV} />
        </div>
        <div>
          <Hint>{imports.jsonLines}</Hint>
          <Command text={JSON_LINES} />
        </div>
      </div>
      <Hint>{imports.fields(CHANGEABLE_FIELDS.slice(0, -1).join(', '), CHANGEABLE_FIELDS.at(-1) ?? '')}</Hint>
    </details>
  );
}
