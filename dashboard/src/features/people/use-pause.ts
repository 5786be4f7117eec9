import { useEffect, useRef, useState } from 'react';

/** Milliseconds without a letter after which a text counts as typed. */
const PAUSE = 250;

/**
 * A text that is typed, and is told once the typing pauses. `settled` is the text that the page has (of its address): where it changes by itself,
 * as by the back button, the field follows.
 */
export function useTypedText(settled: string, onSettled: (text: string) => void): readonly [string, (text: string) => void] {
  const [typed, setTyped] = useState(settled);
  const [told, setTold] = useState(settled);
  const tell = useRef(onSettled);
  tell.current = onSettled;
  if (told !== settled) {
    setTold(settled);
    if (typed.trim() !== settled) setTyped(settled);
  }
  useEffect(() => {
    if (typed.trim() === settled) return;
    const timer = setTimeout(() => tell.current(typed.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [typed, settled]);
  return [typed, setTyped];
}
