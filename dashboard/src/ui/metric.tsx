import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Info } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { linkTo } from './links.ts';
import styles from './metric.module.css';

export interface MetricProps {
  readonly label: string;
  /** What exactly is counted, and in which time. */
  readonly definition: string;
  readonly value: ReactNode;
  /** The list behind the number: an address below `/dashboard`. */
  readonly href?: string;
  /** Against the time before, as a part of it: 0.12 is 12 % more. */
  readonly change?: number | null;
}

/** A number that says what it counts. */
export function Metric({ label, definition, value, href, change }: MetricProps) {
  const { t, i18n } = useLingui();
  const id = useId();
  const [isHidden, setIsHidden] = useState(false);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form
    <div role="group" aria-labelledby={id} className={styles.metric}>
      <div className={styles.head}>
        <span id={id} className={styles.label}>
          {label}
        </span>
        <button
          type="button"
          className={styles.info}
          aria-label={t`What is counted: ${label}`}
          aria-describedby={`${id}definition`}
          onPointerEnter={() => setIsHidden(false)}
          onFocus={() => setIsHidden(false)}
          onKeyDown={({ key }) => key === 'Escape' && setIsHidden(true)}
        >
          <Info aria-hidden size={14} />
        </button>
        <span role="tooltip" id={`${id}definition`} className={styles.definition} hidden={isHidden}>
          {definition}
        </span>
      </div>
      <div className={styles.number}>
        {href ? (
          <Link
            {...linkTo(href)}
            className={styles.link}
            aria-label={typeof value === 'string' || typeof value === 'number' ? `${label}: ${value}` : label}
          >
            {value}
          </Link>
        ) : (
          value
        )}
        {change !== undefined && change !== null && (
          <span className={styles.change}>
            {i18n.number(change, { style: 'percent', maximumFractionDigits: Math.abs(change) < 0.1 ? 1 : 0, signDisplay: 'exceptZero' })}
          </span>
        )}
      </div>
    </div>
  );
}
