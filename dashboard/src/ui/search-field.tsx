import { useLingui } from '@lingui/react/macro';
import { Search, X } from 'lucide-react';
import { SearchField as AriaSearchField, Button, Input } from 'react-aria-components';
import field from './field.module.css';
import styles from './search-field.module.css';

export interface SearchFieldProps {
  /** Its name; not shown, because the magnifier says it. */
  readonly label: string;
  readonly value: string;
  /** Called with each letter: the page waits for a pause. */
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
}

/** A field to search by. Escape empties it. The key `/` leads to the first one of a page. */
export function SearchField({ label, placeholder, ...props }: SearchFieldProps) {
  const { t } = useLingui();
  return (
    <AriaSearchField {...props} aria-label={label} className={styles.search}>
      <Search aria-hidden size={16} />
      <Input className={`${field.input} ${styles.input}`} placeholder={placeholder ?? label} data-filter />
      <Button className={`${field.inner} ${styles.clear}`} aria-label={t`Clear`}>
        <X aria-hidden size={16} />
      </Button>
    </AriaSearchField>
  );
}
