import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import styles from './Button.module.css';

interface Props extends ComponentProps<'a'> {
  kind?: 'primary' | 'plain';
}

/** A link that looks like a button, because it starts an action. */
export const LinkButton = createLink(({ kind = 'plain', ...props }: Props) => (
  <a {...props} className={`${styles.button} ${styles[kind]} ${styles.link}`} />
));
