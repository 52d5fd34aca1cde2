import { Card } from '../../../ui/layout/Card.tsx';
import { useWords } from '../../../words/preferences.tsx';
import styles from './SentBody.module.css';

/** Shows the body of the last attempt: formatted, and as it was signed. */
export function SentBody({ body }: { body: string | null }) {
  const { delivery: words } = useWords();
  if (body === null)
    return (
      <Card title={words.body}>
        <p>{words.noBody}</p>
      </Card>
    );
  return (
    <Card title={words.body}>
      <pre tabIndex={0} className={styles.body}>
        <code>{indented(body)}</code>
      </pre>
      <details className={styles.raw}>
        <summary>{words.bodyRaw}</summary>
        <pre tabIndex={0} className={styles.body}>
          <code>{body}</code>
        </pre>
      </details>
    </Card>
  );
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
