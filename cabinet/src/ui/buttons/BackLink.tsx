import { createLink, type LinkComponent } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { AnchorHTMLAttributes } from 'react';
import styles from './BackLink.module.css';

function Anchor({ children, ...props }: AnchorHTMLAttributes<HTMLAnchorElement>) {
  return (
    <a {...props} className={styles.back}>
      <ArrowLeft aria-hidden size={16} />
      {children}
    </a>
  );
}

const Linked = createLink(Anchor);

/** Back link above a page's title. */
export const BackLink: LinkComponent<typeof Anchor> = (props) => <Linked {...props} />;
