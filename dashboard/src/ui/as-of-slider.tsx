import { Trans, useLingui } from '@lingui/react/macro';
import { History } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Slider, SliderThumb, SliderTrack } from 'react-aria-components';
import styles from './as-of-slider.module.css';
import { Button } from './button.tsx';
import { useNow } from './now.ts';
import { exactText, momentText } from './pure/time.ts';
import { useZone } from './zone.ts';

export interface AsOfSliderProps {
  /** When what is shown began, as ISO 8601. */
  readonly from: string;
  /** The moment that is shown; null is now. The page keeps it in its address. */
  readonly value: string | null;
  /** Called once the slider rests. */
  readonly onChange: (value: string | null) => void;
  /** Moments at which something changed, as ISO 8601: marked on the track, and where the slider snaps to. */
  readonly marks?: readonly string[];
  readonly zone?: string;
}

/** Keys move by a thousandth of the whole time. */
const STEPS = 1_000;
/** How near to a mark the slider snaps to it, as a part of the whole. */
const NEAR = 0.006;

/** Chooses a moment of the past, and says so while it does. */
export function AsOfSlider({ from, value, onChange, marks = [], zone: named }: AsOfSliderProps) {
  const { t, i18n } = useLingui();
  const now = useNow();
  const place = { locale: i18n.locale, zone: useZone(named) };
  const start = Date.parse(from);
  const span = Math.max(now.getTime() - start, 1);
  const stepOf = (at: string): number => ((Date.parse(at) - start) / span) * STEPS;
  const shown = value === null ? STEPS : Math.max(0, Math.min(STEPS, stepOf(value)));
  const [dragged, setDragged] = useState<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page has taken over what was chosen
  useEffect(() => setDragged(null), [value]);

  const momentAt = (step: number): string | null => {
    if (step >= STEPS) return null;
    const near = marks.find((mark) => Math.abs(stepOf(mark) - step) < NEAR * STEPS);
    return near ?? new Date(start + (step / STEPS) * span).toISOString();
  };
  const step = dragged ?? shown;
  const at = dragged === null ? value : momentAt(dragged);
  const text = at === null ? t`Now` : momentText(new Date(at), now, place);
  return (
    <div className={styles.bar} data-past={at !== null || undefined}>
      <Slider
        aria-label={t`As of`}
        minValue={0}
        maxValue={STEPS}
        step={0.1}
        value={step}
        onChange={setDragged}
        onChangeEnd={(end) => onChange(momentAt(end))}
        className={styles.slider}
      >
        <SliderTrack className={styles.track}>
          {marks.map((mark) => (
            <span key={mark} className={styles.mark} style={{ insetInlineStart: `${stepOf(mark) / (STEPS / 100)}%` }} />
          ))}
          <SliderThumb className={styles.thumb} aria-valuetext={text} />
        </SliderTrack>
      </Slider>
      <p className={styles.words} role="status">
        <History aria-hidden size={16} />
        {at === null ? (
          <Trans>Shown as of now</Trans>
        ) : (
          <span title={exactText(new Date(at))}>
            <Trans>
              You see the past, as of <strong>{text}</strong>
            </Trans>
          </span>
        )}
      </p>
      {at !== null && (
        <Button size="small" onPress={() => onChange(null)}>
          <Trans>Back to now</Trans>
        </Button>
      )}
    </div>
  );
}
