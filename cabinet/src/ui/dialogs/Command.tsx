import styles from './Command.module.css';

/** Shows a command to copy into a terminal. */
export function Command({ text }: { text: string }) {
  return (
    <pre className={styles.command} tabIndex={0}>
      <code>{text}</code>
    </pre>
  );
}
