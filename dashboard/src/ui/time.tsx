import { useLingui } from '@lingui/react/macro';
import { useNow } from './now.ts';
import { distanceText, exactText, momentText } from './pure/time.ts';
import { useZone } from './zone.ts';

export interface TimeProps {
  /** As the API has it; null shows a dash. */
  readonly value: string | null | undefined;
  /** The account's if not given. */
  readonly zone?: string;
  /** Names the moment even if it is near. */
  readonly isExact?: boolean;
}

/** A moment: how far away within a day, else in the account's zone. Its title has it exactly, in that zone and UTC. */
export function Time({ value, zone, isExact = false }: TimeProps) {
  const { i18n } = useLingui();
  const now = useNow();
  const place = { locale: i18n.locale, zone: useZone(zone) };
  const at = new Date(value ?? Number.NaN);
  if (Number.isNaN(at.getTime())) return <span>–</span>;
  const moment = momentText(at, now, place);
  return (
    <time dateTime={at.toISOString()} title={`${moment} · ${exactText(at)}`}>
      {(!isExact && distanceText(at, now, place.locale)) || moment}
    </time>
  );
}
