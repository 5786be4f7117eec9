import styles from './code.module.css';
import { CopyButton } from './copy-button.tsx';

export interface CodeProps {
  readonly text: string;
  /** What it is: "curl", "Public key". */
  readonly label: string;
}

/** Code, or any text that is to be copied as it is. */
export const Code = ({ text, label }: CodeProps) => (
  <figure className={styles.code}>
    <figcaption className={styles.caption}>
      {label}
      <CopyButton text={text} />
    </figcaption>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
    <pre className={styles.text} tabIndex={0}>
      <code>{text}</code>
    </pre>
  </figure>
);
