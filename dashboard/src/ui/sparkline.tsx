import { pointsOf } from './pure/line.ts';
import styles from './sparkline.module.css';

const WIDTH = 120;
const HEIGHT = 32;
const MARGIN = 3;

export interface SparklineProps {
  readonly values: readonly number[];
  /** What it shows, in words: "Messages of each of the last 14 days". */
  readonly label: string;
}

/** A small line without axes, beside the number that it belongs to. */
export function Sparkline({ values, label }: SparklineProps) {
  const points = pointsOf(values, WIDTH, HEIGHT, MARGIN);
  const last = points.at(-1);
  if (!last) return null;
  return (
    <svg role="img" aria-label={`${label}: ${values.join(', ')}`} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={styles.line}>
      <polyline points={points.map((point) => point.join(',')).join(' ')} />
      <circle cx={last[0]} cy={last[1]} r={2.5} />
    </svg>
  );
}
