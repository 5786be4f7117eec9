import type { ReactNode } from 'react';
import styles from './definition-list.module.css';

export interface DefinitionListProps {
  readonly items: readonly { readonly term: ReactNode; readonly value: ReactNode }[];
}

/** Names with their values, side by side where there is room. An empty value shows a dash. */
export const DefinitionList = ({ items }: DefinitionListProps) => (
  <dl className={styles.list}>
    {items.map(({ term, value }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the terms of a list do not change their order
      <div key={index} className={styles.item}>
        <dt className={styles.term}>{term}</dt>
        <dd className={styles.value}>{value === null || value === undefined || value === '' ? '–' : value}</dd>
      </div>
    ))}
  </dl>
);
