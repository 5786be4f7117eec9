import { createLink } from '@tanstack/react-router';
import { Button as AriaButton, type ButtonProps as AriaButtonProps, Link as AriaLink, type LinkProps as AriaLinkProps } from 'react-aria-components';
import styles from './button.module.css';

interface Looks {
  /** `primary` once a page; `danger` for what cannot be undone. */
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly size?: 'small' | 'normal';
}

export type ButtonProps = Omit<AriaButtonProps, 'className' | 'style'> & Looks;

const classes = ({ look = 'plain', size = 'normal' }: Looks): string => `${styles.button} ${styles[look]} ${size === 'small' ? styles.small : ''}`;

/** A button. With `isPending` it says so, and does nothing until then. */
export const Button = ({ look, size, ...props }: ButtonProps) => <AriaButton {...props} className={classes({ look, size })} />;

/** A link that looks like a button. */
export const ButtonLink = createLink(({ look, size, ...props }: Omit<AriaLinkProps, 'className' | 'style'> & Looks) => (
  <AriaLink {...props} className={classes({ look, size })} />
));
