import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button';
import styles from './Button.module.css';

interface Props extends Omit<ButtonProps, 'className'> {
  kind?: 'primary' | 'plain' | 'quiet' | 'danger';
}

export function Button({ kind = 'plain', ...props }: Props) {
  return <AriaButton {...props} className={`${styles.button} ${styles[kind]}`} />;
}
