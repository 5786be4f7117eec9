import { useLingui } from '@lingui/react/macro';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import styles from './code.module.css';

/** Milliseconds for which it says that it has copied. */
const SAYS_SO = 2_000;

export interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for its name: "Copy the id". */
  readonly label?: string;
}

/** Puts a text on the clipboard. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const { t } = useLingui();
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), SAYS_SO);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <span className={styles.copy}>
      <Button look="quiet" size="small" aria-label={label ?? t`Copy`} onPress={() => void copy(text).then(setIsCopied)}>
        {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
      </Button>
      <span role="status" className={styles.said}>
        {isCopied && t`Copied`}
      </span>
    </span>
  );
}

/** Over plain http the clipboard is not there, but a selected text can be copied. */
async function copy(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.className = styles.said ?? '';
  const focused = document.activeElement;
  // Within a dialog the focus stays inside it, so the area has to stand there.
  (focused?.closest('[role="dialog"], [role="alertdialog"]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
