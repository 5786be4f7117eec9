import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import styles from './shell.module.css';

/**
 * After a change of the page: says its title, and moves the focus to its content unless the focus is already in it. Links that only change
 * the parameters of a page do neither.
 */
export function Announcer() {
  const router = useRouter();
  const [title, setTitle] = useState('');
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return;
        const main = document.getElementById('main');
        if (main && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
        // The page has set its title by then.
        requestAnimationFrame(() => setTitle(document.title));
      }),
    [router],
  );
  return (
    <p aria-live="polite" className={styles.hidden}>
      {title}
    </p>
  );
}
