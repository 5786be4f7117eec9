import { useEffect, useRef, useState } from 'react';

/** Milliseconds without a letter after which a text counts as typed. */
const PAUSE = 250;

/**
 * A text that is typed, and is passed on once the typing pauses. `settled` is the text of the page's address: where that changes by itself, as by
 * the back button, the field follows.
 */
export function useTypedText(settled: string, onSettled: (text: string) => void): readonly [string, (text: string) => void] {
  const [typed, setTyped] = useState(settled);
  const [followed, setFollowed] = useState(settled);
  const passOn = useRef(onSettled);
  passOn.current = onSettled;
  if (followed !== settled) {
    setFollowed(settled);
    if (typed.trim() !== settled) setTyped(settled);
  }
  useEffect(() => {
    if (typed.trim() === settled) return;
    const timer = setTimeout(() => passOn.current(typed.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [typed, settled]);
  return [typed, setTyped];
}
