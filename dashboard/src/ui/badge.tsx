import type { ReactNode } from 'react';
import styles from './badge.module.css';

/** What a state means to people, which gives it its color. */
export type Tone = 'success' | 'warning' | 'danger' | 'info' | 'neutral';

/** A state as a word with a color and a dot, so that color is never all that tells. */
export const Badge = ({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>
);
