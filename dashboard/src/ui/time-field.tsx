import { lazy, type ReactNode, Suspense } from 'react';
import field from './field.module.css';

export interface TimeFieldProps {
  readonly label: ReactNode;
  /** An instant as ISO 8601, in UTC. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  /** The zone that it is shown and entered in; the account's if not given. */
  readonly zone?: string;
  readonly hint?: ReactNode;
  /** What is wrong, in the words of the API. */
  readonly error?: string | undefined;
  readonly isDisabled?: boolean;
  readonly isRequired?: boolean;
  readonly autoFocus?: boolean;
}

/** The calendar has as much script as most pages, and only few people open it. */
const TimePicker = lazy(() => import('./time-picker.tsx').then((module) => ({ default: module.TimePicker })));

/** A day and time, typed part by part or chosen from a calendar, with its zone named. */
export const TimeField = (props: TimeFieldProps) => (
  <Suspense fallback={<Waiting {...props} />}>
    <TimePicker {...props} />
  </Suspense>
);

/** Keeps its place until the field is there. */
const Waiting = ({ label, hint }: TimeFieldProps) => (
  <div className={field.field} aria-busy="true">
    <span className={field.label}>{label}</span>
    <span className={field.input} />
    {hint && <span className={field.hint}>{hint}</span>}
  </div>
);
