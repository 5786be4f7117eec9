import { now, parseAbsolute, toCalendarDateTime, toZoned, type ZonedDateTime } from '@internationalized/date';
import { useLingui } from '@lingui/react/macro';
import { CalendarDays, ChevronLeft, ChevronRight, X } from 'lucide-react';
import {
  Button as AriaButton,
  Calendar,
  CalendarCell,
  CalendarGrid,
  DateInput,
  DatePicker,
  DateSegment,
  Dialog,
  FieldError,
  Group,
  Heading,
  Label,
  Popover,
  Text,
} from 'react-aria-components';
import { Button } from './button.tsx';
import field from './field.module.css';
import list from './list.module.css';
import styles from './time-field.module.css';
import type { TimeFieldProps } from './time-field.tsx';
import { useZone } from './zone.ts';

/** A day and time, typed part by part or chosen from a calendar, with its zone named. */
export function TimePicker({ label, value, onChange, zone: named, hint, error, ...props }: TimeFieldProps) {
  const { t } = useLingui();
  const zone = useZone(named);
  const shown: ZonedDateTime | null = value === null ? null : parseAbsolute(value, zone);
  return (
    <DatePicker
      {...props}
      value={shown}
      onChange={(next) => onChange(next && toZoned(toCalendarDateTime(next), zone).toAbsoluteString())}
      placeholderValue={now(zone).set({ hour: 9, minute: 0, second: 0, millisecond: 0 })}
      granularity="minute"
      hourCycle={24}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={field.field}
    >
      <Label className={field.label}>{label}</Label>
      <Group className={`${field.input} ${styles.group}`}>
        <DateInput className={styles.segments}>{(segment) => <DateSegment segment={segment} className={styles.segment} />}</DateInput>
        {value !== null && (
          <AriaButton slot={null} className={styles.button} aria-label={t`Clear`} onPress={() => onChange(null)}>
            <X aria-hidden size={16} />
          </AriaButton>
        )}
        <AriaButton className={styles.button}>
          <CalendarDays aria-hidden size={16} />
        </AriaButton>
      </Group>
      {hint && !error && (
        <Text slot="description" className={field.hint}>
          {hint}
        </Text>
      )}
      <FieldError className={field.error}>{error}</FieldError>
      <Popover className={list.popover}>
        <Dialog className={styles.calendar}>
          <Calendar>
            <header className={styles.month}>
              <Button slot="previous" look="quiet" size="small">
                <ChevronLeft aria-hidden />
              </Button>
              <Heading className={styles.heading} />
              <Button slot="next" look="quiet" size="small">
                <ChevronRight aria-hidden />
              </Button>
            </header>
            <CalendarGrid>{(date) => <CalendarCell date={date} className={styles.day} />}</CalendarGrid>
          </Calendar>
        </Dialog>
      </Popover>
    </DatePicker>
  );
}
