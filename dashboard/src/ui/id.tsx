import { useLingui } from '@lingui/react/macro';
import styles from './code.module.css';
import { CopyButton } from './copy-button.tsx';

/** The kind and the last letters: the ones before are a time and much alike. */
const shortOf = (value: string): string => value.replace(/^([a-z]+_)?.{8,}(.{6})$/, '$1…$2');

/** An id, shortened, with a button that copies it whole. */
export function Id({ value }: { readonly value: string }) {
  const { t } = useLingui();
  return (
    <span className={styles.id}>
      <code title={value}>{shortOf(value)}</code>
      <CopyButton text={value} label={t`Copy ${value}`} />
    </span>
  );
}
