import { useId, type ReactNode } from 'react';
import styles from './Card.module.css';

interface Props {
  title: string;
  /** Level of its heading: 3 below another heading of the page. */
  level?: 2 | 3;
  /** Beside the title. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A section of a page with a heading. */
export function Card({ title, level = 2, aside, children }: Props) {
  const id = useId();
  const Heading = `h${level}` as const;
  // A landmark needs a unique name, but two projects may have the same title.
  const Part = level === 2 ? 'section' : 'article';
  return (
    <Part className={styles.card} aria-labelledby={id}>
      <div className={styles.head}>
        <Heading id={id}>{title}</Heading>
        {aside}
      </div>
      {children}
    </Part>
  );
}
