import { type PointerEvent, useEffect, useReducer, useRef } from 'react';

/** Milliseconds without a move after which the pointer aims at nothing any more. */
const STILL = 1_200;

interface SteadyRows<T> {
  readonly rows: readonly T[];
  readonly onPointerMove: (event: PointerEvent) => void;
  readonly onPointerLeave: () => void;
}

/**
 * Rows that do not move while a pointer moves over them: what is new comes, and what is gone goes, as soon as it rests or leaves. Values change
 * at once, and so does the end of the list.
 */
export function useSteadyRows<T>(rows: readonly T[], keyOf: (row: T) => string): SteadyRows<T> {
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  const shown = useRef(rows);
  const movedAt = useRef(Number.NEGATIVE_INFINITY);

  const left = movedAt.current + STILL - performance.now();
  const isHeld = left > 0 && shown.current !== rows && moves(shown.current, rows, keyOf);
  const steady = isHeld ? inOrderOf(shown.current, rows, keyOf) : rows;
  useEffect(() => {
    shown.current = steady;
    if (!isHeld) return;
    const timer = setTimeout(drawAgain, left);
    return () => clearTimeout(timer);
  });
  return {
    rows: steady,
    onPointerMove: ({ pointerType }) => {
      if (pointerType === 'mouse') movedAt.current = performance.now();
    },
    onPointerLeave: () => {
      movedAt.current = Number.NEGATIVE_INFINITY;
      if (isHeld) drawAgain();
    },
  };
}

/** Whether one of the rows would stand at another place. */
const moves = <T>(before: readonly T[], after: readonly T[], keyOf: (row: T) => string): boolean =>
  before.some((row, index) => {
    const other = after[index];
    return other === undefined || keyOf(other) !== keyOf(row);
  });

function inOrderOf<T>(before: readonly T[], after: readonly T[], keyOf: (row: T) => string): readonly T[] {
  const current = new Map(after.map((row) => [keyOf(row), row]));
  return before.map((row) => current.get(keyOf(row)) ?? row);
}
