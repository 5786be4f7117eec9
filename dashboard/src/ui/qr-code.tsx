import encode from 'qr';
import { useMemo } from 'react';
import styles from './qr-code.module.css';

interface QrCodeProps {
  /** What a phone reads from it. */
  readonly text: string;
  /** What it is, for who cannot see it. */
  readonly label: string;
}

/** A QR code, dark on light in every theme: many readers know no other. */
export function QrCode({ text, label }: QrCodeProps) {
  const { size, path } = useMemo(() => drawingOf(text), [text]);
  return (
    <svg className={styles.code} role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <path d={path} />
    </svg>
  );
}

/** With the quiet zone around it that readers need: its modules are the units of the drawing. */
function drawingOf(text: string): { readonly size: number; readonly path: string } {
  const rows = encode(text, 'raw', { ecc: 'medium', border: 4 });
  const modules = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size: rows.length, path: modules.join('') };
}
